"""What the screen's script says: sentences with named places, in the language of the page."""

import json

from django.utils.translation import gettext as _


def words() -> str:
    """Return every sentence of the script by its name, as JSON; it fills the named places itself."""
    return json.dumps(_sentences(), ensure_ascii=False)


def _sentences() -> dict[str, str]:
    # In parts, since one function of all sentences would be too long to find one in.
    return {**_of_a_line(), **_of_the_connection(), **_of_a_correction()}


def _of_a_line() -> dict[str, str]:
    return {
        "typing": _("typing: Enter saves, Esc leaves it"),
        "saving": _("saving …"),
        "saved": _("saved"),
        "failed": _("not saved"),
        "conflict": _("%(by)s saved %(theirs)s at %(at)s, you typed %(mine)s."),
        "conflict_untold": _("%(theirs)s was saved meanwhile, you typed %(mine)s."),
        "keep": _("Keep %(theirs)s"),
        "put": _("Put %(mine)s"),
        "nothing": _("no result"),
        "no_key": _(
            "“%(key)s” is no key here, and no result begins with it."
            " Press ? for the keys, or Enter to type in full."
        ),
        "nothing_to_undo": _("Nothing of yours is left to take back."),
        "choose_first": _("Choose first: k keeps theirs, m puts mine."),
        "told_conflict": _("Line %(label)s: somebody else saved %(theirs)s, you typed %(mine)s. Choose one."),
        "no_line": _("“%(text)s” is not saved, and its line is gone: %(message)s"),
        "told_failed": _("Line %(label)s is not saved: %(message)s"),
    }


def _of_the_connection() -> dict[str, str]:
    return {
        "all_saved": _("Everything is saved."),
        "sending": _("Being saved: %(count)s."),
        "lost": _(
            "No connection. Kept in this browser: %(count)s. Go on typing; it is tried again by itself."
        ),
        "busy": _(
            "The site is busy. Kept in this browser: %(count)s. Go on typing; it is tried again by itself."
        ),
        "fault": _(
            "The server made a mistake, and has recorded it. Kept in this browser: %(count)s."
            " It is tried again by itself; if that does not help, tell who runs the site this: %(id)s"
        ),
        "login": _(
            "You are logged out. Kept in this browser: %(count)s."
            " Log in again in another tab; it goes on here."
        ),
        "other_account": _(
            "Another account is logged in now, so nothing is sent. Kept in this browser: %(count)s."
            " Log in as %(name)s again."
        ),
        "gone": _(
            "You may not enter results of this event any more. Kept in this browser: %(count)s."
            " Ask the organiser."
        ),
        "broken": _(
            "The server did not understand this page. Kept in this browser: %(count)s. Reload the page."
        ),
        "not_kept": _(
            "This browser keeps nothing between pages: leave this page open until everything is saved."
        ),
        "undecided": _("To be looked at: %(count)s."),
        "others_wait": _(
            "Another account has results in this browser that are not saved yet."
            " They go out when it opens their round."
        ),
        "elsewhere": _("Results of round %(round)s are not saved yet. Open that round to send them."),
    }


def _of_a_correction() -> dict[str, str]:
    return {
        "becomes": _("%(name)s: %(was)s becomes %(now)s."),
        "working_out": _("Working out which places would move …"),
        "no_moves": _("No place would move."),
        "moves": _("Places that would move:"),
        "moves_untold": _("The places cannot be worked out now: there is no connection."),
    }
