"""Checks of competitors' codes, ratings and names. They only warn, because real lists have such cases."""

from collections import defaultdict
from collections.abc import Iterator

from tournaments.event.dates import parse_year
from tournaments.event.document import CompetitorEntry, Document
from tournaments.event.federations import federation
from tournaments.event.finding import ROOT, Finding, Place, warning

STILL_TYPED = ("draft", "live")
"""The states of an event whose list of competitors may still change."""

LEAST_RATING, LARGEST_RATING = 100, 4_000
"""The bounds of ratings in all lists; 0 means no rating."""


def check_people(document: Document) -> Iterator[Finding]:
    event = document.event
    year = parse_year(event.start)
    checked = ("code", "flag") if event.has_nations else ("flag",)
    for index, each in enumerate(document.competitors):
        place = ROOT.item("competitors", index)
        # Finished events stay as they were printed: FMJD's lists have `BFA`, FIDE's have `BUR`.
        for key in checked if event.state in STILL_TYPED else ():
            written = getattr(each, key)
            letters = written.rstrip("0123456789")
            # Lower-case letters are the ISO code of a country, or the name of a flag.
            bearer = federation(letters, year) if letters.isupper() else None
            if bearer and bearer.code != letters:
                text = f"{each.name} has the {key} {written}, and {bearer.name} goes by {bearer.code}"
                text = f"{text}. Write {bearer.code}{written[len(letters) :]}."
                yield warning("other-code", place.key(key), text)
        yield from _check_rating(each.name, each.rating, place)
        for at, player in enumerate(each.players):
            yield from _check_rating(player.name, player.rating, place.item("players", at))
    named: dict[str, list[int]] = defaultdict(list)
    for index, each in enumerate(document.competitors):
        named[" ".join(each.name.casefold().split())].append(index)
    for indices in named.values():
        first, *others = (document.competitors[index] for index in indices)
        for index, other in zip(indices[1:], others, strict=True):
            if not _are_distinct(first, other):
                text = f"Numbers {first.number} and {other.number} are both called {other.name}"
                yield warning(
                    "namesakes",
                    ROOT.item("competitors", index).key("name"),
                    f"{text}. Add an initial to tell them apart, or remove one.",
                )


def _check_rating(name: str, rating: int | None, place: Place) -> Iterator[Finding]:
    if rating and not LEAST_RATING <= rating <= LARGEST_RATING:
        limits = f"Ratings lie between {LEAST_RATING} and {LARGEST_RATING}"
        yield warning(
            "odd-rating", place.key("rating"), f"{name} has the rating {rating}. {limits}. Correct it."
        )


def _are_distinct(one: CompetitorEntry, other: CompetitorEntry) -> bool:
    ids = ((one.fide_id, other.fide_id), (one.fmjd_id, other.fmjd_id))
    return any(first is not None and second is not None and first != second for first, second in ids)
