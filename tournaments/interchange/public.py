"""The public part of an event: without drafts, dates of birth, fixed tables and free text from files.

Special prizes are published with the prize list.

Everything that is served without a login (pages, downloads, archives, the API) is generated from this
document. The desk's own event file and report, and `export_event`, use the complete document.

An import only stores what may be published (`publishable`). The rest of a file remains in the upload.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tournaments import models
from tournaments.event.dates import parse_year
from tournaments.event.document import CompetitorEntry, Document, PairingEntry, PlayerEntry, RoundEntry
from tournaments.event.moves import publishable_moves
from tournaments.event.prizes import shows_prizes
from tournaments.interchange.formats.trf.publishing import publishable_lines, published_lines
from tournaments.stored import stored


def public_birth(born: str) -> str:
    """Return the year of a stored date or year of birth; blank if it is unknown."""
    year = parse_year(born)
    return f"{year:04d}" if year else ""


PRIVATE_PARTICULARS: dict[str, Callable[[Any], Any]] = {"born": public_birth, "fixed_table": lambda _: None}
"""Private fields of competitors and players, each with the function that returns its public part.

An import of the public part keeps the stored value. All other fields are public.
"""


def public_particulars(entry: CompetitorEntry | PlayerEntry) -> dict[str, Any]:
    return {
        name: public_part(getattr(entry, name))
        for name, public_part in PRIVATE_PARTICULARS.items()
        if hasattr(entry, name)
    }


def public(document: Document) -> Document:
    published = document.without_drafts()
    event = replace(published.event, trf=published_lines(published))
    competitors = tuple(_public(each) for each in published.competitors)
    if not shows_prizes(published.event):
        competitors = tuple(replace(each, awards=()) if each.awards else each for each in competitors)
    return replace(
        published, event=event, competitors=competitors, rounds=_with_public_moves(published.rounds)
    )


def publishable(document: Document) -> Document:
    """Return the document without lines of reports, tags and comments of games that are never published."""
    event = replace(document.event, trf=publishable_lines(document))
    return replace(document, event=event, rounds=_with_public_moves(document.rounds))


def _with_public_moves(rounds: tuple[RoundEntry, ...]) -> tuple[RoundEntry, ...]:
    return tuple(
        replace(each, pairings=tuple(map(_with_moves_of_pairing, each.pairings)))
        if any(pairing.moves or pairing.games for pairing in each.pairings)
        else each
        for each in rounds
    )


def _with_moves_of_pairing(pairing: PairingEntry) -> PairingEntry:
    games = tuple(
        replace(each, moves=publishable_moves(each.moves)) if each.moves else each for each in pairing.games
    )
    return replace(pairing, moves=publishable_moves(pairing.moves), games=games)


def public_document(event: models.Event) -> Document:
    """Return the public part of a stored event; as many queries as `stored`."""
    return public(stored(event).document)


def _public(competitor: CompetitorEntry) -> CompetitorEntry:
    players = tuple(replace(each, **public_particulars(each)) for each in competitor.players)
    return replace(competitor, **public_particulars(competitor), players=players)
