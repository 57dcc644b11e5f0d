"""What the editions of a series come to together: medals, and all matches of all time."""
