"""What arbiters rule: tie-breaks, the ranking system, overrides, and warnings they accept."""
