"""The search index: texts and words for the full-text search of the database (ADR 0039).

Written only by `tournaments.search.index`.
"""

from django.db import models


class SearchKind(models.IntegerChoices):
    """Subject of a text: an event, the names in an event, a hundred persons, or a hundred teams."""

    EVENT = 0
    NAMES = 1
    PERSONS = 2
    TEAMS = 3


class SearchEntry(models.Model):
    """A searchable text: one line for an event, or a line for each name.

    `words`: searched by the database. `folded`: text in which words are located. `shown`: displayed text
    of the same line. `tournaments.search.texts` describes the key.
    """

    # No foreign key: a trigger deletes the row with the event, so that deletions need no query.
    key = models.BigIntegerField(primary_key=True)
    words = models.TextField()
    folded = models.TextField()
    shown = models.TextField()

    def __str__(self) -> str:
        return f"entry {self.key}"


class SearchSpelling(models.Model):
    """A form of a word for finding misspellings: the word, or the word without one letter.

    Two words that differ by one letter, or by two swapped neighbours, share a form.
    """

    pk = models.CompositePrimaryKey("form", "word")
    form = models.TextField()
    word = models.TextField()

    def __str__(self) -> str:
        return f"{self.form}: {self.word}"
