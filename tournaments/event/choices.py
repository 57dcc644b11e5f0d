"""The values that fields of an event choose from, shared by documents and models."""

from django.db.models import TextChoices


class Kind(TextChoices):
    """The outcomes of a pairing (rules § 1)."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    HALF_BYE = "half-bye", "half-point bye"
    ZERO_BYE = "zero-bye", "zero-point bye"
    ABSENT = "absent"
    PENDING = "pending", "not yet played"
    UNKNOWN = "unknown", "result unknown"


class PairingSide(TextChoices):
    """The two sides of a pairing as it was set."""

    FIRST = "first"
    SECOND = "second"


class Schedule(TextChoices):
    """The ways in which competitors are paired."""

    SWISS = "swiss", "Swiss"
    ROUND_ROBIN = "round-robin", "round robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin", "double round robin"


class WithdrawalAtHalf(TextChoices):
    """The fate of results of somebody who left before half of a round robin (rules § 1)."""

    FORFEIT = "forfeit", "the rest is lost by forfeit"
    ANNUL = "annul", "all results are annulled"
