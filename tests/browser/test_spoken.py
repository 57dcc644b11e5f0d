"""Table cells as a screen reader gets them from Chromium."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cast import create_players, play
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Override, Pairing, Round

pytestmark = pytest.mark.usefixtures("live_server")

NAMES = ("Ann", "Bea", "Cor", "Dan", "Eve", "Fay")
DRAUGHTS = {"discipline": "draughts-100", "game_win": 4, "game_draw": 2, "system": "manual-swiss"}
TOLD = {
    "Ann": [
        "Round 1, white against Bea, won 2-0",
        "Round 2, white against Cor, drawn 1-1 with advantage",
        "Round 3, bye",
        "Round 4, white against Eve, won by forfeit",
        "Round 5, white against Fay, won 2-0, manually changed",
    ],
    "Bea": [
        "Round 1, black against Ann, lost 0-2",
        "Round 2, white against Dan, lost by forfeit on both sides",
        "Round 3, half-point bye",
        "Round 4, white against Cor, result unknown",
        "Round 5, white against Cor, drawn 1-1",
    ],
    "Cor": [
        "Round 1, white against Dan, won 2-0",
        "Round 2, black against Ann, drawn 1-1 with disadvantage",
        "Round 3, zero-point bye",
        "Round 4, black against Bea, result unknown",
        "Round 5, black against Bea, drawn 1-1",
    ],
    "Dan": [
        "Round 1, black against Cor, lost 0-2",
        "Round 2, black against Bea, lost by forfeit on both sides",
        "Round 3, absent",
        "Round 4, white against Fay, lost 0-2",
        "Round 5, white against Eve, not yet played",
    ],
    "Eve": [
        "Round 1, white against Fay, drawn 1-1",
        "Round 2, black against Fay, won 2-0",
        "Round 3, absent",
        "Round 4, black against Ann, lost by forfeit",
        "Round 5, black against Dan, not yet played",
    ],
}
"""Computed by hand from the pairings below."""


def create_every_kind() -> Event:
    """Create a live Swiss in draughts with every kind of pairing."""
    event = create_players("every-kind", NAMES, 5, state=Event.State.LIVE, **DRAUGHTS)
    pair(event, 1, "Ann", "Bea", scores=(4, 0))
    pair(event, 1, "Cor", "Dan", scores=(4, 0))
    pair(event, 1, "Eve", "Fay", scores=(2, 2))
    pair(event, 2, "Ann", "Cor", scores=(2, 2), advantage="first")
    pair(event, 2, "Bea", "Dan", Kind.FORFEIT, scores=(0, 0))
    pair(event, 2, "Fay", "Eve", scores=(0, 4), games_played=3)
    pair(event, 3, "Ann", None, Kind.BYE, scores=(4, None))
    pair(event, 3, "Bea", None, Kind.HALF_BYE, scores=(2, None))
    pair(event, 3, "Cor", None, Kind.ZERO_BYE, scores=(0, None))
    pair(event, 3, "Dan", None, Kind.ABSENT, scores=(0, None))
    pair(event, 4, "Ann", "Eve", Kind.FORFEIT, scores=(4, 0))
    pair(event, 4, "Bea", "Cor", Kind.UNKNOWN)
    pair(event, 4, "Dan", "Fay", scores=(0, 4))
    pair(event, 5, "Ann", "Fay", scores=(4, 0))
    pair(event, 5, "Bea", "Cor", scores=(2, 2))
    pair(event, 5, "Dan", "Eve", Kind.PENDING)
    Override.objects.create(
        event=event, number=1, kind="pairing", round=5, table=1, reason="Colours were wrong.", by="A"
    )
    return event


def pair(
    event: Event,
    number: int,
    first: str,
    second: str | None,
    kind: str = Kind.PLAYED,
    scores: tuple[int | None, int | None] = (None, None),
    **about: Any,
) -> None:
    """Record a pairing at the next table of the round; scores in half-points."""
    found = Round.objects.get(event=event, number=number)
    players = {player.name: player for player in Competitor.objects.filter(event=event)}
    Pairing.objects.create(
        round=found,
        table=found.pairings.count() + 1,
        first=players[first],
        second=players[second] if second else None,
        kind=kind,
        first_score=scores[0],
        second_score=scores[1],
        **about,
    )


Node = dict[str, Any]


def tree(page: Page) -> dict[str, Node]:
    """Return the nodes of Chromium's accessibility tree by id."""
    session = page.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    return {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}


