"""Translated texts about criteria, systems, values and rulings; the engine itself is in English."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from standings.engine import SYSTEMS, Criterion, RankingSystem, Scale, get_criterion
from tournaments.event.numbers import points_text
from tournaments.event.values import DROPPED
from tournaments.models import Event, Override

IN_SCALE = {
    Scale.GAME: gettext_lazy("%(name)s (game points)"),
    Scale.MATCH: gettext_lazy("%(name)s (match points)"),
}
DISCIPLINES: dict[str, str | Promise] = {
    "chess": gettext_lazy("chess"),
    "draughts-100": gettext_lazy("international draughts"),
    "draughts-64": gettext_lazy("draughts-64"),
    "frisian": gettext_lazy("Frisian draughts"),
}
ENTRANTS = {Event.Entrants.PLAYERS: gettext_lazy("players"), Event.Entrants.TEAMS: gettext_lazy("teams")}
SCHEDULES = {
    Event.Schedule.SWISS: gettext_lazy("Swiss"),
    Event.Schedule.ROUND_ROBIN: gettext_lazy("round robin"),
    Event.Schedule.DOUBLE_ROUND_ROBIN: gettext_lazy("double round robin"),
}
REWOUND = re.compile(r"(?P<rounds>[\d-]+) (?P<corrections>\d+) (?P<rulings>\d+)")
"""The stored summary of a rewind: removed rounds, and the numbers of corrections and rulings."""

POINT = re.compile(r"(?<=\d)\.(?=\d)")


def criterion_name(criterion: Criterion) -> str:
    """Return the criterion's name with its modifiers: `Buchholz Cut 1 (match points)`."""
    name = ", ".join((_cut_name(criterion), *_asked_of(criterion)))
    # `buchholz@game` and `buchholz@match` are the same criterion with different scores.
    return IN_SCALE[criterion.scale] % {"name": name} if criterion.scale else name


def _cut_name(criterion: Criterion) -> str:
    """Return the plain criterion's name with the cuts of a C.07 code."""
    name, asked = gettext(get_criterion(criterion.plain_code).name), criterion.modifiers
    if asked is None or not asked.low:
        return name
    if asked.high:
        return gettext("%(name)s Median %(count)s") % {"name": name, "count": asked.high}
    return gettext("%(name)s Cut %(count)s") % {"name": name, "count": asked.low}


def _asked_of(criterion: Criterion) -> Iterator[str]:
    """Yield the texts of a C.07 code's modifiers except cuts."""
    asked = criterion.modifiers
    if asked is None:
        return
    if asked.steps:
        points = f"{'+' * (asked.steps > 0)}{points_text(asked.steps)}"
        yield gettext("limit 50 per cent of the maximum %(points)s") % {"points": points}
    elif "/L" in criterion.code:
        yield gettext("limit %(limit)s %%") % {"limit": asked.limit}
    if asked.divisor:
        yield gettext("divided by %(divisor)s") % {"divisor": asked.divisor}
    if asked.as_paired:
        yield gettext("forfeits as games")
    if asked.fore:
        yield gettext("with Fore Buchholz")
    if asked.reverse:
        yield gettext("reversed")


def criterion_names(codes: Iterable[str]) -> str:
    return ", ".join(criterion_name(get_criterion(code)) for code in codes)


def name_of_edition(policy: str) -> str:
    """Return the edition of FIDE's rules for the code of a policy for unplayed rounds: `fide-2024`."""
    return gettext("FIDE's rules of %(year)s") % {"year": policy.removeprefix("fide-")}


def name_of_system(system: RankingSystem) -> str:
    return gettext(system.name)


def localized(figures: str) -> str:
    """Return a number with the language's decimal separator: `2187,4` in Dutch."""
    sign = get_format("DECIMAL_SEPARATOR")
    return figures if sign == "." else POINT.sub(sign, figures)


def phrase_of(ruling: Override) -> str:
    """Return an override as a phrase. It reads its competitor, its event and the override that it undoes."""
    name = ruling.competitor.name if ruling.competitor else ""
    if ruling.kind == Override.Kind.PAIRING:
        parts = {"number": ruling.round, "table": ruling.table}
        return gettext("pairing of round %(number)s, table %(table)s") % parts
    if ruling.kind == Override.Kind.CRITERIA:
        return gettext("criteria: %(criteria)s") % {"criteria": criterion_names(ruling.criteria)}
    if ruling.kind == Override.Kind.RULES:
        changed = phrase_of_rules(ruling.rules_from, ruling.rules_to, ruling.event.system)
        return gettext("rules: %(changed)s") % {"changed": changed}
    if ruling.kind == Override.Kind.VALUE:
        # Each level is formatted separately.
        value = localized(" · ".join(ruling.levels))
        words = {"criterion": criterion_name(get_criterion(ruling.criterion)), "name": name, "value": value}
        return gettext("%(criterion)s of %(name)s: %(value)s") % words
    if ruling.kind == Override.Kind.PLACE:
        return gettext("place of %(name)s: %(place)s") % {"name": name, "place": ruling.place}
    if ruling.kind == Override.Kind.REWIND:
        return _phrase_of_rewind(ruling)
    return gettext("undoes %(number)s") % {"number": ruling.undoes.number if ruling.undoes else ""}


