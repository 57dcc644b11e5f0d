"""The results screen of a round, with a line for each board; for its script or as a plain form."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import of_round, page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results import form
from tournaments.admin.results.fromplayers import sent_by_line, with_newest
from tournaments.admin.results.notes import PairingNote, notes_of, write_note
from tournaments.admin.results.sending import needs_of, preview_of
from tournaments.admin.results.sheet import (
    BoardRow,
    beginnings_of_seats,
    board_rows,
    buttons_of_seats,
    figures_of,
    key_legend,
    keys_of_seats,
    needs_figures,
    off_key_legend,
    round_of,
    rows_by_pairing,
    shape_of,
)
from tournaments.admin.results.texts import script_texts
from tournaments.event.choices import Delay
from tournaments.models import Event, Player, Round
from tournaments.operations.revision import revision_of
from tournaments.recording.competitors.participation import texts_of_decided
from tournaments.recording.locking import name_of_user
from tournaments.recording.results.preview import ResultPreview, preview_results
from tournaments.recording.results.sheets import result_lines
from tournaments.recording.results.submissions import REFUSED


@desk_view()
def results(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the screen. A POST saves the lines; those that fail are shown again as typed."""
    # Read before the lines, so that the page learns about results that are saved in between.
    revision = f"{event.epoch}-{revision_of(event.pk)}"
    round_ = round_of(event, number)
    revision = with_newest(revision, round_)
    answers, trial, note = None, None, None
    if "note" in request.POST:
        note = write_note(request, round_)
        if not note.fault:
            messages.success(request, _("The note is saved."))
            return redirect(f"{request.get_full_path()}#result-{note.pairing.table}")
    elif request.method == "POST":
        rows = _board_rows(request, event, round_)
        answers = form.save_changed_lines(event, rows, request.POST, who(request))
        _add_result_messages(request, answers)
        if not answers.others:
            return redirect(request.get_full_path())
        trial = _corrections_trial(request, event, round_, answers)
    rows = _board_rows(request, event, round_)
    came = sent_by_line(round_, rows)
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


def _board_rows(request: HttpRequest, event: Event, round_: Round) -> list[BoardRow]:
    if round_.is_draft:
        return []
    return board_rows(event, result_lines(round_, totals="totals" in request.GET))


def _lines_context(
    rows: list[BoardRow], fields: list[form.ResultField], refused: PairingNote | None
) -> dict[str, Any]:
    by_key = {field.row.key: field for field in fields}
    tables = rows_by_pairing(rows)
    games = [row.line for row in rows if not row.line.is_off]
    return {
        "tables": [(table, [by_key[row.key] for row in table.rows]) for table in tables],
        "notes": list(notes_of(tables, refused)),
        "entered": sum(not line.is_missing for line in games),
        "all": len(games),
    }


def _results_context(request: HttpRequest, event: Event, round_: Round) -> dict[str, Any]:
    return {
        "rounds": list(event.rounds.values_list("number", flat=True)),
        "needs": needs_of(event, round_),
        "is_paired": round_.is_draft and round_.pairings.exists(),
        "has_rosters": event.is_team and Player.objects.filter(competitor__event=event).exists(),
        "keys": key_legend(event),
        "figures": figures_of(event),
        "off_keys": off_key_legend(event),
        "seats": keys_of_seats(event),
        "begins": beginnings_of_seats(event),
        "taps": buttons_of_seats(event),
        "words": script_texts(),
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


def _corrections_trial(
    request: HttpRequest, event: Event, round_: Round, answers: form.FormOutcome
) -> ResultPreview | None:
    """Return the effect of the corrections without a reason. None if there are no such corrections."""
    if request.POST.get("reason", "").strip() or not needs_of(event, round_):
        return None
    refused = [entry for entry, outcome in answers.others.values() if outcome.state == REFUSED]
    return preview_results(event, refused, who(request))
