"""The public pages as JSON, with an OpenAPI document (docs/api.md): one table of endpoints makes both."""
