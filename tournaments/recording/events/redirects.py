"""Redirects from the addresses of an old site: a pasted list, previewed and then stored completely."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.conf import settings
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.models import Event, FormerSlug, Redirect, Series
from tournaments.models.redirect import LONGEST_PATH, address_key, address_parts, split_address
from tournaments.recording.locking import saving
from tournaments.recording.refusal import PastedLine, PastedList

NEW, CHANGED, SAME = "new", "changed", "same"
LONGEST_LINE = 10 * LONGEST_PATH
HEADINGS = ("old", "old path", "old address", "from", "path")
"""Texts of the first cell in a header line."""

OURS_ALONE = ("admin", "api", "healthz", "readyz")
"""First path parts that redirects must not lead to, because these pages are not for readers."""


@dataclass(frozen=True, slots=True)
class RedirectLine(PastedLine):
    """A parsed line.

    `text`: old address as typed. `path`: its normalised form. `target`: new address. `state`: new, changed
    or the same.
    """

    path: str = ""
    target: str = ""
    state: str = NEW


class RedirectList(PastedList[RedirectLine]):
    """The parsed lines, without blank lines, headers and duplicates."""

    def count(self, state: str) -> int:
        return sum(each.state == state and not each.fault for each in self.lines)

    @property
    def changes(self) -> int:
        return self.count(NEW) + self.count(CHANGED)


def read_redirects(text: str) -> RedirectList:
    """Parse a list of `old address, new address or slug`. Four queries.

    Faults: an address of this site, a redirect to another old address or in a circle, a target that does
    not exist, and two targets for one address.
    """
    existing = _Existing()
    first_lines: dict[str, RedirectLine] = {}
    lines = [_parse_redirect(line, cells, existing) for line, cells in _redirect_rows(text)]
    by_old_path = {each.path: each for each in lines if each.path and not each.fault}
    checked = [_check_line(each, by_old_path, first_lines, existing) for each in lines]
    return RedirectList(tuple(each for each in checked if each is not None))


def enter_redirects(text: str) -> RedirectList:
    """Store the whole list. Raise Refused with its first fault, or if it is empty."""
    with saving():
        redirects = read_redirects(text)
        redirects.refuse_faulty(_("There are no lines. Write a line for each address."))
        rows = [
            Redirect(path=each.path, target=each.target) for each in redirects.lines if each.state != SAME
        ]
        Redirect.objects.bulk_create(
            rows, batch_size=500, update_conflicts=True, unique_fields=["path"], update_fields=["target"]
        )
    return redirects


class _Existing:
    """The stored redirects, and the slugs of events and series."""

    def __init__(self) -> None:
        self.redirects = dict(Redirect.objects.values_list("path", "target"))
        self.events = set(Event.objects.values_list("slug", flat=True))
        self.events |= set(FormerSlug.objects.values_list("slug", flat=True))
        self.series = set(Series.objects.values_list("slug", flat=True))


def _redirect_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    # Spreadsheets write a byte order mark, which would become part of the first address.
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    sign = next((sign for sign in "\t;," if sign in first), ",")
    for number, line in enumerate(lines, start=1):
        cells = next(csv.reader([line[:LONGEST_LINE]], delimiter=sign), [])
        written = [cell.strip() for cell in cells]
        heading = number == 1 and written and written[0].casefold() in HEADINGS
        if any(written) and not heading:
            yield number, written


# --- parsing ----------------------------------------------------------------------------------------------


def _parse_redirect(line: int, cells: list[str], existing: _Existing) -> RedirectLine:
    led = RedirectLine(line, cells[0])
    if len(cells) != 2 or not all(cells):
        return replace(led, fault=_("Write two: the old address and the new one, or the slug of an event."))
    path, query = split_address(cells[0])
    key = address_key(path, query)
    target = reverse("event", args=[cells[1]]) if cells[1] in existing.events else cells[1]
    led = replace(led, path=key, target=target)
    if len(key) > LONGEST_PATH or len(led.target) > LONGEST_PATH:
        values = {"most": LONGEST_PATH}
        return replace(led, path="", fault=_("This is too long: at most %(most)s characters.") % values)
    if not (key + led.target).isprintable():
        return replace(led, path="", fault=_("This contains a character that is not allowed in an address."))
    # Readers type capitals and omit slashes; a redirect there would hide a page of this site.
    spellings = {path, path.lower(), f"/{path.strip('/')}/", f"/{path.strip('/').lower()}/"}
    statics = f"/{settings.STATIC_URL.strip('/')}/"
    if any(_resolve(each) or each.startswith(statics) for each in spellings):
        return replace(led, fault=_("“%(old)s” is an address of this site itself.") % {"old": cells[0]})
    return led


def _resolve(path: str) -> ResolverMatch | None:
    code = path.split("/", 2)[1] if path.startswith("/") else ""
    # Localised patterns match only in their own language.
    with translation.override(code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE):
        try:
            return resolve(path)
        except Resolver404:
            return None


# --- checks -----------------------------------------------------------------------------------------------


def _check_line(
    led: RedirectLine,
    by_old_path: dict[str, RedirectLine],
    first_lines: dict[str, RedirectLine],
    existing: _Existing,
) -> RedirectLine | None:
    if led.fault:
        return led
    before = first_lines.setdefault(led.path, led)
    if before is not led:
        values = {"line": before.line, "target": before.target}
        same = before.target == led.target
        fault = _("Line %(line)s leads this address to %(target)s already.") % values
        return None if same else replace(led, fault=fault)
    fault = _circle_fault(led, by_old_path, existing) or _target_fault(led, existing)
    recorded = existing.redirects.get(led.path)
    state = NEW if recorded is None else SAME if recorded == led.target else CHANGED
    return replace(led, state=state, fault=fault)


def _circle_fault(led: RedirectLine, by_old_path: dict[str, RedirectLine], existing: _Existing) -> str:
    key = address_key(*split_address(led.target))
    if key == led.path:
        return _("This address leads to itself.")
    if key in by_old_path:
        values = {"target": led.target, "line": by_old_path[key].line}
        fault = _("“%(target)s” is an old address itself, of line %(line)s. Name its own target instead.")
        return fault % values
    if key in existing.redirects:
        values = {"target": led.target, "other": existing.redirects[key]}
        return _("“%(target)s” is an old address itself, which leads to %(other)s.") % values
    return ""


def _target_fault(led: RedirectLine, existing: _Existing) -> str:
    values, parts = {"target": led.target}, address_parts(led.target)
    match = _resolve(parts.path) if not (parts.scheme or parts.netloc) else None
    if match is None or parts.path.strip("/").split("/")[0] in OURS_ALONE:
        return _("“%(target)s” is neither the slug of an event nor an address of this site.") % values
    slug = match.kwargs.get("slug")
    slugs = existing.series if match.url_name == "series" else existing.events
    return _("There is no page at the address “%(target)s”.") % values if slug and slug not in slugs else ""
