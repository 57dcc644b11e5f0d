"""Typed line-ups: by number, by name, and compared with the roster."""

import pytest

from tournaments.models import Event, Player
from tournaments.recording.teams.board_orders import TeamRoster, last_orders

NAMES = ("Ann", "Bea", "Cas", "Dov", "Eef")


def roster(*boards: int | None, names: tuple[str, ...] = NAMES) -> TeamRoster:
    """Return a team whose players have these places in the board order, with keys 101, 102 …"""
    places = boards or tuple(range(1, len(names) + 1))
    return TeamRoster(
        [
            Player(pk=101 + at, name=name, board=board)
            for at, (name, board) in enumerate(zip(names, places, strict=True))
        ]
    )


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("1245", (101, 102, 104, 105)),
        ("1 2 4 5", (101, 102, 104, 105)),
        ("1-35", (101, None, 103, 105)),
        ("12", (101, 102, None, None)),
        ("ann, 2, dov", (101, 102, 104, None)),
        ("eef;–;2", (105, None, 102, None)),
        ("", (None, None, None, None)),
    ],
)
def test_typed_line_ups_are_parsed(text: str, order: tuple[int | None, ...]) -> None:
    assert roster().read(text, 4).order == order
    assert roster().read(text, 4).fault == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 9", "“9” is not a player of this team"),
        ("12345", "5 players for 4"),
        ("11", "Ann sits at two"),
        ("e", "Bea or Eef"),
        ("²", "not a player"),
    ],
)
def test_invalid_line_ups_have_a_fault(text: str, says: str) -> None:
    assert says in roster().read(text, 4).fault


def test_from_ten_players_on_numbers_are_parted() -> None:
    many = roster(names=tuple(f"Player {number:02}" for number in range(1, 13)))

    assert many.read("12 1", 2).order == (112, 101)
    assert many.read("12", 2).order == (112, None)
    assert many.text((112, 101)) == "12 1"


def test_without_places_players_go_by_the_list() -> None:
    assert roster(1, 2, None, None, None).read("3", 1).order == (103,)
    assert roster(10, 20, 30, 40, 50).read("30 10", 2).order == (103, 101)


def test_a_text_is_read_as_it_is_printed() -> None:
    for text in ("1245", "5-21", "1---"):
        assert roster().text(roster().read(text, 4).order) == text


@pytest.mark.parametrize(
    ("order", "changed"),
    [
        ((101, 102, 103), (101, 103, 104)),
        ((103, 102, 101), (103, 101, 104)),
        ((None, 102, 104), (None, 104, 105)),
        ((101, 102, None), (101, 103, None)),
        ((101, 102, 105), (101, 105, 103)),
        ((101, 104, 103), (101, 104, 103)),
        ((None, None, None), (101, 103, 104)),
    ],
)
def test_next_players_of_the_roster_replace_absent_players(
    order: tuple[int | None, ...], changed: tuple[int | None, ...]
) -> None:
    assert roster().without(order, {102}) == changed


@pytest.mark.parametrize(
    ("order", "is_wrong"), [((101, 103), False), ((103, 101), True), ((103, None, 104), False)]
)
def test_players_must_follow_the_board_order(order: tuple[int | None, ...], is_wrong: bool) -> None:
    assert bool(roster().out_of_order(Event(board_order="fixed"), order)) is is_wrong
    assert roster().out_of_order(Event(board_order="free"), order) == ""


def test_players_of_no_place_sit_anywhere() -> None:
    loose = roster(None, 1, 2, None, 3)

    assert loose.out_of_order(Event(board_order="fixed"), (102, 101, 103)) == ""
    assert loose.out_of_order(Event(board_order="fixed"), (103, 101, 102)) != ""


@pytest.mark.django_db
def test_the_last_match_is_the_last_before_the_round(match: Event) -> None:
    first, second = match.competitors.order_by("number")
    reds = [Player.objects.create(competitor=first, board=board, name=f"Red {board}") for board in (1, 2, 3)]
    for number, seated in ((1, reds[:2]), (2, reds[1:])):
        round_, _ = match.rounds.get_or_create(number=number, defaults={"state": "published"})
        pairing, _ = round_.pairings.get_or_create(table=1, defaults={"first": second, "second": first})
        side = "first_player" if pairing.first_id == first.pk else "second_player"
        for board, player in enumerate(seated, 1):
            pairing.games.create(board=board, kind="pending", **{side: player})
    third = match.rounds.create(number=3)

    assert last_orders(third, 3) == {first.pk: (reds[1].pk, reds[2].pk, None)}
    assert last_orders(match.rounds.get(number=2), 3) == {first.pk: (reds[0].pk, reds[1].pk, None)}
    assert last_orders(match.rounds.get(number=1), 3) == {}
