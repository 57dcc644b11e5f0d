"""Pictures of an event: SVG made by the server, with its figures as a table (docs/adr)."""
