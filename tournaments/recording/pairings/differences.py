"""Differences between the data that a round is paired from and the data that is known.

`doubts` compares pairs with the rules. This module compares the data that the pairs follow from: the order of
the numbers, earlier results, and the data that the draft was made from. It also lists what readers will miss.
The desk lists all differences in its questions, and says that nothing is unusual only if there are none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.choices import PUBLIC, DelayedPoints, Kind, StartOrder
from tournaments.event.document import Document, PairingEntry
from tournaments.event.pairingsettings import delayed_games
from tournaments.event.resultcodes import recorded_text
from tournaments.interchange.formats.trf.reading import document_of_records
from tournaments.models import Proposal, Round
from tournaments.pairing.startorder import ordered
from tournaments.recording.competitors.start_numbers import LAST_NUMBERED, start_numbers
from tournaments.recording.pairings.drafts import game_scores, report_before, stored_task, task_checksum
from tournaments.recording.pairings.pasted_pairings import ROUNDS_OFF
from tournaments.recording.pairings.unusual import Doubt
from tournaments.recording.rounds.missing_data import Place, places_text, unknown_texts, unnamed_texts

MOST_NAMED = 8
"""How many differences of a draft are named; the others are counted."""

SETTINGS = (
    *("game_win", "game_draw", "game_loss", "match_win", "match_draw", "match_loss", "bye_game", "bye_match"),
    *("acceleration", "accelerated_to", "forbidden_pairs", "team_colours"),
)
"""Fields of the event that an engine pairs by."""


def before_proposing(document: Document, number: int) -> list[Doubt]:
    """Return what should be looked at before an engine is asked to pair a round; no query.

    Missing results are not among it, because a proposal is refused until they are there.
    """
    return [*_doubts_about_order(document, number), *_unknown_results(document, number)]


def before_publishing(rounds: Sequence[Round], document: Document) -> list[Doubt]:
    """Return what should be looked at before the pairings of these rounds of an event are published.

    A single query for each round of a Swiss, and one more for teams.
    """
    first = min(each.number for each in rounds)
    unseen = _("The event is not public: readers do not see these pairings.")
    if document.event.is_team:
        unseen = _(
            "The event is not public: readers do not see these pairings, and links for captains do not work."
        )
    return [
        *_doubts_about_order(document, first),
        *_missing_results(document, first),
        *_unknown_results(document, first),
        *(found for each in rounds for found in draft_doubts(each, document)),
        *(Doubt("unnamed-boards", None, (), text) for text in unnamed_texts(rounds)),
        *([] if document.event.state in PUBLIC else [Doubt("not-public", None, (), unseen)]),
    ]


# --- the numbers ------------------------------------------------------------------------------------------


def _doubts_about_order(document: Document, number: int) -> Iterator[Doubt]:
    event = document.event
    order = event.start_order or ("" if event.is_round_robin else StartOrder.RATING)
    if not order or number > (1 if order == StartOrder.LOTS else LAST_NUMBERED):
        return
    last_rounds = ((each, each.withdrawn_after) for each in document.competitors)
    now = [each for each, last in last_rounds if last is None or last >= number]
    now.sort(key=lambda each: each.paired_as)
    wanted = ordered(now, event.start_order, event.start_seed)
    misplaced = [pair for pair in zip(wanted, now, strict=True) if pair[0] is not pair[1]]
    if not misplaced:
        return
    texts = {
        True: _(
            "The numbers are not in the order “%(order)s”: %(wanted)s should come before %(now)s."
            " %(count)s of %(all)s would get another number."
        ),
        False: _(
            "The numbers are not in the order “%(order)s”, which applies because no other order was chosen:"
            " %(wanted)s should come before %(now)s. %(count)s of %(all)s would get another number."
        ),
    }
    by_rating = order in {StartOrder.RATING, StartOrder.TITLE}
    first = [
        f"{each.number} {each.name} ({each.rating})"
        if by_rating and each.rating
        else f"{each.number} {each.name}"
        for each in misplaced[0]
    ]
    values = {"order": StartOrder(order).label, "wanted": first[0], "now": first[1]}
    text = texts[bool(event.start_order)] % (values | {"count": len(misplaced), "all": len(now)})
    yield Doubt("start-order", None, (), text)


# --- earlier results --------------------------------------------------------------------------------------


def _missing_results(document: Document, number: int) -> Iterator[Doubt]:
    open_ = [(place, row) for place, row in _matches_before(document, number) if row.kind == Kind.PENDING]
    if delayed := [place for place, row in open_ if row.delayed]:
        label = DelayedPoints(document.event.delayed_points).label
        values = {"where": places_text(delayed), "points": label}
        text = _("Postponed or adjourned in %(where)s: counts for these pairings as %(points)s.") % values
        yield Doubt("delayed-games", None, (), text)
    if missing := [place for place, row in open_ if not row.delayed]:
        text = _("The result is missing in %(where)s.") % {"where": places_text(missing)}
        yield Doubt("missing-results", None, (), text)


def _unknown_results(document: Document, number: int) -> Iterator[Doubt]:
    unknown = [
        place
        for place, row in _matches_before(document, number)
        if row.kind != Kind.PENDING and Kind.UNKNOWN in {row.kind, *(game.kind for game in row.games)}
    ]
    for text in unknown_texts(unknown):
        yield Doubt("unknown-results", None, (), text)


def _matches_before(document: Document, number: int) -> Iterator[tuple[Place, PairingEntry]]:
    if not document.event.is_round_robin:
        for at, row in document.pairings():
            if at < number and row.second is not None:
                yield (at, row.table), row


# --- the data of the draft --------------------------------------------------------------------------------


def draft_doubts(round_: Round, document: Document) -> Iterator[Doubt]:
    """Yield how the data have changed since the draft was proposed.

    A single query, another if the data differ; no query for a round robin. `doubts` compares the pairs
    with the rounds that competitors have off.
    """
    if document.event.is_round_robin:
        return
    proposal = round_.proposals.filter(applied__isnull=False).first()
    if proposal is None:
        return
    asked = stored_task(proposal)
    now = report_before(document, round_.number, [asked.start_number(each) for each in asked.absent])
    options = round_.event.initial_colour[:1] or "w", game_scores(round_.event)
    if now == asked.report and options == (asked.colour, asked.game_scores):
        return
    before, today = document_of_records(asked.report.encode()), document_of_records(now.encode())
    if before and today:
        # By pairing number, with the start number.
        old = {each.number: f"{asked.start_number(each.number)} {each.name}" for each in before.competitors}
        new = {each.paired_as: f"{each.number} {each.name}" for each in document.competitors}
        found = list(_change_texts(before, today, proposal, old, new))
        if options != (asked.colour, asked.game_scores):
            found.append(_settings_text())
        found = list(dict.fromkeys(found))
        more = len(found) - MOST_NAMED
        if more > 0:
            found[MOST_NAMED:] = [ngettext("%(count)s more.", "%(count)s more.", more) % {"count": more}]
        if found:
            text = _("The data have changed since the draft was proposed. %(differences)s Propose it again.")
            yield Doubt("other-data", None, (), text % {"differences": " ".join(found)})
        return
    numbers = document.pairing_numbers()
    today_task = replace(
        asked,
        report=now,
        numbers=list(numbers.values()),
        start_numbers=start_numbers(numbers),
        provisional=delayed_games(document, round_.number),
    )
    if task_checksum(today_task) != proposal.sha256:
        text = _(
            "The data have changed since the draft was proposed. The old data are no longer stored, so the"
            " differences are not known. Propose it again."
        )
        yield Doubt("other-data", None, (), text)


def _change_texts(
    before: Document, today: Document, proposal: Proposal, old: Mapping[int, str], new: Mapping[int, str]
) -> Iterator[str]:
    then = {each.number: each for each in before.competitors}
    now = {each.number: each for each in today.competitors}
    names = {**old, **new}
    # An earlier release stored no primary keys; then numbers identify the competitors.
    key, numbers = "pk" if proposal.competitors else "number", proposal.options["numbers"]
    was = dict(zip(proposal.competitors or numbers, numbers, strict=True))
    is_now = {getattr(each, key): each.paired_as for each in proposal.round.event.competitors.all()}
    if entered := sorted(is_now[each] for each in is_now.keys() - was.keys()):
        text = ngettext("%(who)s was entered later.", "%(who)s were entered later.", len(entered))
        yield text % {"who": ", ".join(names[each] for each in entered)}
    if gone := sorted(was[each] for each in was.keys() - is_now.keys()):
        text = ngettext("%(who)s has been removed since.", "%(who)s have been removed since.", len(gone))
        yield text % {"who": ", ".join(old[each] for each in gone)}
    if moved := sorted(is_now[each] for each in is_now.keys() & was.keys() if is_now[each] != was[each]):
        text = ngettext("%(who)s had another number.", "%(who)s had other numbers.", len(moved))
        yield text % {"who": ", ".join(names[each] for each in moved)}
    if moved or gone:
        return  # results are compared by number
    given = [each for each in sorted(then) if then[each].adjustments != now[each].adjustments]
    if given:
        text = _("Bonus or penalty points of %(who)s have changed.")
        yield text % {"who": ", ".join(names[each] for each in given)}
    if any(getattr(before.event, name) != getattr(today.event, name) for name in SETTINGS):
        yield _settings_text()
    yield from _changed_results(before, today, names)


def _settings_text() -> str:
    return _("Settings of the pairing, such as scoring or forbidden pairs, have changed.")


def _changed_results(before: Document, today: Document, names: Mapping[int, str]) -> Iterator[str]:
    was, is_now = _pairings_by_numbers(before), _pairings_by_numbers(today)
    for key in sorted(was.keys() | is_now.keys()):
        then, now = was.get(key), is_now.get(key)
        seats = then.numbers if then else key[1]
        values = {"round": key[0], "who": " – ".join(names[each] for each in seats)}
        texts = _recorded_or_none(before, then), _recorded_or_none(today, now)
        if then and now and then.numbers != now.numbers:
            yield _("Round %(round)s, %(who)s: the colours have been exchanged.") % values
        elif texts[0] != texts[1]:
            text = _("Round %(round)s, %(who)s: %(then)s then, %(now)s now.")
            yield text % (values | {"then": texts[0], "now": texts[1]})


def _pairings_by_numbers(document: Document) -> dict[tuple[int, tuple[int, ...]], PairingEntry]:
    return {(number, tuple(sorted(row.numbers))): row for number, row in document.pairings()}


def _recorded_or_none(document: Document, row: PairingEntry | None) -> str:
    if row is None:
        return _("no such pairing")
    if row.second is None:
        return str(ROUNDS_OFF[Kind(row.kind)])
    return recorded_text(document.event, row) or _("no result")
