"""The results screen of a round, with a line for each board; for its script or as a plain form."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results import form
from tournaments.admin.results.sending import needs_of, preview_of
from tournaments.admin.results.sheet import (
    BoardRow,
    board_row,
    figures_of,
    keys_at,
    keys_by_result,
    needs_figures,
    off_key_legend,
    round_of,
    rows_by_pairing,
    seats_json,
    sent_by_line,
    shape_of,
    with_newest,
)
from tournaments.admin.wire import connection_texts
from tournaments.event.choices import Delay
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Pairing, Player, Round
from tournaments.operations.revision import revision_of
from tournaments.recording.competitors.participation import texts_of_decided
from tournaments.recording.locking import name_of_user
from tournaments.recording.pairings.by_hand import annotate
from tournaments.recording.results.preview import preview_results
from tournaments.recording.results.sheets import result_lines
from tournaments.recording.results.submissions import REFUSED


@dataclass(frozen=True, slots=True)
class PairingNote:
    """The note of a pairing: as stored, or as typed with the reason why it is not saved."""

    pairing: Pairing
    text: str
    fault: str = ""

    @property
    def title(self) -> str:
        sides = (self.pairing.first, self.pairing.second)
        names = " – ".join(side.name for side in sides if side)
        return _("Note of table %(table)s: %(names)s") % {"table": self.pairing.table, "names": names}


@desk_view()
def results(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the screen. A POST saves the lines; those that fail are shown again as typed."""
    # Read before the lines, so that the page learns about results that are saved in between.
    revision = f"{event.epoch}-{revision_of(event.pk)}"
    round_ = round_of(event, number)
    revision = with_newest(revision, round_)
    answers, trial, note = None, None, None
    if "note" in request.POST:
        note = _write_note(request, round_)
        if not note.fault:
            messages.success(request, _("The note is saved."))
            return redirect(f"{request.get_full_path()}#result-{note.pairing.table}")
    elif request.method == "POST":
        rows = _board_rows(request, event, round_)
        answers = form.save_changed_lines(event, rows, request.POST, who(request))
        _add_result_messages(request, answers)
        if not answers.others:
            return redirect(request.get_full_path())
        # The effect of corrections that lack a reason.
        if not request.POST.get("reason", "").strip() and needs_of(event, round_):
            refused = [entry for entry, outcome in answers.others.values() if outcome.state == REFUSED]
            trial = preview_results(event, refused, who(request))
    rows = _board_rows(request, event, round_)
    came = sent_by_line(round_, [row.line for row in rows])
    return page(
        request,
        event,
        "results",
        _("Results of round %(round)s") % {"round": number},
        _("Enter results as the games end, with Enter after each; the next line is then selected.")
        if needs_figures(event)
        else _(
            "Enter results as the games end: one key per result; the next line is selected automatically."
        ),
        **of_round(round_, revision=revision, shape=shape_of(event, rows), **preview_of(trial)),
        **_results_context(request, event, round_),
        **_lines_context(rows, form.fields_of(rows, answers, came), note),
        agreed=sum(each.is_agreed for each in came.values()),
    )


def _write_note(request: HttpRequest, round_: Round) -> PairingNote:
    """Store the posted note. If that fails, the returned note has a fault.

    A note is only overwritten if it was shown. The version cannot tell, because every result increases it.
    """
    key = whole_number(request.POST["note"]) or 0
    pairing = round_.pairings.select_related("first", "second").filter(pk=key).first()
    if pairing is None:
        raise Http404
    pairing.round = round_
    text, shown = (request.POST.get(f"{name}-{key}", "") for name in ("note", "shown"))
    # Compared by line, because browsers send other line endings.
    seen = pairing.version if shown.splitlines() == pairing.note.splitlines() else 0
    return PairingNote(pairing, text, refusal_of(lambda: annotate(pairing, text, seen, who(request))))


def _board_rows(request: HttpRequest, event: Event, round_: Round) -> list[BoardRow]:
    if round_.is_draft:
        return []
    return [board_row(event, line) for line in result_lines(round_, totals="totals" in request.GET)]


def _lines_context(
    rows: list[BoardRow], fields: list[form.ResultField], refused: PairingNote | None
) -> dict[str, Any]:
    by_key = {field.row.key: field for field in fields}
    tables = rows_by_pairing(rows)
    games = [row.line for row in rows if not row.line.is_off]
    return {
        "tables": [(table, [by_key[row.key] for row in table.rows]) for table in tables],
        "notes": [
            refused
            if refused and refused.pairing.pk == table.pairing.pk
            else PairingNote(table.pairing, table.pairing.note)
            for table in tables
        ],
        "entered": sum(not line.is_missing for line in games),
        "all": len(games),
    }


def _results_context(request: HttpRequest, event: Event, round_: Round) -> dict[str, Any]:
    return {
        "rounds": list(event.rounds.values_list("number", flat=True)),
        "needs": needs_of(event, round_),
        "is_paired": round_.is_draft and round_.pairings.exists(),
        "has_rosters": event.is_team and Player.objects.filter(competitor__event=event).exists(),
        "keys": keys_by_result(keys_at(event, "first")),
        "figures": figures_of(event),
        "off_keys": off_key_legend(event),
        **seats_json(event),
        "words": _script_texts(),
        "by": name_of_user(who(request)),
        "half_points": event.game_win,
        "only_missing": "missing" in request.GET,
        "totals": "totals" in request.GET,
        "reason": request.POST.get("reason", ""),
        "decided": texts_of_decided(round_),
        "delays": Delay.choices,
    }


def _add_result_messages(request: HttpRequest, answers: form.FormOutcome) -> None:
    if answers.saved:
        message = ngettext("%(count)s result saved.", "%(count)s results saved.", answers.saved)
        messages.success(request, message % {"count": answers.saved})
    for note in answers.notes:
        messages.warning(request, note)
    if answers.others:
        message = ngettext(
            "%(count)s line is not saved: see the error.",
            "%(count)s lines are not saved: see the errors.",
            len(answers.others),
        )
        messages.error(request, message % {"count": len(answers.others)})


def _script_texts() -> str:
    texts = {
        **connection_texts(),
        # lines
        "typing": _("typing: Enter saves, Esc leaves it"),
        "conflict": _("%(by)s saved %(theirs)s at %(at)s, you typed %(mine)s."),
        "conflict_untold": _("Conflict: %(theirs)s was saved, you typed %(mine)s."),
        "nothing": _("no result"),
        "no_key": _(
            "“%(key)s” is not a key here, and no result begins with it. Press ? for the keys, or Enter to "
            "type the result in full."
        ),
        "nothing_to_undo": _("You have no entry to undo."),
        "choose_first": _("Choose first: k keeps theirs, m puts mine."),
        "told_conflict": _(
            "Line %(label)s: another person saved %(theirs)s, you typed %(mine)s. Choose one."
        ),
        "no_line": _("“%(text)s” is not saved, and its line is gone: %(message)s"),
        "told_failed": _("Line %(label)s is not saved: %(message)s"),
        # buttons
        "more": _("other results"),
        "less": _("fewer"),
        "change": _("change"),
        "in_full": _("type it"),
        "clear": _("no result"),
        # corrections
        "becomes": _("%(name)s: %(was)s changed to %(now)s."),
        "working_out": _("Working out which places would move …"),
        "no_moves": _("No place would move."),
        "moves": _("Places that would move:"),
        "moves_untold": _("The places cannot be calculated now: there is no connection."),
    }
    return json.dumps(texts, ensure_ascii=False)
