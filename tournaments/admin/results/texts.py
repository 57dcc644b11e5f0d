"""Texts of the script of the results screen, in the language of the page."""

import json

from django.utils.translation import gettext as _

from tournaments.admin.wire import connection_texts


def script_texts() -> str:
    texts = {
        **connection_texts(),
        # lines
        "typing": _("typing: Enter saves, Esc leaves it"),
        "saving": _("saving …"),
        "saved": _("saved"),
        "failed": _("not saved"),
        "conflict": _("%(by)s saved %(theirs)s at %(at)s, you typed %(mine)s."),
        "conflict_untold": _("Conflict: %(theirs)s was saved, you typed %(mine)s."),
        "keep": _("Keep %(theirs)s"),
        "put": _("Put %(mine)s"),
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
