"""The event and its competitors, from their objects in the file."""

from collections.abc import Callable
from typing import Any

from tournaments.event.document import REQUESTED, SEXES, CompetitorEntry, EventEntry, PlayerEntry, own_flag
from tournaments.event.listedresults import fault_of_results, text_of_results, win_draw_loss
from tournaments.formats.json import keys
from tournaments.formats.node import Node, number_in_key

LONGEST_CATEGORY = 20
_MOST_ROUNDS = 1000
_MOST_BOARDS = 1000
_TEAMS_ARE = ("nations", "clubs", "cities")
_ENTRANTS = ("teams", "players")
_SCHEDULES = ("swiss", "round-robin", "double-round-robin")
_SCORES = ("match", "game")
_AT_HALF = ("forfeit", "annul")
_LARGEST_ID = 10**17
_LONGEST_LINE = 20_000
_SMALLEST_MANUAL = -(2**31)


def event(node: Node) -> EventEntry:
    """The event; defaults filled in as documented, blank where the default depends on the system."""
    scoring = node.child("scoring", keys.SCORING, required=True)
    rules = node.child("rules", keys.RULES)
    bye = rules.child("bye", keys.BYE)
    display = node.child("display", keys.DISPLAY)
    game_win, game_draw, game_loss, game_results = _of_games(scoring)
    match_win, match_draw, match_loss = _win_draw_loss(scoring, "match", (4, 2, 0))
    return EventEntry(
        slug=node.slug("slug"),
        former_slugs=_former_slugs(node),
        name=node.text("name", 200, required=True),
        series=node.text("series", 120),
        place=node.text("place", 120),
        country=node.text("country", 3),
        start=node.date("start"),
        end=node.date("end"),
        state=node.choice("state", ("draft", "live", "final", "archived", "removed"), "final"),
        discipline=node.text("discipline", 30, required=True),
        entrants=node.choice("entrants", _ENTRANTS),
        teams_are=node.choice("teams_are", _TEAMS_ARE, "nations"),
        schedule=node.choice("schedule", _SCHEDULES),
        planned_rounds=node.whole("rounds", most=_MOST_ROUNDS),
        boards=node.whole_or_none("boards", most=_MOST_BOARDS),
        game_win=game_win,
        game_draw=game_draw,
        game_loss=game_loss,
        game_results=game_results,
        match_win=match_win,
        match_draw=match_draw,
        match_loss=match_loss,
        system=node.text("system", 40, required=True),
        criteria=node.texts("criteria", 60),
        primary=rules.choice("primary", _SCORES, ""),
        bye_game=_points_or_none(bye, "game"),
        bye_match=_points_or_none(bye, "match"),
        wins_count_byes=rules.truth("wins_count_byes"),
        withdrawal_at_half=rules.choice("withdrawal_at_half", _AT_HALF, "forfeit"),
        unplayed=rules.text("unplayed", 20),
        places=display.choice("places", ("blank", "range", "equals"), "blank"),
        cell_number=display.choice("cell_number", ("place", "start"), "place"),
        columns=display.choice("columns", ("deciding", "olimpbase"), "deciding"),
        sources=node.texts("sources", 2000),
        licence=node.text("licence", 200),
        notes=node.text("notes", 100_000, prose=True),
        trf=node.texts("trf", _LONGEST_LINE),
    )


def changed_rules(node: Node) -> dict[str, Any]:
    """The settings that a change of the rules names, by the names of the models; blank: the system's own."""
    readers: dict[str, Callable[[], dict[str, Any]]] = {
        "entrants": lambda: {
            "entrants": node.choice("entrants", _ENTRANTS),
            "boards": node.whole_or_none("boards", most=_MOST_BOARDS),
        },
        "schedule": lambda: {"schedule": node.choice("schedule", _SCHEDULES)},
        "scoring": lambda: _changed_scoring(node.child("scoring", keys.SCORING)),
        "system": lambda: {"system": node.text("system", 40, required=True)},
        "criteria": lambda: {"criteria": list(node.texts("criteria", 60))},
        "primary": lambda: {"primary": node.choice("primary", ("", *_SCORES))},
        "bye": lambda: _changed_bye(node.child("bye", keys.BYE)),
        "wins_count_byes": lambda: {"wins_count_byes": node.truth("wins_count_byes")},
        "withdrawal_at_half": lambda: {"withdrawal_at_half": node.choice("withdrawal_at_half", _AT_HALF)},
        "unplayed": lambda: {"unplayed": node.text("unplayed", 20)},
    }
    if "boards" in node.value and "entrants" not in node.value:
        node.refuse("boards", "missing-key", "The key “entrants” is missing beside the boards. Add it.")
    named = (reader() for key, reader in readers.items() if key in node.value)
    return {name: value for settings in named for name, value in settings.items()}


def _changed_scoring(node: Node) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if {"game", "results"} & {*node.value}:
        names = ("game_win", "game_draw", "game_loss", "game_results")
        told |= dict(zip(names, _of_games(node), strict=True))
    if "match" in node.value:
        of_match = ("match_win", "match_draw", "match_loss")
        told |= dict(zip(of_match, _win_draw_loss(node, "match", None), strict=True))
    return told


