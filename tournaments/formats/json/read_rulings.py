"""What people decided or published: overrides, changes, acknowledgements, published tables."""

from typing import Any

from tournaments.event.document import (
    AcknowledgementEntry,
    ChangeEntry,
    KnownDifference,
    OverrideEntry,
    PublishedEntry,
    PublishedTable,
)
from tournaments.event.finding import Place
from tournaments.formats.json import keys
from tournaments.formats.json.read_event import changed_rules
from tournaments.formats.node import LARGEST, Node, exact, number_in_key

OVERRIDE_KINDS = ("pairing", "criteria", "rules", "value", "place", "undo")

_PROSE = 10_000


def override(node: Node) -> OverrideEntry:
    """One override; which keys its kind needs is a check, not a matter of reading."""
    return OverrideEntry(
        number=node.whole("id"),
        kind=node.choice("kind", OVERRIDE_KINDS),
        round=node.whole_or_none("round"),
        table=node.whole_or_none("table"),
        competitor=node.whole_or_none("competitor"),
        criterion=node.text("criterion", 60),
        levels=node.texts("levels", 40),
        place=node.whole_or_none("place"),
        criteria=node.texts("criteria", 60),
        rules_from=changed_rules(node.child("from", keys.CHANGED_RULES)),
        rules_to=changed_rules(node.child("to", keys.CHANGED_RULES)),
        undoes=node.whole_or_none("undoes"),
        was=node.text("was", 200),
        after=node.whole_or_none("after", least=0),
        reason=node.text("reason", _PROSE, required=True, prose=True),
        by=node.text("by", 120, required=True),
        at=node.moment("at"),
        moved=tuple(_moved(node, value, place) for value, place in node.items("moved")),
    )


def change(node: Node) -> ChangeEntry:
    """One entry of the change log."""
    return ChangeEntry(
        round=node.whole("round"),
        table=node.whole("table"),
        was=node.text("was", 200, required=True),
        now=node.text("now", 200, required=True),
        reason=node.text("reason", _PROSE, required=True, prose=True),
        by=node.text("by", 120, required=True),
        at=node.moment("at"),
        moved=tuple(_moved(node, value, place) for value, place in node.items("moved")),
    )


def acknowledgement(node: Node) -> AcknowledgementEntry:
    """One accepted warning."""
    return AcknowledgementEntry(
        finding=node.text("finding", 60, required=True),
        round=node.whole_or_none("round"),
        table=node.whole_or_none("table"),
        reason=node.text("reason", _PROSE, required=True, prose=True),
        by=node.text("by", 120, required=True),
        at=node.moment("at"),
    )


def published(node: Node) -> PublishedEntry | None:
    """The published tables; None where there is nothing in them."""
    found = PublishedEntry(
        order=_order(node),
        columns=_columns(node),
        after_round={round_: _table(node, value, place) for round_, value, place in _rounds(node)},
        publisher=node.text("publisher", 200),
        source=node.text("source", 2000),
        taken=node.day("taken"),
        known=[_known(each) for each in node.children("known", keys.KNOWN)],
    )
    return None if found == PublishedEntry() else found


def _table(node: Node, value: Any, place: Place) -> PublishedTable:
    inner = Node(value, keys.PUBLISHED_TABLE, place, node.log)
    return {"order": _order(inner), "columns": _columns(inner), "source": inner.text("source", 2000)}


def _rounds(node: Node) -> list[tuple[str, Any, Place]]:
    return [
        (number_in_key(node, key, place), value, place) for key, value, place in node.named("after_round")
    ]


def _order(node: Node) -> list[list[int]]:
    return [_numbers(node, value, place) for value, place in node.items("order")]


def _columns(node: Node) -> dict[str, dict[str, str]]:
    return {label: _column(node, value, place) for label, value, place in node.named("columns")}


def _column(node: Node, value: Any, place: Place) -> dict[str, str]:
    return {
        number_in_key(node, key, inner): _figure(node, figure, inner)
        for key, figure, inner in node.free_entries(value, place)
    }


def _figure(node: Node, value: Any, place: Place) -> str:
    """A published figure as exact text; a ratio such as 6/4 is a text in the file too."""
    if isinstance(value, str):
        return node.checked_text(value, 40, place)
    figure = exact(value)
    if figure is None:
        node.refuse_type(place, "an exact number of at most 20 digits, or a text", value)
    return figure or ""


def _known(node: Node) -> KnownDifference:
    listed = node.get("competitors", required=True)
    return {
        "what": node.text("what", 120, required=True),
        "competitors": _numbers(node, [] if listed is None else listed, node.place.key("competitors")),
        "why": node.text("why", _PROSE, required=True, prose=True),
    }


def _numbers(node: Node, value: Any, place: Place) -> list[int]:
    if not isinstance(value, list):
        node.refuse_type(place, "a list of numbers", value)
        return []
    return [node.checked_whole(each, 1, LARGEST, place) for each in value]


def _moved(node: Node, value: Any, place: Place) -> tuple[int, int | None, int | None]:
    if not isinstance(value, list) or len(value) != 3:
        node.refuse_type(place, "[number, place before, place after]", value)
        return 1, None, None
    number, before, after = value
    return (
        node.checked_whole(number, 1, LARGEST, place),
        None if before is None else node.checked_whole(before, 1, LARGEST, place),
        None if after is None else node.checked_whole(after, 1, LARGEST, place),
    )
