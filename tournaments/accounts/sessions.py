"""The sessions of a user: list the browsers that are logged in, and end sessions."""

import re
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.trace.addresses import client_address
from tournaments.accounts.session_store import LOGIN
from tournaments.admin.frame import page, who
from tournaments.models import Session
from tournaments.models.login import LONGEST_BROWSER

BROWSERS = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
"""Browsers with a pattern of their User-Agent. The order matters: a browser may imitate a later one."""

SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("ChromeOS", "CrOS"),
    ("macOS", "Macintosh|Mac OS X"),
    ("Linux", "Linux|X11"),
)


def in_words(agent: str) -> str:
    """Return a readable name of a User-Agent: `Firefox, Windows`."""
    found = [
        next((name for name, pattern in patterns if re.search(pattern, agent)), "")
        for patterns in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or _("a program")


def shortened(address: str | None) -> str:
    """Return the first half of an IP address, which shows the network but does not identify a household."""
    if not address:
        return ""
    pattern = ":" if ":" in address else "."
    return pattern.join(address.split(pattern)[:2]) + f"{pattern}…"


@receiver(user_logged_in, dispatch_uid="tournaments.accounts.session_store")
def note_login(request: HttpRequest, **_: Any) -> None:
    request.session[LOGIN] = {
        "at": timezone.now().isoformat(),
        "place": shortened(client_address(request)),
        "browser": request.headers.get("User-Agent", "")[:LONGEST_BROWSER],
    }


def mark_of(session: Session) -> str:
    """Return an identifier of the session for forms. The session key itself is secret."""
    return salted_hmac("tournaments.session-mark", session.session_key).hexdigest()[:20]


def end_sessions(user: User, *, but: str = "") -> int:
    """Delete the user's sessions, except the one with the key `but`. Return their number."""
    return Session.objects.filter(user=user).exclude(session_key=but).delete()[0]


def account(request: HttpRequest) -> HttpResponse:
    user, current_key = who(request), request.session.session_key
    sessions = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen")
    if request.method == "POST":
        return _end_session(request, list(sessions))
    shown = [
        {
            "session": each,
            "mark": mark_of(each),
            "device": in_words(each.browser),
            "is_this": each.session_key == current_key,
        }
        for each in sessions
    ]
    purpose = _("Your open sessions, and your ways to log in.")
    return page(request, None, "account", _("Your account"), purpose, shown=shown)


def _end_session(request: HttpRequest, sessions: list[Session]) -> HttpResponse:
    posted_mark, current_key = request.POST.get("end", ""), request.session.session_key or ""
    if posted_mark == "others":
        ended = end_sessions(who(request), but=current_key)
        text = ngettext("%(ended)d browser is logged out.", "%(ended)d browsers are logged out.", ended)
        messages.success(request, text % {"ended": ended})
        return redirect("admin:account")
    for session in sessions:
        if constant_time_compare(mark_of(session), posted_mark):
            if session.session_key == current_key:
                logout(request)
                return redirect("admin:login")
            session.delete()
            messages.success(request, _("That browser is logged out."))
    return redirect("admin:account")
