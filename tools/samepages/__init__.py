"""Compare every page and file that two revisions of the code answer, for changes that must change none."""
