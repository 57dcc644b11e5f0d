"""What readers search: the texts of events, folded into words in tables of ours (ADR 0087)."""
