"""The results screen of a round: typed by keyboard, as a plain form, or pasted."""
