"""Redirects from the addresses of an old site: a list of them, looked at first, then all of it or nothing."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.conf import settings
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Event, FormerSlug, Redirect, Series
from tournaments.models.redirect import LONGEST_PATH, key_of, parts_of, split_address
from tournaments.recording.pastedlist import PastedLine, PastedList
from tournaments.recording.turns import saving

NEW, CHANGED, SAME = "new", "changed", "same"
LONGEST_LINE = 10 * LONGEST_PATH
HEADINGS = ("old", "old path", "old address", "from", "path")
"""What the first cell says in a line that is no redirect but names the columns."""

OURS_ALONE = ("admin", "api", "healthz", "readyz")
"""Where no redirect leads: what begins so is for no reader."""


@dataclass(frozen=True, slots=True)
class RedirectLine(PastedLine):
    """A line of a list of redirects as it was read.

    `text` is the old address as it was written, `path` what tells it from others, `target` where it leads;
    `state`: new, changed or the same as it is recorded.
    """

    path: str = ""
    target: str = ""
    state: str = NEW


class RedirectList(PastedList[RedirectLine]):
    """A list of redirects, line by line; blank lines, headings and repetitions are left out."""

    def count(self, state: str) -> int:
        """Return how many lines without a fault are in that state."""
        return sum(each.state == state and not each.fault for each in self.lines)

    @property
    def changes(self) -> int:
        """Return how many redirects would be recorded anew or otherwise."""
        return self.count(NEW) + self.count(CHANGED)


def read_redirects(text: str) -> RedirectList:
    """Return the list `old address, new address or slug` as it would be recorded now; four queries.

    Refused are an address that is ours, one that leads to another old address or in a circle, one that leads
    nowhere, and one that the list leads to two places.
    """
    known = _Known()
    found: dict[str, RedirectLine] = {}
    lines = [_read(line, cells, known) for line, cells in _rows(text)]
    old = {each.path: each for each in lines if each.path and not each.fault}
    checked = [_checked(each, old, found, known) for each in lines]
    return RedirectList(tuple(each for each in checked if each is not None))


def enter_redirects(text: str) -> RedirectList:
    """Record the list, whole; Refused with its first fault, or where it is empty."""
    with saving():
        redirects = read_redirects(text)
        redirects.refuse_faulty(_("Nothing is there to enter. Write a line for each address."))
        rows = [
            Redirect(path=each.path, target=each.target) for each in redirects.lines if each.state != SAME
        ]
        Redirect.objects.bulk_create(
            rows, batch_size=500, update_conflicts=True, unique_fields=["path"], update_fields=["target"]
        )
    return redirects


def decoded(file: bytes) -> str:
    """Return the text of a list: UTF-8, and what is no UTF-8 as cp1252, which every old spreadsheet wrote."""
    try:
        return file.decode("utf-8-sig")
    except UnicodeDecodeError:
        return file.decode("cp1252", errors="replace")


class _Known:
    """The redirects that are recorded, and the slugs of events and series."""

    def __init__(self) -> None:
        self.redirects = dict(Redirect.objects.values_list("path", "target"))
        self.events = set(Event.objects.values_list("slug", flat=True))
        self.events |= set(FormerSlug.objects.values_list("slug", flat=True))
        self.series = set(Series.objects.values_list("slug", flat=True))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line with its number; the first line tells what stands between cells."""
    # Spreadsheets put a byte order mark in front, which would become part of the first address.
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    sign = next((sign for sign in "\t;," if sign in first), ",")
    for number, line in enumerate(lines, start=1):
        cells = next(csv.reader([line[:LONGEST_LINE]], delimiter=sign), [])
        written = [cell.strip() for cell in cells]
        heading = number == 1 and written and written[0].casefold() in HEADINGS
        if any(written) and not heading:
            yield number, written


# --- one line ---------------------------------------------------------------------------------------------


