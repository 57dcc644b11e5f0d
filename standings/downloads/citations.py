"""Citations of an event: source, URL and version, the same until the data change.

As text, BibTeX, RIS, CITATION.cff and DataCite, all made from a `CitedEvent`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from standings.texts import dates_text, day_text, discipline_name
from tournaments.event.dates import parse_day, parse_year, zone_of
from tournaments.event.reuse import Licence, doi_address, licence_of
from tournaments.models import Event

SITE = "Crosstable"
SPDX = "https://spdx.org/licenses/"
SCHEMA = "http://datacite.org/schema/kernel-4"

SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
"""The special characters of BibTeX with their escapes."""

_ADDRESS = re.compile(r"https?://[^\s<>\"]+")
_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


@dataclass(frozen=True, slots=True)
class CitedEvent:
    """The data of citations. `address`: the URL of the page. `day`: the last change of the data.

    `version` counts the changes on this site. Both are blank in an archive, which is the same on every site.
    """

    event: Event
    address: str
    day: str
    version: str

    @property
    def licence(self) -> Licence:
        return licence_of(self.event.licence)

    @property
    def year(self) -> str:
        return self.event.start[:4]

    @property
    def days(self) -> str:
        """Return `2018-09-24/2018-10-05`, blank if only the year is known."""
        days = [day for day in (self.event.start, self.event.end) if parse_day(day)]
        return "/".join(dict.fromkeys(days))

    @property
    def keywords(self) -> list[str]:
        with override("en"):
            words = [discipline_name(self.event)]
        if self.event.knows_results:  # else the import derived the schedule
            words.append(self.event.schedule.replace("-", " "))
        series = [self.event.series.name] if self.event.series else []
        return [*words, "tournament results", *series]

    @property
    def summary(self) -> str:
        parts = "Pairings, results and standings" if self.event.knows_results else "Published standings"
        return f"{parts} of {self.event.name}."

    @property
    def sources(self) -> list[str]:
        found = (each.rstrip(".,;)") for text in self.event.sources for each in _ADDRESS.findall(text))
        return list(dict.fromkeys(found))


def citation_data(event: Event, address: str, *, in_archive: bool = False) -> CitedEvent:
    if in_archive:
        return CitedEvent(event, address, "", "")
    changed = event.changed_at
    day = changed.astimezone(zone_of(event.time_zone)).date().isoformat() if changed else ""
    return CitedEvent(event, address, day, f"{event.data_version}")


def citation_text(of: CitedEvent) -> str:
    """Return `43rd Olympiad, Open. Batumi, 24 September – 5 October 2018. Crosstable, data version 4, …`.

    Unknown parts are left out, as are version and last change in an archive.
    """
    event = of.event
    where = ", ".join(filter(None, (event.place, dates_text(event))))
    what = ". ".join(part for part in (event.name, where) if part)
    address = doi_address(event.doi) or of.address
    version = _("data version %(version)s") % {"version": of.version} if of.version else ""
    change = _("last change %(date)s") % {"date": day_text(of.day)} if of.day else ""
    return f"{what}. {', '.join(filter(None, (SITE, version, change)))}. {address}"


def bibtex(of: CitedEvent) -> str:
    """Return an entry that all versions of BibTeX can read, without unknown fields."""
    event = of.event
    fields = {
        "title": f"{{{escaped(event.name)}}}",
        "year": of.year,
        "address": escaped(event.place),
        "howpublished": rf"\url{{{of.address}}}",
        "publisher": SITE,
        "doi": event.doi if event.doi == escaped(event.doi).replace(r"\_", "_") else escaped(event.doi),
        "note": escaped(", ".join(_citation_notes(of))),
    }
    lines = [f"  {name:<12} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{event.slug},", *lines, "}"]) + "\n"


def _citation_notes(of: CitedEvent) -> Iterator[str]:
    if of.days:
        yield of.days
    if of.version:
        yield f"Data version {of.version}"
    if of.day:
        yield f"last change {of.day}"
    if of.licence:
        yield f"licence: {of.licence.text}"


def escaped(text: str) -> str:
    return re.sub(r"[\\~^&%$#_{}]", lambda sign: SIGNS[sign[0]], text)


def ris(of: CitedEvent) -> str:
    event = of.event
    fields = [
        ("TY", "DATA"),
        ("TI", event.name),
        ("PY", of.year),
        ("DA", of.day.replace("-", "/")),
        ("CY", event.place),
        ("PB", SITE),
        ("ET", of.version and f"Data version {of.version}"),
        ("DO", event.doi),
        ("UR", of.address),
        *(("KW", word) for word in of.keywords),
        ("AB", of.summary),
        *(("N1", note) for note in _citation_notes(of)),
    ]
    lines = [f"{tag}  - {' '.join(_BREAKS.sub(' ', text).split())}" for tag, text in fields if text]
    return "".join(f"{line}\r\n" for line in [*lines, "ER  - "])


def cff(of: CitedEvent) -> str:
    event, licence = of.event, of.licence
    fields = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": event.name,
        "version": of.version,
        "date-released": of.day if parse_day(of.day) else "",
        "doi": event.doi,
        "url": of.address,
        "license": licence.code,
        "license-url": "" if licence.code else licence.address,
        "abstract": of.summary,
    }
    lines = [f"{name}: {_quoted(value)}" for name, value in fields.items() if value]
    lines += ["authors:", f"  - name: {_quoted(SITE)}"]
    lines += ["keywords:", *(f"  - {_quoted(word)}" for word in of.keywords)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", quoted)


def datacite(of: CitedEvent) -> str:
    event = of.event
    place = ", ".join(filter(None, (event.place, event.country)))
    facts = {
        "schemaVersion": SCHEMA,
        "doi": event.doi,
        "identifiers": [{"identifier": of.address, "identifierType": "URL"}],
        "creators": [{"name": SITE, "nameType": "Organizational"}],
        "titles": [{"title": event.name}],
        "publisher": {"name": SITE},
        # Not the year of the event: its data may be published a century later.
        "publicationYear": parse_year(of.day),
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Results of a tournament"},
        "subjects": [{"subject": word} for word in of.keywords],
        "dates": [
            {"date": day, "dateType": kind}
            for kind, day in ({"Coverage": of.days or event.start, "Updated": of.day}).items()
            if day
        ],
        "version": of.version,
        "rightsList": _rights(of.licence),
        "descriptions": [{"description": of.summary, "descriptionType": "Abstract"}],
        "geoLocations": [{"geoLocationPlace": place}] if place else [],
        "relatedIdentifiers": [
            {
                "relatedIdentifier": address,
                "relatedIdentifierType": "URL",
                "relationType": "IsDerivedFrom",
            }
            for address in of.sources
        ],
    }
    return json.dumps(without_empty(facts), ensure_ascii=False, indent=1) + "\n"


def _rights(licence: Licence) -> list[dict[str, str]]:
    if not licence:
        return []
    spdx = {
        "rightsIdentifier": licence.code,
        "rightsIdentifierScheme": "SPDX",
        "schemeUri": SPDX,
    }
    rights = {"rights": licence.text, "rightsUri": licence.address, **(spdx if licence.code else {})}
    return [without_empty(rights)]


def without_empty(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if fact}
