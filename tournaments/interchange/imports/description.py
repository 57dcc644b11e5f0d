"""Describe differences in text, one line per row."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.event.document import GameEntry, PairingEntry, PointsAdjustment
from tournaments.event.numbers import points_text, score_text
from tournaments.event.officials import signature
from tournaments.event.prizes import plain_amount
from tournaments.event.schema import field_names
from tournaments.interchange.imports.differences import Differences, RowChange

SIGNS = {"added": "+", "changed": "~", "removed": "-"}
_IN_HALF_POINTS = ("_win", "_draw", "_loss", "bye_game", "bye_match")


def difference_lines(found: Differences) -> list[str]:
    """Return a line for each changed row: `+` added, `~` changed, `-` removed."""
    return [f"{SIGNS[verb]} {text}" for _, verb, text in _describe(found)]


def summary(found: Differences) -> str:
    """Return the number of changed rows: “0 changes”, or “3 changes: 2 pairings changed, 1 added”."""
    counted = Counter((table, verb) for table, verb, _ in _describe(found))
    total = counted.total()
    parts = ", ".join(f"{_count_of_noun(number, table)} {verb}" for (table, verb), number in counted.items())
    return f"{_count_of_noun(total, 'change')}: {parts}" if total else "0 changes"


@dataclass(frozen=True, slots=True)
class TableDifferences:
    """The differences of one table: a line per row with its sign, and the number of rows by verb."""

    table: str
    lines: list[str]
    counts: dict[str, int]


def table_differences(found: Differences) -> list[TableDifferences]:
    by_table: dict[str, TableDifferences] = {}
    for table, verb, text in _describe(found):
        section = by_table.setdefault(table, TableDifferences(table, [], dict.fromkeys(SIGNS, 0)))
        section.lines.append(f"{SIGNS[verb]} {text}")
        section.counts[verb] += 1
    return list(by_table.values())


def _count_of_noun(number: int, noun: str) -> str:
    is_singular = number == 1 or noun in {"published", "series"}
    return f"{number} {noun}" if is_singular else f"{number} {noun}{'es' if noun.endswith('s') else 's'}"


Described = tuple[str, str, str]
"""Noun of the row, verb, and text."""


def _describe(found: Differences) -> Iterator[Described]:
    if not found.event.is_same:
        yield (
            "event",
            found.event.verb,
            _text_of_row_change(f"event {found.event.either.slug}", found.event, "former_slugs"),
        )
    for slug in found.former_slugs:
        yield "former address", "added", f"former address {slug}"
    for team in found.competitors:
        name = f"competitor {team.either.number} {team.either.name}"
        yield "competitor", team.verb, _text_of_row_change(name, team, "players", "manual_pinned")
    for player in found.players:
        name = f"player {player.row.either.name} of {player.team.either.name}"
        yield "player", player.row.verb, _text_of_row_change(name, player.row)
    for round_ in found.rounds:
        yield "round", round_.verb, _text_of_row_change(f"round {round_.either.number}", round_, "pairings")
    for pairing in found.pairings:
        name = f"round {pairing.round}, table {pairing.row.either.table}"
        if not pairing.row.is_same:
            yield "pairing", pairing.row.verb, _pairing_text(name, pairing.row)
        for game in pairing.games:
            if not game.is_same:
                yield "game", game.verb, _game_text(f"{name}, board {game.either.board}", game)
    yield from _describe_rulings(found)


def _describe_rulings(found: Differences) -> Iterator[Described]:
    for override in found.overrides:
        yield (
            "override",
            override.verb,
            _text_of_row_change(f"override {override.either.number}", override, "pinned"),
        )
    for change in found.changes:
        entry = change.either
        yield (
            "entry",
            change.verb,
            f"entry of the change log: round {entry.round}, table {entry.table}, {entry.was} → {entry.now}",
        )
    for each in found.acknowledged:
        yield "acknowledgement", each.verb, f"acknowledgement of {each.either.finding}: {each.either.reason}"
    for table in found.published:
        yield "published table", table.verb, _text_of_row_change("published standings", table)


# --- rows -------------------------------------------------------------------------------------------------


def _text_of_row_change(name: str, row: RowChange[Any], *without: str) -> str:
    if row.verb != "changed":
        return name
    return f"{name}: {', '.join(_changed_fields(row.old, row.new, without))}"


def _changed_fields(old: Any, new: Any, without: Iterable[str]) -> Iterator[str]:
    for name in field_names(type(new), *without):
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            yield f"{name.replace('_', ' ')} {_value_text(name, was)} → {_value_text(name, now)}"


def _value_text(name: str, value: Any) -> str:
    if isinstance(value, int) and name.endswith(_IN_HALF_POINTS):
        return points_text(value)
    if name in _ITEM_TEXTS:
        value = tuple(map(_ITEM_TEXTS[name], value))
    if isinstance(value, dict):
        value = tuple(f"{key}: {each}" for key, each in value.items())
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    if value is None or not text:
        return "no value"
    return text if len(text) <= 60 else f"{text[:57]}…"


def _prize_text(prize: Mapping[str, Any]) -> str:
    what = " ".join(filter(None, (prize["name"], prize["category"], str(prize["place"] or ""))))
    worth = " and ".join(
        filter(None, (plain_amount(prize["amount"]) if prize["amount"] else "", prize["goods"]))
    )
    return f"{what}: {worth}"


def _adjustment_text(adjustment: PointsAdjustment) -> str:
    points = [
        f"{'-' if half_points < 0 else '+'}{points_text(abs(half_points))}{unit}"
        for half_points, unit in ((adjustment["game"], ""), (adjustment["match"], " MP"))
        if half_points
    ]
    begins = [f"from {adjustment['round']}"] if adjustment["round"] else []
    reason = f": {adjustment['reason']}" if adjustment["reason"] else ""
    return " ".join([*(points or ["+0"]), *(["final"] if adjustment["final"] else begins)]) + reason


def _forbidden_text(group: Mapping[str, Any]) -> str:
    first, last = (
        f" {word} {group[key]}" if group[key] else ""
        for word, key in (("from", "first_round"), ("to", "last_round"))
    )
    return " ".join(map(str, group["competitors"])) + first + last


_ITEM_TEXTS: dict[str, Callable[[Any], str]] = {
    "adjustments": _adjustment_text,
    "forbidden_pairs": _forbidden_text,
    "officials": lambda official: f"{official['role']}: {signature(official)}",
    "prizes": _prize_text,
    "provisional_results": lambda result: (
        f"round {result['round']}, table {result['table']}: {points_text(result['points'])}"
    ),
    "category_decisions": lambda each: f"{'in' if each['belongs'] else 'not in'} {each['category']}",
}
"""Text functions for items of fields that are lists of objects."""


def _pairing_text(name: str, row: RowChange[PairingEntry]) -> str:
    if not (row.old and row.new):
        return f"{name}: {_text_of_result(row.either)}"
    was, now = _text_of_result(row.old), _text_of_result(row.new)
    others = _changed_fields(row.old, row.new, (*_RESULT_FIELDS, "first", "second", "games"))
    return f"{name}: {', '.join([now if was == now else f'{was} → {now}', *others])}"


def _game_text(name: str, row: RowChange[GameEntry]) -> str:
    was, now = (_game_result_text(each) if each else "" for each in (row.old, row.new))
    others = ("white", "games_played", "moves", "board")
    fields = set(field_names(GameEntry)) - set(others)
    changed = list(_changed_fields(row.old, row.new, fields)) if was and now else []
    text = f"{was} → {now}" if was and now and was != now else now or was
    return f"{name}: {', '.join([text, *changed])}"


_RESULT_FIELDS = (
    "kind", "first_score", "second_score", "first_match_points", "second_match_points", "advantage",
)  # fmt: skip


def _text_of_result(pairing: PairingEntry) -> str:
    parts = ["-".join(str(number) for number in pairing.numbers), *_score_parts(pairing)]
    if pairing.first_match_points is not None:
        parts.append(f"({score_text(pairing.first_match_points, pairing.second_match_points)} MP)")
    return " ".join(parts)


def _game_result_text(game: GameEntry) -> str:
    players = [each.name if each else "no player" for each in (game.first_player, game.second_player)]
    return " ".join([" - ".join(players), *_score_parts(game)])


def _score_parts(result: PairingEntry | GameEntry) -> list[str]:
    kind = "" if result.kind == "played" else result.kind
    advantage = f"advantage {result.advantage}" if result.advantage else ""
    return [part for part in (kind, score_text(result.first_score, result.second_score), advantage) if part]