def _read(line: int, cells: list[str], known: _Known) -> RedirectLine:
    led = RedirectLine(line, cells[0])
    if len(cells) != 2 or not all(cells):
        return replace(led, fault=_("Write two: the old address and the new one, or the slug of an event."))
    path, query = split_address(cells[0])
    key = key_of(path, query)
    led = replace(led, path=key, target=_target(cells[1], known))
    if len(key) > LONGEST_PATH or len(led.target) > LONGEST_PATH:
        values = {"most": LONGEST_PATH}
        return replace(led, path="", fault=_("This is too long: %(most)s signs fit.") % values)
    if not (key + led.target).isprintable():
        return replace(led, path="", fault=_("There is a sign in this that no address has."))
    if _is_ours(path):
        return replace(led, fault=_("“%(old)s” is an address of this site itself.") % {"old": cells[0]})
    return led


def _target(written: str, known: _Known) -> str:
    """Return a path as it is, the slug of an event as the path of its page."""
    return reverse("event", args=[written]) if written in known.events else written


def _is_ours(path: str) -> bool:
    """Say whether an address of ours is written like that path."""
    # Readers type capitals and leave slashes out; a redirect from there would hide a page of ours.
    spellings = {path, path.lower(), f"/{path.strip('/')}/", f"/{path.strip('/').lower()}/"}
    statics = f"/{settings.STATIC_URL.strip('/')}/"
    return any(_match(each) or each.startswith(statics) for each in spellings)


def _match(path: str) -> ResolverMatch | None:
    """Return what of ours stands at a path, in the language that it names."""
    code = path.split("/", 2)[1] if path.startswith("/") else ""
    # The patterns of addresses match only in the language that they name.
    with translation.override(code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE):
        try:
            return resolve(path)
        except Resolver404:
            return None


# --- the lines together -----------------------------------------------------------------------------------


def _checked(
    led: RedirectLine, old: dict[str, RedirectLine], found: dict[str, RedirectLine], known: _Known
) -> RedirectLine | None:
    """Return the line with what only the others and the record show; None where it repeats an earlier one."""
    if led.fault:
        return led
    before = found.setdefault(led.path, led)
    if before is not led:
        values = {"line": before.line, "target": before.target}
        same = before.target == led.target
        fault = _("Line %(line)s leads this address to %(target)s already.") % values
        return None if same else replace(led, fault=fault)
    fault = _circle(led, old, known) or _nowhere(led, known)
    recorded = known.redirects.get(led.path)
    state = NEW if recorded is None else SAME if recorded == led.target else CHANGED
    return replace(led, state=state, fault=fault)


def _circle(led: RedirectLine, old: dict[str, RedirectLine], known: _Known) -> str:
    """Return what is wrong where the target is an old address itself."""
    key = key_of(*split_address(led.target))
    if key == led.path:
        return _("This address leads to itself.")
    if key in old:
        values = {"target": led.target, "line": old[key].line}
        fault = _("“%(target)s” is an old address itself, of line %(line)s. Name its own target instead.")
        return fault % values
    if key in known.redirects:
        values = {"target": led.target, "other": known.redirects[key]}
        return _("“%(target)s” is an old address itself, which leads to %(other)s.") % values
    return ""


def _nowhere(led: RedirectLine, known: _Known) -> str:
    """Return what is wrong where nothing of ours stands at the target."""
    values, parts = {"target": led.target}, parts_of(led.target)
    match = _match(parts.path) if not (parts.scheme or parts.netloc) else None
    if match is None or parts.path.strip("/").split("/")[0] in OURS_ALONE:
        return _("“%(target)s” is neither the slug of an event nor an address of this site.") % values
    slug = match.kwargs.get("slug")
    slugs = known.series if match.url_name == "series" else known.events
    return (
        _("“%(target)s” is the address of nothing that is recorded.") % values
        if slug and slug not in slugs
        else ""
    )
