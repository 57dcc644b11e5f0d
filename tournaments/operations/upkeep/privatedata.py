"""Remove free text of imported files, which may be private, from events of earlier releases."""

import logging
from collections.abc import Iterator

from django.db import transaction

from tournaments.event.moves import publishable_moves
from tournaments.interchange.formats.trf.publishing import publishable_lines
from tournaments.models import Event, Game, Pairing
from tournaments.stored import stored

log = logging.getLogger(__name__)


def remove_private_data(*, dry_run: bool) -> int:
    """Return the number of cleaned lines and games. The log names the event and the kinds of lines."""
    return sum(_of_lines(dry_run=dry_run)) + sum(_of_moves(dry_run=dry_run))


def _of_lines(*, dry_run: bool) -> Iterator[int]:
    for key in Event.objects.exclude(trf=[]).values_list("pk", flat=True):
        with transaction.atomic():
            event = Event.objects.select_for_update(of=("self",)).get(pk=key)
            public = publishable_lines(stored(event).document)
            removed = [each for each in event.trf if each not in public]
            if not removed:
                continue
            yield len(removed)
            if dry_run:
                continue
            event.trf = [*public]
            event.save(update_fields=["trf"])
        kinds = ", ".join(sorted({each[:3] for each in removed}))
        log.warning("%s: %s lines of a report are removed (%s)", event.slug, len(removed), kinds)


def _of_moves(*, dry_run: bool) -> Iterator[int]:
    for model, path in ((Pairing, "round__event__slug"), (Game, "pairing__round__event__slug")):
        rows = model._default_manager.exclude(moves="").values_list("pk", path, "moves")
        for key, slug, moves in rows.iterator(chunk_size=200):
            public = publishable_moves(moves)
            if public == moves:
                continue
            yield 1
            if not dry_run and model._default_manager.filter(pk=key, moves=moves).update(moves=public):
                log.warning("%s: tags or comments of a game are removed", slug)