def _phrase_of_rewind(ruling: Override) -> str:
    phrase = gettext("back to before round %(number)s") % {"number": ruling.round}
    went = REWOUND.fullmatch(ruling.was)
    if went is None:
        return phrase
    corrections, rulings = int(went["corrections"]), int(went["rulings"])
    gone = [gettext("void: round %(rounds)s") % {"rounds": went["rounds"]}]
    if corrections:
        words = ngettext("%(count)s correction", "%(count)s corrections", corrections)
        gone.append(words % {"count": corrections})
    if rulings:
        gone.append(
            ngettext("%(count)s arbiter's decision", "%(count)s arbiter's decisions", rulings)
            % {"count": rulings}
        )
    return f"{phrase} ({', '.join(gone)})"


def phrase_of_rules(was: Mapping[str, Any], now: Mapping[str, Any], system: str) -> str:
    """Return a change of `Rules` as a phrase; `system`: the code of the event's system."""
    # The phrase for a system includes its criteria.
    parts = [name for name in SETTINGS if name in now and not (name == "criteria" and "system" in now)]
    changed = (
        gettext("%(setting)s: %(was)s → %(now)s")
        % {
            "setting": SETTINGS[name][0],
            "was": SETTINGS[name][1]({"system": system, **was}),
            "now": SETTINGS[name][1]({"system": system, **now}),
        }
        for name in parts
    )
    return "; ".join(changed)


def _entrants(settings: Mapping[str, Any]) -> str:
    if settings["boards"] is None:
        return gettext("players")
    boards = settings["boards"]
    return ngettext("teams on %(count)s board", "teams on %(count)s boards", boards) % {"count": boards}


def _points(settings: Mapping[str, Any], of: str) -> str:
    # If all game results are listed, win, draw and loss only apply to byes and forfeits.
    if of == "game" and settings.get("game_results"):
        return str(settings["game_results"]).replace(" ", ", ")
    return "-".join(points_text(settings[f"{of}_{result}"]) for result in ("win", "draw", "loss"))


def _system(settings: Mapping[str, Any]) -> str:
    name = name_of_system(SYSTEMS[settings["system"]])
    if not settings.get("criteria"):
        return name
    parts = {"system": name, "criteria": criterion_names(settings["criteria"])}
    return gettext("%(system)s with %(criteria)s") % parts


def _criteria(settings: Mapping[str, Any]) -> str:
    return criterion_names(settings["criteria"] or SYSTEMS[settings["system"]].criteria)


def _primary(settings: Mapping[str, Any]) -> str:
    scores = {"match": gettext("match points"), "game": gettext("game points")}
    return scores.get(settings["primary"]) or gettext("as in the ranking system")


def _bye(settings: Mapping[str, Any]) -> str:
    game, match = settings["bye_game"], settings["bye_match"]
    parts = []
    if game is not None:
        parts.append(gettext("%(points)s game points") % {"points": points_text(game)})
    if match is not None:
        parts.append(gettext("%(points)s match points") % {"points": points_text(match)})
    return ", ".join(parts) or gettext("default of the schedule")


def _at_half(settings: Mapping[str, Any]) -> str:
    if settings["withdrawal_at_half"] == Event.WithdrawalAtHalf.ANNUL:
        return gettext("all results are annulled")
    return gettext("the rest is lost by forfeit")


def _unplayed(settings: Mapping[str, Any]) -> str:
    policy = settings["unplayed"]
    if policy.startswith("fide-"):
        return name_of_edition(policy)
    return policy or gettext("as in the ranking system")


def _unrated(settings: Mapping[str, Any]) -> str:
    unrated = settings["unrated"]
    if unrated == DROPPED:
        return gettext("left out of criteria on ratings")
    return unrated or gettext("not stated")


SETTINGS: dict[str, tuple[Promise, Callable[[Mapping[str, Any]], str]]] = {
    "entrants": (gettext_lazy("competitors"), _entrants),
    "schedule": (
        gettext_lazy("schedule"),
        lambda settings: str(SCHEDULES[Event.Schedule(settings["schedule"])]),
    ),
    "game_win": (gettext_lazy("points of a game"), partial(_points, of="game")),
    "match_win": (gettext_lazy("points of a match"), partial(_points, of="match")),
    "system": (gettext_lazy("ranking system"), _system),
    "criteria": (gettext_lazy("criteria"), _criteria),
    "primary": (gettext_lazy("score that decides first"), _primary),
    "bye_game": (gettext_lazy("bye"), _bye),
    "wins_count_byes": (
        gettext_lazy("byes count as wins"),
        lambda settings: gettext("yes") if settings["wins_count_byes"] else gettext("no"),
    ),
    "withdrawal_at_half": (gettext_lazy("withdrawal exactly half-way"), _at_half),
    "unplayed": (gettext_lazy("unplayed rounds"), _unplayed),
    "unrated": (gettext_lazy("unrated competitors"), _unrated),
}
"""Label and formatter of each setting of `Rules`; settings that are printed together are listed under the
first.
"""


def was_of(ruling: Override) -> str:
    """Return the value computed by the system: names of criteria, or a localised number."""
    if ruling.kind == Override.Kind.REWIND:
        return ""
    # Codes are internal; readers get the names.
    if ruling.kind == Override.Kind.CRITERIA:
        return criterion_names(ruling.was.split())
    return localized(ruling.was)


def paired_text(rounds: Sequence[int]) -> str:
    """Return the sentence about rounds paired from a result before its correction; blank for no rounds."""
    if not rounds:
        return ""
    text = ngettext(
        "Round %(rounds)s was paired from the old result.",
        "Rounds %(rounds)s were paired from the old result.",
        len(rounds),
    )
    return text % {"rounds": ", ".join(map(str, rounds))}
