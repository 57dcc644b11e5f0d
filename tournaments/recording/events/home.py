"""The home of an event: the one Crosstable that may change it (docs/desk.md).

A site lends an event to a laptop, which gives it back. Each step can be repeated: at no moment, also after a
crash, can both sides change the event.
"""

import logging
from datetime import datetime
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError, close_old_connections, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from config.push import NotSentError, Site, json_of, store_value
from tournaments.event.finding import errors
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event
from tournaments.operations.revision import revision_of
from tournaments.recording.events.backups import back_up
from tournaments.recording.imports.importing import ImportRequest, import_event
from tournaments.recording.locking import LONGEST_NAME, lent_text, lock_event, save
from tournaments.recording.refusal import Refused, required
from tournaments.stored import stored

logger = logging.getLogger(__name__)

REASON = "Changed at the home of the event"
UNSENT = "unsent.json"


# --- on the site that lends -------------------------------------------------------------------------------


def lend(event: Event, home: str, by: User) -> tuple[Event, str]:
    """Make `home` the place where the event is changed. Return the event and its file.

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
        return now, write(stored(now).document)


def return_home(event: Event, home: str, by: User) -> Event:
    """End the lending to `home`, if it has not ended already. Raise Refused if it is elsewhere."""
    with lock_event(event, lent=True) as now:
        if now.home not in ("", home):
            raise Refused(lent_text(now))
        if now.home:
            now.home = ""
            save(now, by, _("Given back by “%(home)s”") % {"home": home})
    return now


def is_borrowed(event: Event) -> bool:
    """Return whether the event belongs to another site, which names itself by its address."""
    return bool(event.shown_at) or event.home.startswith(("http://", "https://"))


def end_lending(event: Event, by: User, reason: str) -> Event:
    """End the lending without the borrower, whose later changes are refused. Needs a reason."""
    with lock_event(event, lent=True) as now:
        if not now.home:
            raise Refused(_("This event is changed here already."))
        if is_borrowed(now):
            text = _("This event was given back to %(site)s. Borrow it again, or clone it.")
            raise Refused(text % {"site": now.home})
        reason_text = required(reason, _("Why is it taken back? Its present home may have unsent changes."))
        now.home = now.shown_at = ""
        save(now, by, reason_text)
    return now


# --- on the laptop that borrows ---------------------------------------------------------------------------


def borrow(site: Site) -> Event:
    """Fetch the event from the site that lends it, and make this Crosstable its home.

    Raise Refused if the site does not lend it, or if it cannot be stored here.
    """
    slug, path = site.event, f"events/{site.event}/home"
    here = Event.objects.filter(slug=slug).first()
    if here and site.address not in (here.home, here.shown_at):
        text = _("There is another event “%(slug)s” here. Change its address first.")
        raise Refused(text % {"slug": slug})
    if here and here.shown_at:
        state = site.request("GET", path)
        if state["status"] >= 300:
            raise Refused(state["detail"])
        if not state["is_yours"]:
            text = _("The site lends it to “%(home)s”. Create a token of this name at the site.")
            taken = _("The site has taken it back. Start Crosstable, which then ends the lending here.")
            raise Refused(text % state if state["home"] else taken)
        site.keep_token()  # the former one may have ended
        if here.home:
            raise Refused(_("Its last changes are still being sent. Borrow it again after that."))
        return here
    lent = site.request("PUT", path)
    if lent["status"] >= 300:
        raise Refused(lent["detail"])
    reason = _("Borrowed from %(site)s") % {"site": site.address}
    wishes = ImportRequest(by=site.address[:LONGEST_NAME], reason=reason, home=here.home if here else "")
    site.keep_token()
    with transaction.atomic():  # an event that is stored here is also sent
        found = errors(import_event(lent["file"], announce=lambda _diff: None, wishes=wishes))
        if not found:
            with lock_event(Event.objects.get(slug=slug), lent=True) as now:
                now.home, now.shown_at = "", site.address
                save(now, None, reason)
            return now
    site.request("DELETE", path)
    raise Refused(found[0].message)


def give_back(event: Event, by: User) -> None:
    """Refuse further changes here. The worker sends the last ones, and ends the lending."""
    with lock_event(event, lent=True) as now:
        if not now.shown_at:
            raise Refused(_("No site has lent this event."))
        if now.home != now.shown_at:
            now.home = now.shown_at
            save(now, by, _("Given back to %(site)s") % {"site": now.shown_at})


def unsent(event: Event) -> dict[str, Any]:
    """Return why the last changes of a borrowed event were not sent, and since when. Empty if they were."""
    found: dict[str, Any] = json_of(settings.HOME / UNSENT).get(event.slug) or {}
    return found | {"since": datetime.fromisoformat(found["since"])} if found and is_borrowed(event) else {}


class Sender:
    """Sends borrowed events to their sites after each change. `folder` has the tokens."""

    PAUSE = 2.0
    PAUSE_AFTER_REFUSAL = 60.0
    """Seconds between two checks for changes, and until a refused file is sent again unchanged."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tried: dict[int, tuple[int, float]] = {}  # revision, and time of the next attempt

    def run(self) -> None:
        while True:
            try:
                close_old_connections()
                for event in Event.objects.exclude(shown_at=""):
                    self.send(event)
            except Exception as fault:  # noqa: BLE001 - a thread that ends would send nothing any more
                connection.close()
                logger.warning("Borrowed events: %s", type(fault).__name__)
            sleep(self.PAUSE)

    def send(self, event: Event) -> str:
        """Send the event if it has changed, and end the lending if it is given back. Return the problem."""
        revision, last = revision_of(event.pk), json_of(self._folder / UNSENT).get(event.slug) or {}
        known, due = self._tried.get(event.pk, (0, 0.0))
        if revision == known and monotonic() < due:
            return str(last.get("problem", ""))
        try:
            problem = self._send(event, Site(event.shown_at, self._folder, insecure=True))
            delay = self.PAUSE_AFTER_REFUSAL if problem else inf
        except (NotSentError, SystemExit) as missing:
            problem, delay, *_rest = *missing.args, self.PAUSE_AFTER_REFUSAL
        except OperationalError:  # not of the event: `run` connects again
            raise
        except Exception as fault:
            logger.warning("%s was not sent", event.slug, exc_info=True)
            problem = _("Crosstable has failed (%(fault)s), see its log.") % {"fault": type(fault).__name__}
            delay = self.PAUSE_AFTER_REFUSAL
        self._tried[event.pk] = revision, monotonic() + delay
        if problem != last.get("problem", ""):
            logger.warning("%s: %s", event.slug, problem or "sent")
            since = last.get("since") or timezone.now().isoformat()
            store_value(self._folder / UNSENT, event.slug, problem and {"problem": problem, "since": since})
        return problem

    def _send(self, event: Event, site: Site) -> str:
        # Before the event is read: another worker may then send a newer file, which must remain.
        state = site.request("GET", f"events/{event.slug}/home")
        event.refresh_from_db()
        seen = {"If-Match": f'"{state["revision"]}"'} if "revision" in state else {}
        file = write(stored(event).document).encode()
        # Changes that the log of the file does not explain are logged at the site with this reason.
        query = urlencode({"lent": "true", "name": f"{event.slug}.json", "reason": REASON})
        body = site.put(f"events/{event.slug}/file?{query}", file, **seen)
        if body["status"] == 412:
            raise NotSentError(body["detail"], 0)
        if body["status"] < 300 and event.home == event.shown_at:
            body = site.request("DELETE", f"events/{event.slug}/home")
            if body["status"] < 300:
                Event.objects.filter(pk=event.pk).update(shown_at="")
        if body["status"] < 300 or (state.get("is_yours") is False and not self._end(event)):
            return ""
        texts = [each["text"] for each in body.get("findings", ()) if each["level"] == "error"]
        return "; ".join(texts or [body["detail"]])

    def _end(self, event: Event) -> bool:
        """Refuse changes of an event that the site has taken back.

        Return False if it has ended already, because another worker gave it back.
        """
        with lock_event(event, lent=True) as now:
            if not now.shown_at:
                return False
            now.home, now.shown_at = now.shown_at, ""
            save(now, None, _("The lending by %(site)s has ended") % {"site": now.home})
        return True
