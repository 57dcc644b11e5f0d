"""Extract texts for translation, update the catalogues and compile them.

`make messages` runs it (docs/translation.md). Texts are those marked in Python and templates, names and rules
of criteria, and names of systems and federations. GNU gettext is not needed.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import django
from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from standings.engine import SYSTEMS, all_criteria
from tournaments.event.federations import ROWS, bearers

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
PUBLIC, TEMPLATES, ENGINE = ROOT / "standings", ROOT / "templates", ROOT / "standings" / "engine"
RECORDING = ROOT / "tournaments" / "recording"
SPOKEN = (
    ROOT / "tournaments" / "texts.py",  # shared by the public pages and the desk
    ROOT / "tournaments" / "pairing" / "texts.py",  # also shared: reasons for pairings
    ROOT / "tournaments" / "prizes" / "texts.py",
    *sorted((ROOT / "tournaments" / "hall").glob("*.py")),
    *(RECORDING / f"{path}.py" for path in ("teams/board_orders", "teams/from_captains")),
    *(RECORDING / f"{path}.py" for path in ("events/error_reports", "results/from_players")),
)
"""Modules of `tournaments` with texts for readers and players, which are translated."""

DESK = TEMPLATES / "admin"
"""The desk is in English, so its texts are not in the catalogues."""

HEADER = "# Crosstable's public pages in another language: docs/translation.md says how."

Keyword = tuple[int | tuple[int, int] | tuple[int, str], ...] | None
KEYWORDS: Mapping[str, Keyword] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop", "phrase"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "counted_phrase"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
"""Functions that mark a text, and the positions of singular, plural and context (c)."""

Message = tuple[str | tuple[str, ...], str | None, str]
"""The text, or singular and plural; the context; the file."""


def gathered() -> Catalog:
    """Return all texts without translations, in the order of the files."""
    catalog = Catalog(charset="utf-8")
    for text, context, place in (*_in_python(), *_in_templates(), *_in_registry(), *_in_federations()):
        catalog.add(text, context=context, locations=[(place, 0)])
    return catalog


def _in_python() -> Iterator[Message]:
    for path in (*sorted(PUBLIC.rglob("*.py")), *SPOKEN):
        yield from _marked(path.read_text(encoding="utf-8"), path)


def _in_templates() -> Iterator[Message]:
    for path in sorted((*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.txt"))):
        if not path.is_relative_to(DESK):
            marked = templatize(path.read_text(encoding="utf-8"), origin=str(path))
            # Indented remains of the HTML would be invalid Python.
            yield from _marked("\n".join(line.strip() for line in marked.split("\n")), path)


def _marked(source: str, path: Path) -> Iterator[Message]:
    code = io.BytesIO(source.encode())
    for _line, text, _comments, context in extract("python", code, KEYWORDS, (), {"encoding": "utf-8"}):
        yield text, context, path.relative_to(ROOT).as_posix()


def _in_federations() -> Iterator[Message]:
    place = ROWS.relative_to(ROOT).as_posix()
    for name in sorted({bearer.name for bearer in bearers()}):
        yield name, "federation", place


def _in_registry() -> Iterator[Message]:
    place = ENGINE.relative_to(ROOT).as_posix()
    for criterion in all_criteria():
        yield criterion.name, None, place
        yield criterion.rule, None, place
        yield criterion.meaning, None, place
    for system in SYSTEMS.values():
        yield system.name, None, place


def catalogue(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(path: Path, language: str) -> Catalog:
    """Return the catalogue of a language; it may be an empty file for a new language."""
    if not path.stat().st_size:
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _empty(language: str) -> Catalog:
    now = datetime.now(UTC)
    return Catalog(
        locale=language,
        header_comment=HEADER,
        project="Crosstable",
        version="1",
        msgid_bugs_address="docs/translation.md",
        creation_date=now,
        revision_date=now,
        last_translator="Crosstable",
        language_team=language,
        fuzzy=False,
    )


def updated(language: str) -> Catalog:
    """Return the catalogue with all current texts; new texts have no translation, old ones are dropped."""
    catalog = read(catalogue(language), language)
    begun = catalog.creation_date
    catalog.update(gathered(), no_fuzzy_matching=True, update_header_comment=False)
    catalog.creation_date = begun  # so that a second run changes nothing
    catalog.obsolete.clear()
    return catalog


def written(catalog: Catalog) -> bytes:
    """Return the catalogue as a file, with the file of each text but no lines, to keep diffs small."""
    file = io.BytesIO()
    write_po(file, catalog, width=100, omit_header=False, include_lineno=False, sort_by_file=False)
    return file.getvalue()


def compiled(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def missing(catalog: Catalog) -> list[str]:
    return [str(message.id) for message in catalog if message.id and not _complete(message.string)]


def _complete(translation: str | Iterable[str] | None) -> bool:
    return all([translation] if isinstance(translation, str) else translation or [""])


def main() -> None:
    settings.configure(USE_I18N=False)  # templates are read as text, without the settings of the site
    django.setup()
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/django.po")):
        language = path.parts[-3]
        catalog = updated(language)
        path.write_bytes(written(catalog))
        path.with_suffix(".mo").write_bytes(compiled(catalog))
        lacking = missing(catalog)
        print(f"{language}: {len(catalog)} texts, {len(lacking)} without translation")
        for text in lacking:
            print(f"  {text}")


if __name__ == "__main__":
    main()
