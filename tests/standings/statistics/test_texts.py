"""Texts about who can still win, on drawn events and on the pages of a live event."""

from typing import Any

import pytest
from django.test import Client

from standings.engine import CHESS, Scale, Scoring, contenders_of, read_crosstable
from standings.statistics.texts import ContendersTable
from tests.cast import create_event
from tests.standings.drawn import sheet
from tournaments.models import Competitor, Event, Pairing, Round

WON_DRAWN_LOST = [(2, 0), (1, 1), (0, 2)]

LAST_ROUND = """
    1 Ann  2:1-0  3:1-0  4:
    2 Bea  1:0-1  4:1-0  3:
    3 Cor  4:1-0  1:0-1  2:
    4 Dia  3:0-1  2:0-1  1:
"""


def told(text: str, *criteria: str, scoring: Scoring = CHESS, **about: Any) -> ContendersTable:
    table = read_crosstable(text, scoring=scoring, **about)
    drawn = sheet(table, *criteria, entrants="teams" if scoring.boards > 1 else "players")
    found = contenders_of(drawn.standings, WON_DRAWN_LOST)
    assert found is not None
    return ContendersTable(drawn, found)


def results(table: ContendersTable) -> dict[str, list[str]]:
    return {
        line.entry.name: [f"{result.result}: {result.text}" for result in line.results]
        for line in table.lines
    }


class TestWords:
    def test_contender_lists_results_with_their_demands(self) -> None:
        table = told(LAST_ROUND)
        assert table.sentence == "3 of 4 can still be first."
        assert table.proof == (
            "All possible results of the 2 open games were tried, with all tie-breaks. It is assumed that "
            "all games are played."
        )
        assert results(table) == {
            "Ann": [
                "Win: first, regardless of other results",
                "Draw: first, regardless of other results",
                "Loss: first, at worst shared, regardless of other results",
            ],
            "Bea": ["Win: first, shared, if Dia beats Ann"],
            "Cor": ["Win: first, shared, if Dia beats Ann"],
        }

    def test_proof_by_points_mentions_ties(self) -> None:
        table = told(LAST_ROUND, "total-score", "plus-draws")
        assert "Tie-breaks between competitors level on points are not included." in table.proof
        assert results(table)["Ann"][2] == (
            "Loss: first, possibly level on points, regardless of other results"
        )
        assert results(table)["Bea"] == ["Win: level on points with the first, if Dia beats Ann"]

    def test_game_points_of_teams_are_bounds(self) -> None:
        text = """
            1 Ann  2:3-1  3:
            2 Bea  1:1-3  4:
            3 Cor  4:2-2  1:
            4 Dia  3:2-2  2:
        """
        table = told(text, "game-points", scoring=Scoring(boards=4), primary=Scale.GAME)
        best = results(table)["Bea"][0]
        assert best == (
            "4-0: first, possibly level on points, if Ann scores at most 2 and Cor scores at most 3"
        )

    def test_certain_winner_has_only_a_sentence(self) -> None:
        text = "1 Ann 2:1-0 3:1-0 4:1-0 –\n2 Bea 1:0-1 4:½-½ 3:½-½ 3:\n"
        text += "3 Cor 4:½-½ 1:0-1 2:½-½ 2:\n4 Dia 3:½-½ 2:½-½ 1:0-1 –"
        assert told(text).sentence == "Ann is certain to be first."

    def test_proof_by_reach_is_stated(self) -> None:
        table = told("1 Ann 2:1-0\n2 Bea 1:0-1\n3 Cor bye\n4 Dia ½bye", planned_rounds=2)
        assert table.sentence == "4 of 4 are within reach of the first place."
        assert {line.summary for line in table.lines} == {"can reach 2", "can reach 1½", "can reach 1"}


@pytest.mark.django_db
class TestPages:
    def test_contenders_are_shown_only_for_live_events(self, client: Client) -> None:
        event = create_event("cup", planned_rounds=2, system="fide-swiss")
        players = [
            Competitor.objects.create(event=event, number=number, name=name)
            for number, name in enumerate(("Ann", "Bea", "Cor", "Dia"), start=1)
        ]
        for number, pairs, scores in ((1, ((0, 1), (2, 3)), (2, 0)), (2, ((0, 2), (1, 3)), None)):
            state = Round.State.CLOSED if scores else Round.State.PUBLISHED
            opened = Round.objects.create(event=event, number=number, state=state)
            for table, (first, second) in enumerate(pairs, start=1):
                given = (
                    {"kind": "played", "first_score": scores[0], "second_score": scores[1]} if scores else {}
                )
                Pairing.objects.create(
                    round=opened, table=table, first=players[first], second=players[second], **given
                )
        for page in ("", "standings/", "live/"):
            text = client.get(f"/events/cup/{page}").content.decode()
            assert "Who can still win" in text
            assert "2 of 4 can still be first." in text
        assert "Who can still win" not in client.get("/events/cup/standings/after/1/").content.decode()
        Event.objects.update(state=Event.State.FINAL)
        assert "Who can still win" not in client.get("/events/cup/").content.decode()
