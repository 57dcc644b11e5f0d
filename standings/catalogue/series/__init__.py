"""The sums of the editions of a series: medals, and all matches of all time."""
