"""The trust line of standings: agreement with published places, and the number of manual changes."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.checking.comparing import ORDER, Figures, agreements_with_published
from standings.checking.reports import AGREES, DIFFERS, PARTIAL, UNCHECKED
from standings.engine import RankingOverride
from standings.services import cached_at_revision, standings_of
from standings.tables.sheet import StandingsSheet
from standings.texts import day_text
from tournaments.models import Change, Event, Published

SIGNS = {AGREES: "✓", PARTIAL: "≈", DIFFERS: "≠", UNCHECKED: "–"}


class PublishedCheck(NamedTuple):
    """The comparison with the standings published after a round, independent of language.

    `places`: published places by competitor number. `values`: the number of published values by competitor
    number. `unnamed`: competitors with a place here but not in the source. `differences`: the places and
    values that differ from the computed or the ruled ones, with labels. `corrections`: the rounds of
    corrected results. `is_readable`: at least one published column is known.
    """

    is_published: bool
    is_readable: bool
    publisher: str
    taken: str
    places: Mapping[int, int]
    values: Mapping[int, int]
    unnamed: frozenset[int]
    differences: tuple[Figures, ...]
    corrections: tuple[int, ...]


@dataclass(frozen=True)
class TrustStatement:
    """The agreement with published standings and the manual changes, as state and text.

    `state`: of `standings.checking.reports`. `places`: the number of published places, of which `agreeing`
    agree. `publisher` and `taken`: as recorded, blank if unknown.
    """

    state: str
    text: str
    changes: int
    changes_text: str
    places: int
    agreeing: int
    publisher: str
    taken: str

    @property
    def sign(self) -> str:
        """Return a symbol of the state, so that it is not conveyed only by colour."""
        return SIGNS[self.state]

    @property
    def sentence(self) -> str:
        return " · ".join(filter(None, (self.text, self.changes_text)))


def published_check(event: Event, after: int | None = None) -> PublishedCheck:
    """Return the comparison after a round, or of the latest standings.

    Two queries in addition to those of the standings, none if cached under the event's revision.
    """
    return cached_at_revision(f"published-{after}", event, partial(_published_check, after=after))


def trust_statement(sheet: StandingsSheet, *, is_final: bool = True) -> TrustStatement | None:
    """Return the trust line of a sheet, ruled or computed. None if no competitor has a place.

    `is_final`: whether the sheet has the latest standings.
    """
    rounds = sheet.standings.table.rounds
    members = None if sheet.among is None else frozenset(sheet.among)
    if not rounds or not (members is None or members):
        return None
    comparison = published_check(sheet.event, None if is_final else rounds)
    if members is not None:
        comparison = comparison._replace(
            places={number: place for number, place in comparison.places.items() if number in members},
            values={number: count for number, count in comparison.values.items() if number in members},
            unnamed=comparison.unnamed & members,
            differences=tuple(each for each in comparison.differences if each.number in members),
        )
    differing = [
        each
        for each in comparison.differences
        if not (each.is_same if sheet.as_computed else each.is_same_ruled)
    ]
    changes = _count_decisions(sheet, members) + sum(round_ <= rounds for round_ in comparison.corrections)
    if comparison.is_published:
        state, text = _state_and_text(comparison, differing)
    else:
        state, text = UNCHECKED, _nothing_published(sheet, is_final=is_final)
    if members is not None and state != UNCHECKED:
        # Places in a category are derived from the published places in the whole.
        text = _("%(verdict)s (overall places)") % {"verdict": text}
    return TrustStatement(
        state=state,
        text=text,
        changes=changes,
        changes_text=_changes_text(sheet, changes),
        places=len(comparison.places),
        agreeing=len(comparison.places) - sum(each.label == ORDER for each in differing),
        publisher=comparison.publisher,
        taken=comparison.taken,
    )


def _published_check(event: Event, after: int | None) -> PublishedCheck:
    corrections = tuple(Change.objects.filter(event=event).values_list("round", flat=True))
    published = Published.objects.filter(event=event).first() if event.knows_results else None
    nothing = PublishedCheck(False, False, "", "", {}, {}, frozenset(), (), corrections)
    if published is None:
        return nothing
    standings = standings_of(event, after)
    agreements = agreements_with_published(standings, published, is_final=after is None)
    if not agreements:
        return nothing
    figures = [(each.label, figure) for each in agreements for figure in each.figures]
    places = {figure.number: int(figure.published) for label, figure in figures if label == ORDER}
    differing = ((label, each) for label, each in figures if not (each.is_same and each.is_same_ruled))
    computed = standings.as_computed
    numbers_with_place = computed.table.numbers[computed.place > 0].tolist()
    return PublishedCheck(
        is_published=True,
        is_readable=any(each.checked for each in agreements),
        publisher=published.publisher,
        taken=published.taken,
        places=places,
        values=Counter(figure.number for label, figure in figures if label != ORDER),
        unnamed=frozenset(numbers_with_place) - places.keys(),
        differences=tuple(each._replace(label=label) for label, each in differing),
        corrections=corrections,
    )


# --- texts ------------------------------------------------------------------------------------------------


def _state_and_text(comparison: PublishedCheck, differing: list[Figures]) -> tuple[str, str]:
    if not comparison.is_readable:
        return UNCHECKED, _("Not checked: this site does not know the published columns")
    if not (comparison.places or comparison.values):
        return UNCHECKED, _("Not checked: no published values of these competitors")
    if differing:
        return DIFFERS, _difference_text(comparison, differing)
    source = _source_text(comparison)
    figures = {"count": len(comparison.places), "rows": len(comparison.places), "source": source}
    # AGREES requires a published place for all, not only for the first ten.
    if comparison.places and not comparison.unnamed:
        return AGREES, _("%(count)s of %(rows)s places agree with %(source)s") % figures
    if comparison.places:
        figures["all"] = len(comparison.places) + len(comparison.unnamed)
        return PARTIAL, _("published: %(count)s of %(all)s places, all agree with %(source)s") % figures
    values = sum(comparison.values.values())
    return PARTIAL, ngettext(
        "published: no places, %(count)s value, which agrees with %(source)s",
        "published: no places, %(count)s values, which agree with %(source)s",
        values,
    ) % {"count": values, "source": source}


def _nothing_published(sheet: StandingsSheet, *, is_final: bool) -> str:
    if sheet.event.state == Event.State.LIVE:
        return ""
    if not is_final:
        number = sheet.standings.table.rounds
        return _("No published table after round %(number)s to compare with") % {"number": number}
    return _("No published table to compare with")


def _difference_text(comparison: PublishedCheck, differing: list[Figures]) -> str:
    places = sum(each.label == ORDER for each in differing)
    figures = {
        "source": _source_text(comparison),
        "places": places,
        "all_places": len(comparison.places),
        "values": len(differing) - places,
        "all_values": sum(comparison.values.values()),
    }
    if not places and comparison.places:
        text = _(
            "%(all_places)s of %(all_places)s places agree with %(source)s,"
            " %(values)s of %(all_values)s published values differ"
        )
    elif not places:
        text = _("differs from %(source)s in %(values)s of %(all_values)s published values")
    elif places < len(differing):
        text = _(
            "differs from %(source)s in %(places)s of %(all_places)s published places"
            " and %(values)s of %(all_values)s published values"
        )
    else:
        text = _("differs from %(source)s in %(places)s of %(all_places)s published places")
    text %= figures
    if all(each.is_same for each in differing):
        return _("%(difference)s, because of manual changes") % {"difference": text}
    if all(each.why or each.is_same for each in differing):
        return _("%(difference)s, each for a known reason") % {"difference": text}
    return text


def _source_text(comparison: PublishedCheck) -> str:
    name = comparison.publisher or _("the published standings")
    if not comparison.taken:
        return name
    return _("%(publisher)s, taken %(date)s") % {"publisher": name, "date": day_text(comparison.taken)}


def _count_decisions(sheet: StandingsSheet, members: Collection[int] | None) -> int:
    standings = sheet.ruled or sheet.standings
    numbers = standings.table.numbers.tolist()

    def concerns(ruling: RankingOverride) -> bool:
        return members is None or ruling.competitor < 0 or numbers[ruling.competitor] in members

    return sum(ruling.is_starred and concerns(ruling) for ruling in standings.overrides)


def _changes_text(sheet: StandingsSheet, changes: int) -> str:
    if not changes:
        return _("no manual changes")
    figures = {"count": changes}
    if sheet.as_computed:
        return (
            ngettext("without %(count)s manual change", "without %(count)s manual changes", changes) % figures
        )
    return ngettext("%(count)s manual change", "%(count)s manual changes", changes) % figures
