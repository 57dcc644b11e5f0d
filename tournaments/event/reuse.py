"""The DOI and the licence of an event's data."""

import re
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

DOI_PATTERN = r"10\.[0-9]{4,9}(\.[0-9]+)*/[!-;=?-~]+"
"""A DOI that resolvers accept: a prefix that begins with 10, a slash, and ASCII except < and >."""

LONGEST_DOI = 200
RESOLVER = "https://doi.org/"

_DOI = re.compile(DOI_PATTERN)
_BEFORE_A_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)

CREATIVE_COMMONS = "https://creativecommons.org"
LICENCES = {
    "CC0-1.0": ("CC0 1.0", f"{CREATIVE_COMMONS}/publicdomain/zero/1.0/"),
    "CC-PDDC": ("Public domain", f"{CREATIVE_COMMONS}/licenses/publicdomain/"),
    **{
        f"CC-{terms}-{version}": (
            f"CC {terms} {version}",
            f"{CREATIVE_COMMONS}/licenses/{terms.lower()}/{version}/",
        )
        for terms in ("BY", "BY-SA", "BY-NC", "BY-ND", "BY-NC-SA", "BY-NC-ND")
        for version in ("3.0", "4.0")
    },
    "ODbL-1.0": ("ODbL 1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
    "ODC-By-1.0": ("ODC-By 1.0", "https://opendatacommons.org/licenses/by/1-0/"),
    "PDDL-1.0": ("PDDL 1.0", "https://opendatacommons.org/licenses/pddl/1-0/"),
    "DL-DE-BY-2.0": ("Datenlizenz Deutschland BY 2.0", "https://www.govdata.de/dl-de/by-2-0"),
    "etalab-2.0": ("Licence Ouverte 2.0", "https://spdx.org/licenses/etalab-2.0.html"),
    "OGL-UK-3.0": (
        "Open Government Licence 3.0",
        "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
    ),
}
"""The licences for data that have an SPDX id: the name and the URL of each."""

_ADDRESS = re.compile(r"https?://[^\s<>\"]+")


class Licence(NamedTuple):
    """A licence: its name, and the URL of its terms and its SPDX id if known."""

    text: str
    address: str = ""
    code: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)


def licence_in(written: str) -> Licence:
    """Return the licence of an SPDX id, a URL or free text; an empty one if the text is blank."""
    spelled = re.sub(r"\s+", "-", written.strip()).casefold()
    for code, (name, address) in LICENCES.items():
        # Texts have CC BY 4.0, and older records CC0.
        if spelled in {code.casefold(), code.casefold().removesuffix("-1.0"), address}:
            return Licence(name, address, code)
    found = _ADDRESS.search(written)
    return Licence(written.strip(), found[0].rstrip(".,;)") if found else "")


def licence_of(stated: str) -> Licence:
    return licence_in(stated or settings.SITE_LICENCE)


def is_doi(written: str) -> bool:
    """Return whether a text is a DOI without a URL: `10.5281/zenodo.1234567`."""
    return len(written) <= LONGEST_DOI and bool(_DOI.fullmatch(written))


def bare_doi(written: str) -> str:
    text = written.strip()
    found = _BEFORE_A_DOI.match(text)
    return text[found.end() :] if found else text


def doi_address(doi: str) -> str:
    return f"{RESOLVER}{doi}" if doi else ""


def known_doi(written: str) -> None:
    """Raise ValidationError unless the text is a DOI."""
    if not is_doi(written):
        raise ValidationError(
            gettext_lazy("“%(doi)s” is no DOI. Write 10.5281/zenodo.1234567."), params={"doi": written}
        )
