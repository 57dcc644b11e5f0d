"""One's own sessions: which browsers are logged in, and ending one or all others."""

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
"""Browsers and what only they call themselves, in the order in which one pretends to be the next."""

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
    """Return what a browser calls itself as people call it: `Firefox, Windows`."""
    found = [
        next((name for name, sign in known if re.search(sign, agent)), "") for known in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or _("a program")


def shortened(address: str | None) -> str:
    """Return the first half of an address: enough to know one's own network, too little to find a house."""
    if not address:
        return ""
    sign = ":" if ":" in address else "."
    return sign.join(address.split(sign)[:2]) + f"{sign}…"


@receiver(user_logged_in, dispatch_uid="tournaments.accounts.session_store")
def note_login(request: HttpRequest, **_: Any) -> None:
    """Write into the session when, from where and in which browser it began."""
    request.session[LOGIN] = {
        "at": timezone.now().isoformat(),
        "place": shortened(client_address(request)),
        "browser": request.headers.get("User-Agent", "")[:LONGEST_BROWSER],
    }


def mark_of(session: Session) -> str:
    """Return what names a session in a form: its key, which is the login itself, must stand in no page."""
    return salted_hmac("tournaments.session-mark", session.session_key).hexdigest()[:20]


def end_sessions(user: User, *, but: str = "") -> int:
    """End every session of the account, but for the one with that key; return how many there were."""
    return Session.objects.filter(user=user).exclude(session_key=but).delete()[0]


def account(request: HttpRequest) -> HttpResponse:
    """Show what an account has of its own: sessions to end, password and second factor."""
    user, this = who(request), request.session.session_key
    alive = Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen")
    if request.method == "POST":
        return _end(request, list(alive))
    shown = [
        {
            "session": each,
            "mark": mark_of(each),
            "device": in_words(each.browser),
            "is_this": each.session_key == this,
        }
        for each in alive
    ]
    purpose = _("Where you are logged in, and what you log in with.")
    return page(request, None, "account", _("Your account"), purpose, shown=shown)


def _end(request: HttpRequest, alive: list[Session]) -> HttpResponse:
    """End the session that the form names, all but this one, or this one too."""
    asked, this = request.POST.get("end", ""), request.session.session_key or ""
    if asked == "others":
        ended = end_sessions(who(request), but=this)
        told = ngettext("%(ended)d browser is logged out.", "%(ended)d browsers are logged out.", ended)
        messages.success(request, told % {"ended": ended})
        return redirect("admin:account")
    for session in alive:
        if constant_time_compare(mark_of(session), asked):
            if session.session_key == this:
                logout(request)
                return redirect("admin:login")
            session.delete()
            messages.success(request, _("That browser is logged out."))
    return redirect("admin:account")
