"""The basis of standings: which results are included, and the sentence that describes it."""

from typing import NamedTuple

import numpy as np
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.engine import Crosstable, RoundKind


class Basis(NamedTuple):
    """The results that standings are based on.

    `round`: the round in progress, else the last round; 0 before the first round. `paired`: its pairings.
    `pending`: those without a result. `earlier`: pairings without a result in previous rounds. `unknown`:
    pairings whose result will never be known. `running`: matches in progress, with finished and open boards.
    `ordered`: the order of the rounds is known; if not, `round` is the last round and all pairings count as
    its own. `published`: no results count, and the ranking is the published one. `printed_by`: its source.
    """

    round: int
    paired: int
    pending: int
    earlier: int
    unknown: int
    running: int = 0
    ordered: bool = True
    published: bool = False
    printed_by: str = ""

    @property
    def complete(self) -> bool:
        return not (self.pending or self.earlier or self.unknown)


def basis_of(table: Crosstable) -> Basis:
    """Return the basis of a crosstable.

    Rounds are often paired in advance. The round in progress is the last round with a result, or the next
    round if that is complete.
    """
    if table.published is not None:
        return Basis(0, 0, 0, 0, 0, ordered=False, published=True, printed_by=table.published.printed_by)
    # Each pairing is in two rows of the crosstable.
    paired, pending, unknown, entered = (
        np.count_nonzero(cells, axis=0) // 2
        for cells in (
            table.opponent >= 0,
            table.state == RoundKind.PENDING,
            table.state == RoundKind.UNKNOWN,
            (table.opponent >= 0) & (table.kind != RoundKind.PENDING),
        )
    )
    running = np.count_nonzero(table.in_progress[1], axis=0) // 2
    if not table.order_known and table.rounds:
        all_paired, all_pending, all_running = (int(each.sum()) for each in (paired, pending, running))
        return Basis(table.rounds, all_paired, all_pending, 0, int(unknown.sum()), all_running, ordered=False)
    # A round that is paired in advance has not begun before its first result.
    begun = np.flatnonzero((entered > 0) | (running > 0) | (pending == 0))
    last = int(begun[-1]) if begun.size else -1
    at = last if last == table.rounds - 1 or (last >= 0 and pending[last]) else last + 1
    if at < 0:
        return Basis(0, 0, 0, 0, 0)
    return Basis(
        round=at + 1,
        paired=int(paired[at]),
        pending=int(pending[at]),
        earlier=int(pending[:at].sum()),
        unknown=int(unknown.sum()),
        running=int(running.sum()),
    )


def last_complete_round(table: Crosstable) -> int:
    """Return the last round without open pairings except delayed ones, 0 if there is none."""
    is_paired = (table.opponent >= 0).any(axis=0)
    is_open = ((table.state == RoundKind.PENDING) & (table.delayed == 0)).any(axis=0)
    complete = np.flatnonzero(is_paired & ~is_open)
    return int(complete[-1]) + 1 if complete.size else 0


def basis_text(basis: Basis) -> str:
    """Return `after round 9` or `during round 9: 4 of 34 results in`, and earlier missing results."""
    if basis.printed_by:
        return _("printed by %(publisher)s; no results are known") % {"publisher": basis.printed_by}
    if basis.published:
        return _("as published; no results are recorded")
    figures = {"number": basis.round, "known": basis.paired - basis.pending, "all": basis.paired}
    parts = [
        _("before round 1")
        if not basis.round
        else _text_without_rounds(basis)
        if not basis.ordered
        else with_running(_("during round %(number)s: %(known)s of %(all)s results in") % figures, basis)
        if basis.pending
        else _("after round %(number)s") % figures
    ]
    if basis.earlier:
        parts.append(_missing_earlier(basis.earlier))
    if basis.unknown:
        without = ngettext(
            "computed without %(count)s unknown result",
            "computed without %(count)s unknown results",
            basis.unknown,
        )
        parts.append(without % {"count": basis.unknown})
    return ", ".join(parts)


def _text_without_rounds(basis: Basis) -> str:
    if not basis.pending:
        return _("after all games; the order of the rounds is not known")
    figures = {"known": basis.paired - basis.pending, "all": basis.paired}
    return _("with %(known)s of %(all)s results; the order of the rounds is not known") % figures


def _missing_earlier(count: int) -> str:
    missing = ngettext(
        "%(count)s result of an earlier round missing",
        "%(count)s results of earlier rounds missing",
        count,
    )
    return missing % {"count": count}


def with_running(results_in: str, basis: Basis) -> str:
    """Append the number of matches in progress to the number of results: `0 of 4 in, 1 …`."""
    if not basis.running:
        return results_in
    matches = ngettext("%(count)s match in progress", "%(count)s matches in progress", basis.running)
    return f"{results_in}, {matches % {'count': basis.running}}"


def round_sentence(basis: Basis, counted: Basis) -> str:
    """Return the progress of the current round, `Round 9: 4 of 34 results in.`, and other uncounted results.

    `counted` is the basis of the standings, which end before that round.
    """
    figures = {"number": basis.round, "known": basis.paired - basis.pending, "all": basis.paired}
    text = with_running(_("Round %(number)s: %(known)s of %(all)s results in") % figures, basis)
    if between := basis.earlier - counted.earlier:
        text = f"{text}, {_missing_earlier(between)}"
    return f"{text}."


def sentence(basis: Basis) -> str:
    if basis.published and not basis.printed_by:
        return _("Only the published ranking is known; no results are recorded.")
    return f"{capfirst(basis_text(basis))}."
