"""The cards: a match, a competitor, a round, all competitors, as score sheets print them."""
