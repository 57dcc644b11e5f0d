"""Charts of an event as server-rendered SVG, each with its figures as a table (docs/adr)."""
