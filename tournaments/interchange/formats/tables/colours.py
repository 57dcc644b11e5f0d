"""The meaning of `b` in a crosstable: Black in English, White in French, Spanish, Italian, Polish and others.

It follows from the other letters in the table: with `w`, `b` is Black; with `n`, `c`, `č` or `p` it is White.
If `b` is the only letter, the language of the heading decides, else the user.
"""

from collections import Counter
from collections.abc import Sequence

from tournaments.event.finding import Finding, Place, objection, warning
from tournaments.interchange.formats.tables.crosstable_cells import BLACK, EITHER, WHITE, colour_letter
from tournaments.interchange.formats.tables.heading_words import languages_of
from tournaments.interchange.formats.tables.headings import HeadedTable

_WITH_B = frozenset("zsa")  # letters for Black that occur with `b` only in Turkish: beyaz, siyah
_WHERE_B_IS_WHITE = frozenset({"French", "Spanish", "Italian", "Portuguese", "Polish", "Turkish"})


def read_colours(table: HeadedTable, columns: Sequence[int], choice: str) -> tuple[bool, Finding | None]:
    """Return whether `b` is White in the cells of the columns, and the evidence or a question as a finding.

    `choice`: chosen by the user, or blank.
    """
    counts = Counter(
        letter for row in table.rows for at in columns if (letter := colour_letter(row.cell(at)))
    )
    if choice or not counts[EITHER]:
        return choice == "white", None
    whites = {each: counts[each] for each in WHITE if counts[each]}
    blacks = {each: counts[each] for each in BLACK if counts[each]}
    place = Place(table.grid.name)
    languages = languages_of(table.heading.cells if table.heading else ())
    if whites and not blacks:
        return False, None
    is_turkish = blacks.keys() == {"s"} and languages.keys() == {"Turkish"}
    if blacks and not whites and (is_turkish or not _WITH_B & blacks.keys()):
        text = (
            f"“b” is read as White, for the other letter is {_counted_letters(blacks)} beside "
            f"{counts[EITHER]} of it{_by_language(languages)}. Choose otherwise if b is Black."
        )
        return True, warning("colour-letters", place, text)
    if not (whites or blacks):
        count = counts[EITHER]
        is_white = bool(languages) and languages.keys() <= _WHERE_B_IS_WHITE
        if is_white or (languages and not languages.keys() & _WHERE_B_IS_WHITE):
            colour = "White" if is_white else "Black"
            by = _by_language(languages)
            text = f"“b” is the only letter of a colour ({count}), and read as {colour}{by}."
            return is_white, warning("colour-letters", place, text)
        text = (
            f"“b” is the only letter of a colour ({count}): it may be Black, as in English, or White, as "
            "in French, Spanish, Italian or Polish; it is read as Black. Choose the colour of b."
        )
        return False, objection("colour-letters", place, text)
    is_white = sum(blacks.values()) > sum(whites.values())
    text = (
        f"The cells say colours by {_counted_letters(whites | blacks | {EITHER: counts[EITHER]})}, so “b” "
        f"may be Black or White; it is read as {'White' if is_white else 'Black'}. Say which colour b is."
    )
    return is_white, objection("colour-letters", place, text)


def _by_language(languages: dict[str, list[str]]) -> str:
    told = [f"{name} (“{'”, “'.join(words[:3])}”)" for name, words in languages.items()]
    return f", and the heading is {' or '.join(told)}" if told else ""


def _counted_letters(letters: dict[str, int]) -> str:
    return " and ".join(f"“{letter}” ({count})" for letter, count in letters.items())
