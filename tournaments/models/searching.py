"""What a search looks up: texts and their words, in the full text of the database (ADR 0039).

All of it is made of the record by `tournaments.search.index`, and only there.
"""

from django.db import models


class SearchKind(models.IntegerChoices):
    """Of what a text is: an event itself, the names in it, a hundred persons, a hundred teams over events."""

    EVENT = 0
    NAMES = 1
    PERSONS = 2
    TEAMS = 3


class SearchEntry(models.Model):
    """A text that is searched: of an event one line, of names a line for each.

    `words` are what the engine of the database looks up, `folded` is what words are looked for in, `shown`
    what is printed of the same line. `tournaments.search.entries` says what the key is of.
    """

    # No foreign key: a trigger takes the row away with the event, so that no deletion has to ask for it.
    key = models.BigIntegerField(primary_key=True)
    words = models.TextField()
    folded = models.TextField()
    shown = models.TextField()

    def __str__(self) -> str:
        return f"entry {self.key}"


class SearchSpelling(models.Model):
    """A word as it may be misspelt: itself, and itself without any one of its letters.

    Two words that differ by one letter, or by two neighbours changed round, have a form in common.
    """

    pk = models.CompositePrimaryKey("form", "word")
    form = models.TextField()
    word = models.TextField()

    def __str__(self) -> str:
        return f"{self.form}: {self.word}"
