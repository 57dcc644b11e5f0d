"""What a search looks up: the texts of events, and each word of them with where it stands (ADR 0087).

All of it is made of the record by `tournaments.search.index`, and only there.
"""

from django.db import models


class SearchKind(models.IntegerChoices):
    """Of what a text or a word is: of an event itself, or of the names in it."""

    EVENT = 0
    NAME = 1


class SearchEntry(models.Model):
    """What is searched of an event: in the first line its own text, then each competitor and player.

    `folded` is what words are looked up in, `shown` what is printed of the same line but the first: number,
    name and team, with tabs between them.
    """

    pk = models.CompositePrimaryKey("kind", "key")
    kind = models.PositiveSmallIntegerField(choices=SearchKind)
    # No foreign key: a trigger takes the row away with the event, so that no deletion has to ask for it.
    key = models.BigIntegerField()
    folded = models.TextField()
    shown = models.TextField()

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.key}"


class SearchWord(models.Model):
    """A folded word, and what it stands in; once, however many names of an event have it.

    A word with a sign before it is no reader's: see `tournaments.search.folding`.
    """

    pk = models.CompositePrimaryKey("key", "kind", "word")
    key = models.BigIntegerField()
    kind = models.PositiveSmallIntegerField(choices=SearchKind)
    word = models.TextField()

    class Meta:
        indexes = [
            # By bytes, whatever the language of the database, so that words that begin alike lie together.
            models.Index(
                fields=["word", "kind", "key"],
                opclasses=["text_pattern_ops", "int2_ops", "int8_ops"],
                name="words_by_beginning",
            )
        ]

    def __str__(self) -> str:
        return self.word


class SearchSpelling(models.Model):
    """A word of a name as it may be misspelt: itself, and itself without any one of its letters.

    Two words that differ by one letter, or by two neighbours changed round, have a form in common.
    """

    pk = models.CompositePrimaryKey("form", "word")
    form = models.TextField()
    word = models.TextField()

    def __str__(self) -> str:
        return f"{self.form}: {self.word}"
