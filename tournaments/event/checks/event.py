"""Checks of the event's settings and of its competitors.

Codes, ratings and names of competitors only get warnings, because real lists have such cases.
"""

from collections import defaultdict
from collections.abc import Iterator

from standings.engine import POLICIES, SYSTEMS, edition_of
from tournaments.event.checks.references import check_criteria_exist, repeated, round_within
from tournaments.event.choices import Kind, OverrideKind, knows_results
from tournaments.event.dates import ends_before, parse_year
from tournaments.event.document import CompetitorEntry, Document, EventEntry, PlayerEntry
from tournaments.event.federations import federation
from tournaments.event.finding import EVENT, ROOT, Finding, Place, error, warning
from tournaments.event.rules import in_force

OTHER_EDITION = "other-edition"
"""The finding code for an edition of FIDE's rules that was not in force at the start of the event."""

STILL_TYPED = ("draft", "live")
"""The states of an event whose list of competitors may still change."""

LEAST_RATING, LARGEST_RATING = 100, 4_000
"""The bounds of ratings in all lists; 0 means no rating."""


def settings(document: Document) -> Iterator[Finding]:
    event = document.event
    yield from _check_system(document)
    yield from check_criteria_exist(event.criteria, EVENT)
    if event.unplayed and event.unplayed not in POLICIES:
        yield error(
            "unknown-policy",
            EVENT.key("rules").key("unplayed"),
            f"“{event.unplayed}” is not a policy for unplayed rounds. Choose one of {', '.join(POLICIES)}.",
        )
    system = SYSTEMS.get(event.system)
    chosen = event.unplayed or (system.unplayed.code if system else "")
    current = edition_of(event.start).code
    if event.start and knows_results(event) and chosen.startswith("fide-") and chosen != current:
        text = f"Unplayed rounds count by “{chosen}”; “{current}” was in force on {event.start}. Choose one."
        yield warning(OTHER_EDITION, EVENT.key("rules").key("unplayed"), text)
    if event.is_team and event.boards is None:
        yield error(
            "boards-missing",
            EVENT.key("boards"),
            "The number of boards of this team event is missing. Add it.",
        )
    if not event.is_team and event.boards is not None:
        yield error("teams-only", EVENT.key("boards"), "Only a team event has boards. Take the key out.")
    if not event.is_team and not event.has_nations:
        text = f"Only teams are {event.teams_are}. Take the key out."
        yield error("teams-only", EVENT.key("teams_are"), text)
    if event.slug in event.former_slugs:
        text = f"“{event.slug}” is the address the event has now. Take it out."
        yield error("former-slug-is-current", EVENT.key("former_slugs"), text)
    yield from _check_pairing_settings(document)
    if ends_before(event.start, event.end):
        text = f"The event ends ({event.end}) before it starts ({event.start}). Correct one of the dates."
        yield error("ends-before-start", EVENT.key("end"), text)


def _check_pairing_settings(document: Document) -> Iterator[Finding]:
    event, place = document.event, EVENT.key("pairing")
    numbers = {each.number for each in document.competitors}
    for index, group in enumerate(event.forbidden_pairs):
        at = place.item("forbidden", index)
        # An event without a start list has no competitors yet and is not refused for it.
        unknown = [each for each in group["competitors"] if numbers and each not in numbers]
        if unknown:
            text = f"There is no competitor {unknown[0]}. Correct the number."
            yield error("unknown-number", at.key("competitors"), text)
        if len(set(group["competitors"])) < 2:
            text = "A forbidden pairing needs two competitors. Add them, or remove it."
            yield error("nobody-to-meet", at.key("competitors"), text)
        first, last = group["first_round"], group["last_round"]
        yield from round_within(max(first, last), event, at.key("last_round" if last else "first_round"))
        if last and last < first:
            text = f"It ends (round {last}) before it begins (round {first}). Correct one of the two."
            yield error("ends-before-start", at.key("last_round"), text)
    if event.is_round_robin and event.acceleration:
        text = "Only a Swiss is accelerated. Take the key out."
        yield error("swiss-only", place.key("acceleration"), text)
    if event.team_colours and not event.is_team:
        text = "Only teams have them. Take the key out."
        yield error("teams-only", place.key("team_colours"), text)


def _check_system(document: Document) -> Iterator[Finding]:
    event = document.event
    if event.system not in SYSTEMS:
        text = f"“{event.system}” is not a ranking system. Choose one of {', '.join(SYSTEMS)}."
        yield error("unknown-system", EVENT.key("system"), text)
        return
    has_own_list = any(
        each.kind == OverrideKind.RULES and each.rules_to.get("criteria")
        for each in in_force(document.overrides)
    )
    if event.criteria and SYSTEMS[event.system].frozen and not has_own_list:
        text = f"The criteria of {event.system} are fixed. Take the list out, or write an override of them."
        yield error("criteria-of-frozen-system", EVENT.key("criteria"), text)


