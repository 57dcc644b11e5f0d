"""Statistics of games and players, in addition to the standings."""
