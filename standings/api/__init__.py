"""The public data as JSON, with an OpenAPI document (docs/api.md). Both come from the same endpoint table."""