def check_competitors(document: Document) -> Iterator[Finding]:
    event = document.event
    numbers = [each.number for each in document.competitors]
    for index in repeated(numbers):
        one, other = document.competitors[numbers.index(numbers[index])], document.competitors[index]
        text = f"Number {other.number} is both {one.name} and {other.name}. Give each his own."
        yield error("number-twice", ROOT.item("competitors", index).key("number"), text)
    yield from _check_pairing_numbers(document)
    for key in ("fide_id", "fmjd_id"):
        ids = [getattr(each, key) for each in document.competitors]
        for index in repeated(ids):
            one, other = document.competitors[ids.index(ids[index])], document.competitors[index]
            text = f"{key} {ids[index]} is both {one.name}'s and {other.name}'s. "
            place = ROOT.item("competitors", index).key(key)
            yield warning("id-twice", place, f"{text}Correct one, or take it out.")
    tables = [each.fixed_table if each.withdrawn_after is None else None for each in document.competitors]
    for index in repeated(tables):
        one, other = document.competitors[tables.index(tables[index])], document.competitors[index]
        text = f"Table {tables[index]} is the fixed table of {one.name} and of {other.name}. "
        place = ROOT.item("competitors", index).key("fixed_table")
        yield error("fixed-table-twice", place, f"{text}Choose another table for one of them.")
    for index, competitor in enumerate(document.competitors):
        yield from _check_competitor(event, competitor, ROOT.item("competitors", index))


def _check_pairing_numbers(document: Document) -> Iterator[Finding]:
    """Check that in each round, and today, no pairing number is given twice."""
    if not any(each.pairing_number for each in document.competitors):
        return
    for index in repeated(each.paired_as for each in document.competitors):
        each = document.competitors[index]
        text = f"Pairing number {each.paired_as} of {each.name} is also another's. Correct it."
        yield error("number-twice", ROOT.item("competitors", index).key("pairing_number"), text)
    for index, round_ in enumerate(document.rounds):
        place = ROOT.item("rounds", index).key("pairing_numbers")
        numbers = document.pairing_numbers(round_.number)
        for number in {int(key) for key in round_.pairing_numbers} - numbers.keys():
            yield error("unknown-number", place, f"There is no competitor {number}. Correct the number.")
        if round_.pairing_numbers and len({*numbers.values()}) < len(numbers):
            text = f"In round {round_.number} two competitors have the same pairing number. Correct them."
            yield error("number-twice", place, text)


def _check_competitor(event: EventEntry, competitor: CompetitorEntry, place: Place) -> Iterator[Finding]:
    last = competitor.withdrawn_after
    if last is not None and last > event.planned_rounds:
        text = f"{competitor.name} withdrew after round {last} of an event of {event.planned_rounds} rounds."
        yield error("round-beyond-last", place.key("withdrawn_after"), f"{text} Correct the round.")
    if competitor.manual_after is not None:
        yield from round_within(competitor.manual_after, event, place.key("manual_after"))
    for number in competitor.requested_byes:
        yield from round_within(int(number), event, place.key("requested_byes").key(number))
    yield from _half_byes(event, competitor, place.key("requested_byes"))
    for index, adjustment in enumerate(competitor.adjustments):
        at = place.item("adjustments", index)
        yield from round_within(adjustment["round"], event, at.key("round"))
        if adjustment["match"] and not event.is_team:
            text = "Only a team event has match points. Take them out, or write “game”."
            yield error("teams-only", at.key("match"), text)
        if not (adjustment["game"] or adjustment["match"]):
            yield error("no-points", at, "This adjustment changes no points. Add the points, or remove it.")
    if competitor.manual is None and competitor.manual_after is not None:
        yield error(
            "manual-missing",
            place.key("manual_after"),
            "There is no “manual” that it could speak of. Add it.",
        )
    if competitor.players and not event.is_team:
        yield error("teams-only", place.key("players"), "Only teams have players. Take the list out.")
    yield from check_players(competitor.players, competitor.name, place)


def _half_byes(event: EventEntry, competitor: CompetitorEntry, place: Place) -> Iterator[Finding]:
    requested = [int(number) for number, kind in competitor.requested_byes.items() if kind == Kind.HALF_BYE]
    if event.half_byes is not None and len(requested) > event.half_byes:
        text = f"{competitor.name} requests {len(requested)} half-point byes; the event allows "
        text += f"{event.half_byes}. Change one to a zero-point bye, or accept it."
        yield warning("half-byes-too-many", place, text)
    for number in requested:
        if event.half_byes_until is not None and number > event.half_byes_until:
            text = (
                f"{competitor.name} requests a half-point bye in round {number}; the event allows "
                "half-point byes until "
            )
            text += f"round {event.half_byes_until}. Make it a zero-point bye, or acknowledge it."
            yield warning("half-bye-too-late", place.key(str(number)), text)


def check_players(players: tuple[PlayerEntry, ...], team: str, place: Place) -> Iterator[Finding]:
    for index in repeated(each.identity for each in players):
        yield error(
            "player-twice",
            place.item("players", index),
            f"{players[index].name} ({players[index].identity}) is already in {team}. Remove one of them, "
            "or add FIDE ids to tell them apart.",
        )
    for index in repeated(each.board for each in players):
        text = f"Board {players[index].board} of {team} is taken already. Give each player his own."
        yield error("board-twice", place.item("players", index).key("board"), text)


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
