"""Entry of results, notes and line-ups of a round."""
