"""A final table as lines of text, from a newspaper, a PDF or a list of a page.

    1. Arends 7½/9
    2-3. Claes, Brill 7

A line is a place, a name, perhaps a title, a country and a rating, then points and further figures. Several
lines share the place `2-3` or `=2`, or one line has all their names. `7½/9` gives the number of rounds.
"""

import re
from collections import Counter
from dataclasses import replace

from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import (
    FieldRow,
    Layout,
    LayoutFile,
    LayoutReading,
    Signs,
    table_of_rows,
)
from tournaments.interchange.formats.layouts.titles import count_titles, outline_of_titles
from tournaments.interchange.formats.tables.grid import GridRow, as_cell
from tournaments.interchange.formats.tables.heading_words import MEANINGS, word_of
from tournaments.interchange.formats.tables.headings import COMPETITORS, PRINTED, TITLE
from tournaments.interchange.formats.tables.reading import mappings_of

_PLACE = re.compile(r"=?(\d{1,3})(?:[-–](\d{1,3}))?(?:st|nd|rd|th|er|e|[ªº°])?[.):=]{0,2}")
_FIGURE = re.compile(r"(\d{1,3}(?:[.,]\d{1,3}|½)?|½)(?:/(\d{1,3}))?")
_CODE, _RATING = re.compile("[A-Z]{3}"), re.compile(r"\d{4}")
_HALF = re.compile(r"(?<=\d)[ \xa0]?½|(?<=\d)[ \xa0]1/2(?!\S)|(?<!\S)1/2(?!\S)")
_IN_A_LINE = re.compile(r"(?<=[\d½)])[;,.]?\s(?=\d{1,3}(?:[-–]\d{1,3})?[.)]\s)")
"""Between the entries of a line: `1. Arends 7½; 2. Brill 7`."""

_NAMES = re.compile(r", ?| (?:and|en|und|et|y|e|i|и) ")
_SEPARATORS = re.compile(r"[\t;|]+")
_FEWEST, _LARGEST_GAP, _LONGEST_LINE, _MOST_FIGURES = 3, 3, 2_000, 20
_LABELS = {
    "label": "Place", "title": "Title", "name": "Name", "code": "Code", "rating": "Rating",
    "points": "Points", **{f"{PRINTED}:{at}": f"Figure {at}" for at in range(2, _MOST_FIGURES + 1)},
}  # fmt: skip


def _fields_of(text: str) -> dict[str, str] | None:
    """Return the fields of an entry, None for other texts. `figures` and `rounds` are no columns."""
    words = _HALF.sub("½", text).split()
    place = words.pop(0) if words else ""
    figures: list[str] = []
    rounds = ""
    while words:
        word = words[-1].strip("(),;.")
        if found := _FIGURE.fullmatch(word):
            figures.insert(0, found[1])
            rounds = found[2] or rounds
        elif figures or "points" not in MEANINGS.get(word_of(word), ()):
            break
        words.pop()
    title = words.pop(0) if len(words) > 1 and TITLE.fullmatch(words[0]) else ""
    rating = words.pop() if len(words) > 1 and _RATING.fullmatch(words[-1]) else ""
    code = words.pop() if len(words) > 1 and _CODE.fullmatch(words[-1].strip("()")) else ""
    name = " ".join(words).strip(" ,:.…")
    is_name = sum(map(str.isalpha, name)) > 1 and not any(map(str.isdigit, name))
    is_entry = is_name and _PLACE.fullmatch(place) and len(figures) <= _MOST_FIGURES
    fields = {
        "label": place.rstrip(".):"),
        "title": title,
        "name": name,
        "code": code.strip("()"),
        "rating": rating,
    }
    more = {f"{PRINTED}:{at}": each for at, each in enumerate(figures[1:], start=2)}
    return {**fields, "points": "".join(figures[:1]), **more, "rounds": rounds} if is_entry else None


