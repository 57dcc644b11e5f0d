"""The home of an event: the one Crosstable that may change it (docs/two-sites.md).

A site lends an event to a laptop, which gives it back. Each step can be repeated: at no moment, also after a
crash, can both sides change the event.
"""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event
from tournaments.recording.events.backups import back_up
from tournaments.recording.locking import lent_text, lock_event, save
from tournaments.recording.refusal import Refused, required
from tournaments.stored import stored

LONGEST_HOME = 200


# --- on the site that lends -------------------------------------------------------------------------------


def lend(event: Event, home: str, by: User) -> bytes:
    """Make `home` the place where the event is changed. Return its file, with everything for the new home.

    Lending it again to the same home returns the current file. Raise Refused if it is elsewhere.
    """
    with lock_event(event, lent=True) as now:
        if now.shown_at:
            text = _("This event is itself lent by %(site)s. Give it back first.")
            raise Refused(text % {"site": now.shown_at})
        if now.home not in ("", home):
            raise Refused(lent_text(now))
        if not now.home:
            back_up(now, by, _("Before it was lent to “%(home)s”") % {"home": home})
            now.home = home
            save(now, by, _("Lent to “%(home)s”") % {"home": home})
        return write(stored(now).document).encode()


def return_home(event: Event, home: str, by: User) -> Event:
    """End the lending to `home`, if it has not ended already. Raise Refused if it is elsewhere."""
    with lock_event(event, lent=True) as now:
        if now.home not in ("", home):
            raise Refused(lent_text(now))
        if now.home:
            now.home = ""
            save(now, by, _("Given back by “%(home)s”") % {"home": home})
    return now


def take_back(event: Event, by: User, reason: str) -> Event:
    """End the lending without the borrower, whose later changes are refused. Needs a reason."""
    with lock_event(event, lent=True) as now:
        if not now.home:
            raise Refused(_("This event is changed here already."))
        reason_text = required(reason, _("Why is it taken back? Its present home may have unsent changes."))
        now.home, now.shown_at = "", ""
        save(now, by, reason_text)
    return now


# --- on the laptop that borrows ---------------------------------------------------------------------------


def borrow(event: Event, site: str, by: User) -> Event:
    """Record that an imported event was lent by `site` and is changed here."""
    with lock_event(event, lent=True) as now:
        now.home, now.shown_at = "", site
        save(now, by, _("Borrowed from %(site)s") % {"site": site})
    return now


def give_back(event: Event, by: User, reason: str = "") -> bytes:
    """Refuse further changes here, and return the file that the lending site must store before it ends."""
    with lock_event(event, lent=True) as now:
        if not now.shown_at:
            raise Refused(_("No site has lent this event."))
        if now.home != now.shown_at:
            now.home = now.shown_at
            save(now, by, reason or _("Given back to %(site)s") % {"site": now.shown_at})
        return write(stored(now).document).encode()
