"""The part of an event that readers are shown: all of it but the rounds that are drafts (ADR 0045).

Whatever reaches readers asks here, or for the document of `tournaments.public`; the desk asks models.
"""

from django.db.models import OuterRef, Q, QuerySet

from tournaments.models import Event, Game, Pairing, Round

DRAFT = Round.State.DRAFT


def shown_rounds(event: Event | OuterRef) -> QuerySet[Round]:
    """Return the rounds of an event that readers are shown."""
    return Round.objects.filter(~Q(state=DRAFT), event=event)


def shown_pairings(event: Event) -> QuerySet[Pairing]:
    """Return the pairings of an event that readers are shown."""
    return Pairing.objects.filter(~Q(round__state=DRAFT), round__event=event)


def shown_games(event: Event) -> QuerySet[Game]:
    """Return the boards of an event that readers are shown."""
    return Game.objects.filter(~Q(pairing__round__state=DRAFT), pairing__round__event=event)
