"""The settings on which a ranking depends, and their manual changes.

The settings of an event are the rules in force. A change after the first result is an override of kind
`rules`, which has the old and the new settings (ADR 0019). So the rules before the first change, and after
each change, follow from the settings and the overrides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeVar

from standings.engine import SYSTEMS, RankingSystem
from tournaments.event.choices import RULING_NOTHING, OverrideKind
from tournaments.event.schema import field_names

SETTLED = ("played", "forfeit", "unknown")
"""The kinds of settled pairings except byes: from the first such pairing on the rules are frozen."""

TOGETHER = (
    ("entrants", "boards"),
    ("game_win", "game_draw", "game_loss", "game_results"),
    ("match_win", "match_draw", "match_loss"),
    ("bye_game", "bye_match"),
)
"""Settings that belong together: if one changes, all of them are recorded."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of an event on which a ranking depends, named as in the models. Points are half-points."""

    entrants: str
    schedule: str
    boards: int | None
    game_win: int
    game_draw: int
    game_loss: int
    game_results: str
    match_win: int
    match_draw: int
    match_loss: int
    system: str
    criteria: tuple[str, ...]
    primary: str
    bye_game: int | None
    bye_match: int | None
    wins_count_byes: bool
    withdrawal_at_half: str
    unplayed: str
    unrated: str

    @classmethod
    def of(cls, event: Any) -> Self:
        values = {name: getattr(event, name) for name in field_names(cls)}
        return cls(**values | {"criteria": tuple(event.criteria)})

    @property
    def is_team(self) -> bool:
        return self.entrants == "teams"

    @property
    def is_round_robin(self) -> bool:
        return self.schedule != "swiss"

    @property
    def ranking_system(self) -> RankingSystem:
        system = SYSTEMS[self.system]
        return system.ordered_by(self.criteria) if self.criteria else system

    def with_settings(self, settings: Mapping[str, Any]) -> Self:
        given = dict(settings)
        # An override's JSON has a list, the rules have a tuple.
        if "criteria" in given:
            given["criteria"] = tuple(given["criteria"])
        return replace(self, **given)

    def differing(self, other: Self) -> dict[str, Any]:
        """Return the settings that differ in `other`, with their values here, as an override stores them."""
        names = {name for name in field_names(Rules) if getattr(self, name) != getattr(other, name)}
        # 2-1-0 and 3-1-0 differ in one figure, but are a single setting.
        for together in TOGETHER:
            if names & set(together):
                names |= set(together)
        values = {name: getattr(self, name) for name in field_names(Rules) if name in names}
        return values | ({"criteria": list(self.criteria)} if "criteria" in values else {})


RULE_FIELDS = field_names(Rules)
"""The fields of an event that are rules."""


class ChangeOfRules(Protocol):
    """An override as the rules need it. `undoes`: the number of the override that it undoes."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def undoes(self) -> int | None: ...
    @property
    def criteria(self) -> Sequence[str]: ...
    @property
    def rules_from(self) -> Mapping[str, Any]: ...
    @property
    def rules_to(self) -> Mapping[str, Any]: ...


Change = TypeVar("Change", bound=ChangeOfRules)


def first_rules(now: Rules, overrides: Sequence[ChangeOfRules]) -> Rules:
    """Return the rules before any manual change, by which the computed table is ranked."""
    # Backwards and with undone changes, because each has the settings that it replaced.
    for override in sorted(overrides, key=lambda each: each.number, reverse=True):
        if override.kind == OverrideKind.RULES:
            now = now.with_settings(override.rules_from)
    return now


def rules_after_each(first: Rules, standing: Sequence[Change]) -> Iterator[tuple[Change, Rules, Rules]]:
    """Yield each change of the rules among overrides in force, with the rules before and after.

    An override of kind `criteria` changes only the criteria.
    """
    rules = first
    for override in standing:
        before = rules
        if override.kind == OverrideKind.RULES:
            rules = rules.with_settings(override.rules_to)
        elif override.kind == OverrideKind.CRITERIA:
            rules = rules.with_settings({"criteria": override.criteria})
        else:
            continue
        yield override, before, rules


def in_force(overrides: Sequence[Change]) -> list[Change]:
    """Return the overrides that have an effect and are not undone, in order."""
    undone = {override.undoes for override in overrides}
    standing = (each for each in overrides if each.kind not in RULING_NOTHING and each.number not in undone)
    return sorted(standing, key=lambda each: each.number)


def rules_led_to(first: Rules, overrides: Sequence[ChangeOfRules]) -> Rules:
    changes = [each for each in in_force(overrides) if each.kind == OverrideKind.RULES]
    return next((after for _, _, after in reversed([*rules_after_each(first, changes)])), first)


def overrides_explain_rules(now: Rules, first: Rules, overrides: Sequence[ChangeOfRules]) -> bool:
    return first_rules(now, overrides) == first and rules_led_to(first, overrides) == now


def is_starred(before: Rules) -> bool:
    # An open system has no published rule set from which a change could depart.
    return SYSTEMS[before.system].frozen


def has_starred(now: Rules, overrides: Sequence[ChangeOfRules]) -> bool:
    changes = rules_after_each(first_rules(now, overrides), in_force(overrides))
    return any(each.kind == OverrideKind.CRITERIA or is_starred(before) for each, before, _ in changes)