def _entries_of(file: LayoutFile) -> list[FieldRow]:
    """Return the entries from place 1 on, [] for other texts. `12 April 1938` is no entry."""
    found: list[FieldRow] = []
    last, following = 1, 1
    for line, text in enumerate(file.lines, start=1):
        words = _SEPARATORS.sub(" ", text[:_LONGEST_LINE]).split()
        parts = _IN_A_LINE.split(" ".join(words))
        for fields in filter(None, map(_fields_of, parts)):
            place = _PLACE.fullmatch(fields["label"])
            is_alike = not found or bool(fields["points"]) == bool(found[0][1]["points"])
            if place and is_alike and last <= int(place[1]) <= following + _LARGEST_GAP * bool(found):
                found.append((line, fields))
                last = int(place[1])
                following = max(following, int(place[2] or last), len(found)) + 1
    return _with_names_split(found) if len(found) >= _FEWEST else []


def _with_names_split(entries: list[FieldRow]) -> list[FieldRow]:
    """Return an entry for each name of a line such as `2-3. Brill, Claes 7`."""
    lines = Counter(fields["label"] for _, fields in entries)
    found: list[FieldRow] = []
    for line, fields in entries:
        place = _PLACE.fullmatch(fields["label"])
        names = _NAMES.split(fields["name"])
        shared = int(place[2]) - int(place[1]) + 1 if place and place[2] else 1
        is_split = lines[fields["label"]] == 1 < shared == len(names)
        found += [(line, {**fields, "name": each}) for each in (names if is_split else [fields["name"]])]
    return found


def recognise_final_list(file: LayoutFile) -> Signs:
    entries = _entries_of(file)
    roles = {
        each.role: table.heading for table, each in zip(file.tables, mappings_of(file.tables), strict=True)
    }
    has_points = bool(entries and entries[0][1]["points"])
    # A table without a heading that is known by its cells may be this list, split at its commas.
    if not entries or any(roles.values()) or (any(roles) and not has_points):
        return ()
    sign = f"lines with places and names, such as “{as_cell(file.lines[entries[0][0] - 1])[:60]}”"
    return (sign, "points or figures at their ends") if has_points else (sign,)


def read_final_list(file: LayoutFile) -> LayoutReading:
    entries, tally = _entries_of(file), ReadingTally()
    read = {line for line, _ in entries}
    rows = [GridRow(line, (as_cell(text),)) for line, text in enumerate(file.lines, start=1)]
    titles = [row for row in rows if row.number not in read and row.cell(0)]
    outline = outline_of_titles(titles)
    tally.read("lines", len(read))
    count_titles(titles, outline.titles, tally)
    rounds = {fields["rounds"] for _, fields in entries} - {""}
    if len(rounds) == 1:
        outline = outline.with_fact("rounds", rounds.pop(), "the points")
    labels = dict(_LABELS)
    for words in (row.cell(0).split() for row in titles):
        named = [at for at, each in enumerate(words) if at and "points" in MEANINGS.get(word_of(each), ())]
        labels |= dict(zip([*_LABELS][5:], words[named[0] :] if named else (), strict=False))
    used = [each for each in _LABELS if any(fields.get(each) for _, fields in entries)]
    cells = [GridRow(line, tuple(fields.get(each, "") for each in used)) for line, fields in entries]
    fields = [each.partition(":")[0] for each in used]
    table, mapping = table_of_rows(COMPETITORS, fields, cells, labels=[labels[each] for each in used])
    table = replace(table, grid=replace(table.grid, rows=(*titles, *table.grid.rows)))
    return LayoutReading.of_built(
        [(table, mapping)] if entries else [], outline, file.text_findings, tally.account()
    )


FINAL_LIST = Layout(
    code="final-list",
    name="a final table as lines of text",
    endings=(".txt", ".html", ".htm"),
    recognise=recognise_final_list,
    read=read_final_list,
    example=(
        "Harbour Chess Congress 1938\nFinal standings after 5 rounds\n\n1. Arends 4½\n"
        "2-3. Brill 3\n2-3. Claes 3\n"
        "4. Dorn 2½\n5-6. Ekman, Faber 1\n"
    ),
    is_generic=True,
)
