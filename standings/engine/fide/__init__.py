"""FIDE's tie-breaks, C.07: their codes, unplayed rounds, encounters, boards and ratings."""
