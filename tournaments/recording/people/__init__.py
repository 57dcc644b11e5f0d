"""Acts on persons and teams: what imports link, what people decide, and how each is undone (ADR 0040)."""