def _changed_bye(node: Node) -> dict[str, Any]:
    return {"bye_game": _points_or_none(node, "game"), "bye_match": _points_or_none(node, "match")}


def competitor(node: Node, *, of_nation: bool = True) -> CompetitorEntry:
    """A competitor with the players the file lists; those who stand only in games come later.

    `of_nation`: whether its code is a country's, whose flag needs no saying.
    """
    code, flag = node.text("code", 8), node.text("flag", 3)
    return CompetitorEntry(
        number=node.whole("number"),
        name=node.text("name", 120, required=True),
        code=code,
        flag=own_flag(code, flag) if of_nation else flag,
        title=node.text("title", 8),
        rating=node.whole_or_none("rating", least=0),
        rating_class=node.text("rating_class", 1),
        **_particulars(node),
        outside=node.truth("outside"),
        withdrawn_after=node.whole_or_none("withdrawn_after", least=0),
        requested_byes=_requested_byes(node),
        manual=node.whole_or_none("manual", _SMALLEST_MANUAL, -_SMALLEST_MANUAL - 1),
        manual_after=node.whole_or_none("manual_after", least=0),
        players=tuple(player(each) for each in node.children("players", keys.PLAYER)),
    )


def player(node: Node) -> PlayerEntry:
    """A member of a team."""
    return PlayerEntry(
        board=node.whole_or_none("board"),
        name=node.text("name", 120, required=True),
        title=node.text("title", 8),
        rating=node.whole_or_none("rating", least=0),
        **_particulars(node),
    )


def _particulars(node: Node) -> dict[str, Any]:
    """What competitors and players alike may have told of them."""
    return {
        "club": node.text("club", 120),
        "city": node.text("city", 120),
        "sex": node.choice("sex", SEXES, ""),
        "born": node.date("born"),
        "categories": _categories(node),
        "fide_id": fide_id(node, "fide_id"),
        "fmjd_id": node.whole_or_none("fmjd_id", most=_LARGEST_ID),
    }


def _categories(node: Node) -> tuple[str, ...]:
    """The categories in their order, each once and none blank."""
    found: list[str] = []
    for value, place in node.items("categories"):
        category = node.checked_text(value, LONGEST_CATEGORY, place)
        if category in found:
            node.log.add("category-twice", place, f"“{category}” stands here twice. Keep one.")
        elif not category and isinstance(value, str):
            node.log.add("empty-text", place, "A category is empty. Fill it in, or take it out.")
        found.append(category)
    return tuple(found)


def _requested_byes(node: Node) -> dict[str, str]:
    """The kind of bye asked for, by the round's number as text."""
    return {
        number_in_key(node, key, place): node.checked_choice(value, REQUESTED, place)
        for key, value, place in node.named("requested_byes")
    }


def fide_id(node: Node, key: str) -> int | None:
    """A FIDE id."""
    return node.whole_or_none(key, most=_LARGEST_ID)


def _former_slugs(node: Node) -> tuple[str, ...]:
    found = [
        node.checked_slug(node.checked_text(value, 80, place), place)
        for value, place in node.items("former_slugs")
    ]
    return tuple(sorted(set(found)))


def _win_draw_loss(node: Node, key: str, default: tuple[int, int, int] | None) -> tuple[int, int, int]:
    """Half-points for a win, a draw and a loss; required where there is no default."""
    listed = node.fixed_list(key, 3, "[win, draw, loss]", required=default is None)
    if listed is None:
        return default or (2, 1, 0)
    before = len(node.log.findings)
    win, draw, loss = (node.checked_points(value, place) for value, place in listed)
    if not win > draw > loss and len(node.log.findings) == before:
        text = "A win must give more than a draw, a draw more than a loss. Write [win, draw, loss]."
        node.refuse(key, "scoring-order", text)
    return win, draw, loss


def _of_games(node: Node) -> tuple[int, int, int, str]:
    """Half-points for a game won, drawn and lost, and the results where they are listed instead."""
    if "results" not in node.value:
        return *_win_draw_loss(node, "game", None), ""
    if "game" in node.value:
        node.refuse(
            "results", "scoring-twice", "Beside “results” nothing of “game” counts. Keep one of them."
        )
    before = len(node.log.findings)
    results = []
    for value, place in node.items("results"):
        if not isinstance(value, list) or len(value) != 2:
            node.log.add("wrong-type", place, "A result is both scores, such as [1.5, 1]. Write it so.")
            continue
        first, second = (node.checked_points(each, place) for each in value)
        results.append((max(first, second), min(first, second)))
    listed = tuple(sorted(set(results), reverse=True))
    if len(node.log.findings) > before:
        return 2, 1, 0, ""
    if fault := fault_of_results(listed):
        node.refuse("results", "scoring-order", fault)
        return 2, 1, 0, ""
    return *win_draw_loss(listed), text_of_results(listed)


def _points_or_none(node: Node, key: str) -> int | None:
    value = node.get(key, required=False)
    return None if value is None else node.checked_points(value, node.place.key(key))
