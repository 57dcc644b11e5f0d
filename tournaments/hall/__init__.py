"""Forms without an account for people in the hall: line-ups of captains, results of players."""
