"""Checks of published standings: known numbers, and points that equal the sum of the results."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from standings.engine import SYSTEMS
from tournaments.event.checks.references import check_competitor_exists, repeated, round_within
from tournaments.event.choices import SCORELESS, UnknownFact, knows_results
from tournaments.event.document import Document, EventEntry
from tournaments.event.finding import EVENT, Finding, Place, error, warning
from tournaments.event.numbers import exact_text
from tournaments.event.scores import following_match_points

PUBLISHED = Place("published")
POINTS_DIFFER = "published-points"
"""The finding code for published points that differ from the sum of the results."""
OF_GAMES = frozenset({"pts", "game-points"})
OF_MATCHES = frozenset({"mp", "match-points"})
OF_THE_PRIMARY_SCORE = frozenset({"total", "pt", "points", "total-score"})

Sums = dict[int, int]
"""Half-points by competitor number."""


def check_published(document: Document) -> Iterator[Finding]:
    if not knows_results(document.event):
        yield from _check_unknown_results(document)
    if document.published is None:
        return
    known_sums: dict[tuple[int, bool], tuple[Sums, set[int]]] = {}
    final = document.published
    tables = [
        (PUBLISHED, document.event.planned_rounds, final.order, final.columns),
        *(
            (PUBLISHED.key("after_round").key(label), int(label), table["order"], table["columns"])
            for label, table in final.after_round.items()
        ),
    ]
    numbers = {each.number for each in document.competitors}
    for place, after, order, columns in tables:
        ordered = [(index, number) for index, level in enumerate(order) for number in level]
        for at in repeated(number for _, number in ordered):
            index, number = ordered[at]
            text = f"Competitor {number} is in the published order twice. Remove one."
            yield error("published-twice", place.item("order", index), text)
        for index, number in ordered:
            yield from check_competitor_exists(number, numbers, place.item("order", index))
        for label, column in columns.items():
            here = place.key("columns").key(label)
            for key in column:
                yield from check_competitor_exists(int(key), numbers, here.key(key))
        yield from _check_points(document, after, columns, place, known_sums)
    for index, known in enumerate(document.published.known):
        for number in known["competitors"]:
            yield from check_competitor_exists(
                number, numbers, PUBLISHED.item("known", index).key("competitors")
            )
    for label in document.published.after_round:
        place = PUBLISHED.key("after_round").key(label)
        yield from round_within(int(label), document.event, place)


def _check_unknown_results(document: Document) -> Iterator[Finding]:
    if any(document.pairings()):
        lacking = _lacking_results(document)
        code, text = "results-complete", "The results are complete. Remove `results` from what is unknown."
        if lacking:
            code, text = "results-incomplete", f"Competitors with incomplete results: {len(lacking)}."
        text += " Until then the published ranking is the standings, and no page shows the results."
        yield warning(code, EVENT.key("unknown"), text)
    if not (document.published and document.published.order):
        text = "The results are unknown and no ranking is published. Add the ranking to `published.order`."
        yield warning("nothing-published", EVENT.key("unknown"), text)
    if document.overrides:
        text = (
            "The results are unknown, so the standings are not calculated and overrides have no effect. "
            "Correct `published.order` instead."
        )
        yield warning("override-without-results", Place().item("overrides", 0), text)


def with_complete_results(document: Document) -> Document:
    """Return the document without `results` as an unknown fact if its results are complete."""
    if knows_results(document.event) or not any(document.pairings()) or _lacking_results(document):
        return document
    unknown = tuple(each for each in document.event.unknown if each != UnknownFact.RESULTS)
    return replace(document, event=replace(document.event, unknown=unknown))


def _lacking_results(document: Document) -> set[int]:
    """Return the ranked (else all) competitors without a result in each round or the published points."""
    pairings = [each for _, each in document.without_drafts().pairings() if each.kind not in SCORELESS]
    played = Counter(number for each in pairings for number in each.numbers)
    order, columns = (
        (document.published.order, document.published.columns) if document.published else ([], {})
    )
    ranked = [each for place in order for each in place] or [each.number for each in document.competitors]
    lacking = {each for each in ranked if played[each] < document.event.planned_rounds}
    for label, column in columns.items():
        if (is_match := _is_match_column(document.event, label)) is not None:
            sums, open_ = sums_of(document, is_match=is_match)
            lacking -= {each for each in lacking - open_ if column.get(str(each)) == exact_text(sums[each])}
    return lacking


Columns = Mapping[str, Mapping[str, str]]

# --- points -----------------------------------------------------------------------------------------------


def _check_points(
    document: Document,
    after: int,
    columns: Columns,
    place: Place,
    known_sums: dict[tuple[int, bool], tuple[Sums, set[int]]],
) -> Iterator[Finding]:
    if document.event.is_round_robin and any(
        each.withdrawn_after is not None for each in document.competitors
    ):
        return  # the ranking may annul the results of withdrawn players
    names = {each.number: each.name for each in document.competitors}
    for label, column in columns.items():
        is_match = _is_match_column(document.event, label)
        if is_match is None:
            continue
        if (after, is_match) not in known_sums:
            known_sums[after, is_match] = sums_of(document, after, is_match=is_match)
        sums, open_ = known_sums[after, is_match]
        if not knows_results(document.event):
            open_ = open_ | _lacking_results(document)
        for number, figure in column.items():
            own = int(number)
            if own in names and own not in open_ and figure != exact_text(sums[own]):
                yield warning(
                    POINTS_DIFFER,
                    place.key("columns").key(label).key(number),
                    f"{names[own]} has {figure} {label} in the source; the results add up to "
                    f"{exact_text(sums[own])}. Correct a result, or name the difference in published.known.",
                )


def _is_match_column(event: EventEntry, label: str) -> bool | None:
    """Return whether a column has match points (True), game points (False), or neither (None)."""
    word = label.casefold()
    if word in OF_GAMES:
        return False
    if word in OF_MATCHES:
        return event.is_team
    if word not in OF_THE_PRIMARY_SCORE:
        return None
    return points_are_of_matches(event)


def points_are_of_matches(event: EventEntry) -> bool:
    system = SYSTEMS.get(event.system)
    fixed = system.primary if system else None
    return event.is_team and (fixed or event.primary or "match") == "match"


def sums_of(document: Document, after: int | None = None, *, is_match: bool) -> tuple[Sums, set[int]]:
    """Return half-points by competitor, and the competitors with a missing or unknown result.

    `after`: the last round that counts, None for all.
    """
    sums: Sums = defaultdict(int)
    open_: set[int] = set()
    for number, pairing in document.without_drafts().pairings():
        if after is not None and number > after:
            continue
        if pairing.kind in SCORELESS:
            open_.update(pairing.numbers)
            continue
        sides = (
            (pairing.first_score, pairing.first_match_points),
            (pairing.second_score, pairing.second_match_points),
        )
        for own, (score, given), (other, _) in zip(pairing.numbers, sides, sides[::-1], strict=False):
            points = score or 0
            if is_match:
                following = following_match_points(document.event, pairing.kind, points, other)
                points = following if given is None else given
            sums[own] += points
    for each in document.competitors:
        for adjustment in each.adjustments:
            # Adjustments of the final standings count from the last round on.
            begins = document.event.planned_rounds if adjustment["final"] else adjustment["round"]
            if after is None or begins <= after:
                sums[each.number] += adjustment["match" if is_match else "game"]
    return sums, open_