def below(nodes: dict[str, Node], top: Node) -> list[Node]:
    """Yield the nodes below a node in reading order."""
    found = []
    for child in (nodes[name] for name in top.get("childIds", []) if name in nodes):
        found += [child, *below(nodes, child)]
    return found


def role(node: Node) -> str:
    return str(node.get("role", {}).get("value", ""))


def name(node: Node) -> str:
    return " ".join(str(node.get("name", {}).get("value", "")).split())


def rows(page: Page, *roles: str) -> dict[str, list[str]]:
    """Return for each row of the standings, by its heading, the names of its nodes with these roles."""
    nodes = tree(page)
    read = [below(nodes, node) for node in nodes.values() if role(node) == "row"]
    return {
        name(next(node for node in row if role(node) == "rowheader")): [
            name(node) for node in row if role(node) in roles
        ]
        for row in read
        if any(role(node) == "rowheader" for node in row)
    }


def test_every_round_is_read_as_a_sentence(page: Page) -> None:
    create_every_kind()
    page.goto("/events/every-kind/standings/")
    lines = rows(page, "link", "image")
    for player, sentences in TOLD.items():
        assert [said for said in lines[player] if said.startswith("Round")] == sentences


@pytest.mark.exhaustive
def test_shared_place_is_read_on_every_row(page: Page) -> None:
    for places, said in (("blank", "1 shared"), ("range", "1-2"), ("equals", "1=")):
        event = create_players(places, NAMES[:4], 1, places=places)
        play(event, [(1, 1, 1, 2, 2), (1, 2, 3, 4, 2)])
        page.goto(f"/events/{places}/standings/")
        lines = rows(page, "cell", "gridcell")
        assert [lines[player][0] for player in ("Ann", "Cor")] == [said, said]


@pytest.mark.exhaustive
def test_place_changes_and_manual_changes_are_read(page: Page) -> None:
    event = create_players("moved", NAMES[:4], 2, state=Event.State.LIVE)
    play(event, [(1, 1, 1, 2, 2), (1, 2, 3, 4, 1), (2, 1, 4, 1, 2), (2, 2, 2, 3, 0)])
    dan = Competitor.objects.get(event=event, name="Dan")
    Override.objects.create(
        event=event, number=1, kind="place", competitor=dan, place=1, after=2, reason="Ruled.", by="A"
    )
    page.goto("/events/moved/standings/")
    lines = rows(page, "image")
    assert lines["Dan"][0] == "up 1 place"
    assert rows(page, "cell", "gridcell")["Dan"][0] == "1*"


@pytest.mark.exhaustive
def test_annulled_results_are_read(page: Page) -> None:
    event = create_players(
        "annulled",
        NAMES[:4],
        3,
        schedule="round-robin",
        system="manual-round-robin",
        withdrawal_at_half="annul",
    )
    play(event, [(1, 1, 1, 4, 0), (1, 2, 2, 3, 2), (2, 1, 4, 3, 1), (2, 2, 1, 2, 0)])
    Competitor.objects.filter(event=event, name="Ann").update(withdrawn_after=1)
    page.goto("/events/annulled/standings/")
    lines = rows(page, "link", "image")
    assert "Round 1, black against Ann, 1-0, annulled" in lines["Dan"]


@pytest.mark.exhaustive
def test_struck_value_is_read_with_its_reason(page: Page) -> None:
    event = create_players(
        "struck", NAMES[:4], 3, system="manual-swiss", criteria=["total-score", "solkoff-truncated-short"]
    )
    games = [
        (1, 1, 1, 2, 2),
        (1, 2, 3, 4, 2),
        (2, 1, 1, 3, 2),
        (2, 2, 2, 4, 2),
        (3, 1, 4, 1, 0),
        (3, 2, 2, 3, 1),
    ]
    play(event, games)
    page.goto("/events/struck/competitors/1/solkoff-truncated-short/")
    struck = page.locator("tbody tr", has=page.locator("s"))
    assert struck.count() == 1
    nodes = tree(page)
    rows_read = [below(nodes, node) for node in nodes.values() if role(node) == "row"]
    cut = [row for row in rows_read if any(role(node) == "deletion" for node in row)]
    assert len(cut) == 1
    assert any("lowest" in name(node) for node in cut[0])
