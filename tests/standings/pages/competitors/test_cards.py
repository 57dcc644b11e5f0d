"""Match card and competitor card, for complete and incomplete boards."""

import pytest

from standings.pages.competitors.competitor import Cards
from standings.pages.events.match import match_card
from tests.cast import create_player_event, create_team_event
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Game, Pairing, Player, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return create_team_event()


class TestMatch:
    def test_boards_add_up_to_the_score_of_the_match(self, event: Event) -> None:
        card = match_card(event, 1, 1)
        assert card is not None
        assert card.second is not None
        assert (card.first.name, card.score, card.second.name, card.total) == (
            "Reds",
            "1½ : ½",
            "Blues",
            "1½-½",
        )
        boards = [
            (b.first.name, b.first.colour, b.result, b.second.name, b.second.colour) for b in card.boards
        ]
        assert boards == [
            ("Reds 1", "○", "1-0", "Blues 1", "●"),
            ("Reds 2", "●", "½-½", "Blues 2", "○"),
        ]

    def test_bye(self, event: Event) -> None:
        card = match_card(event, 1, 2)
        assert card is not None
        assert (card.first.name, card.score, card.second, card.words) == ("Greens", "BYE", None, "Bye.")
        assert card.defaulted

    def test_unknown_number_has_no_card(self, event: Event) -> None:
        assert match_card(event, 1, 3) is None
        assert match_card(event, 2, 1) is None

    def test_board_without_players_and_board_by_forfeit(self, event: Event) -> None:
        Game.objects.filter(board=1).update(
            first_player=None, kind=Kind.FORFEIT, first_score=0, second_score=2
        )
        Game.objects.filter(board=2).update(kind=Kind.UNKNOWN, first_score=None, second_score=None, white="")
        card = match_card(event, 1, 1)
        assert card is not None
        first, second = card.boards
        assert (first.first.name, first.result, first.defaulted) == ("no player", "- +", True)
        assert (second.result, second.unplayed, second.first.colour) == ("?", "result unknown", "")

    @pytest.mark.parametrize(
        ("scores", "score", "words"),
        [
            ((4, 0), "+ : -", "Decided by forfeit."),
            ((0, 0), "- : -", "Lost by forfeit on both sides."),
            ((2, 2), "= : =", "Drawn by forfeit."),
        ],
    )
    def test_forfeit(self, event: Event, scores: tuple[int, int], score: str, words: str) -> None:
        Pairing.objects.filter(table=1).update(
            kind=Kind.FORFEIT, first_score=scores[0], second_score=scores[1]
        )
        card = match_card(event, 1, 1)
        assert card is not None
        assert (card.score, card.words) == (score, words)

    def test_match_points_are_shown_if_they_do_not_follow_from_the_score(self, event: Event) -> None:
        Pairing.objects.filter(table=1).update(first_match_points=0, second_match_points=0)
        card = match_card(event, 1, 1)
        assert card is not None
        assert card.match_points == "0-0"

    def test_game_of_two_players(self) -> None:
        event = create_player_event()
        Pairing.objects.update(games_played=3, note="Decided in the third game.")
        card = match_card(event, 1, 1)
        assert card is not None
        assert card.second is not None
        assert (card.first.colour_word, card.score, card.second.colour_word) == ("White", "2 : 0", "Black")
        assert (card.words, card.note) == (
            "A micro-match: 3 games that count as one.",
            "Decided in the third game.",
        )
        assert card.boards == []
        assert not card.has_moves

    def test_moves_belong_to_their_game_or_board(self, event: Event) -> None:
        Game.objects.filter(board=2).update(moves="1. e4 e5 1/2-1/2")
        card = match_card(event, 1, 1)
        assert card is not None
        assert ([b.moves for b in card.boards], card.has_moves) == (["", "1. e4 e5 1/2-1/2"], True)


class TestCompetitor:
    def test_rounds_and_players_of_a_team(self, event: Event) -> None:
        card = Cards(event, 2).of(2)
        assert card is not None
        assert (card.entry.name, card.place, card.total_name) == ("Blues", "3", "Match points")
        assert ("game-points", "½") in [(criterion.code, value) for criterion, value in card.values]
        [line] = card.rounds
        assert line.opponent is not None
        assert (line.opponent.name, line.result, line.total, line.place, line.css) == (
            "Reds",
            "½-1½",
            "0",
            "3",
            "l",
        )
        assert [(p.name, [c.result for c in p.cells], p.total, p.games) for p in card.players] == [
            ("Blues 1", ["0"], "0", 1),
            ("Blues 2", ["½"], "½", 1),
        ]
        assert card.players[1].cells[0].words == "round 1, board 2, against Reds 2"

    def test_team_with_a_bye(self, event: Event) -> None:
        card = Cards(event, 3).of(3)
        assert card is not None
        [line] = card.rounds
        assert (line.opponent, line.result, line.words, line.total) == (None, "BYE", "bye", "2")

    def test_reserve_who_did_not_play_is_listed(self, event: Event) -> None:
        Player.objects.create(competitor=Competitor.objects.get(event=event, number=1), name="Reserve")
        card = Cards(event, 1).of(1)
        assert card is not None
        assert [(player.name, player.games) for player in card.players][-1] == ("Reserve", 0)

    def test_player_in_draughts(self) -> None:
        event = create_player_event()
        card = Cards(event, 2).of(2)
        assert card is not None
        assert [(line.colour, line.result, line.total) for line in card.rounds] == [("●", "0-2", "0")]
        assert card.players == []
        assert "manual" not in [criterion.address for criterion, _value in card.values]

    def test_competitor_without_a_pairing_is_absent(self, event: Event) -> None:
        second = Round.objects.get(event=event, number=2)
        teams = list(Competitor.objects.filter(event=event))
        Pairing.objects.create(round=second, table=1, first=teams[0], second=teams[2], kind=Kind.PENDING)
        card = Cards(event, 2).of(2)
        assert card is not None
        assert (card.rounds[1].result, card.rounds[1].words, card.rounds[1].table) == ("–", "absent", 0)

    def test_unknown_number_has_no_card(self, event: Event) -> None:
        assert Cards(event, 9).of(9) is None
