"""Recognition of the layout of a file. The layout with the most signs is used; users decide ties."""

from dataclasses import dataclass, replace

from tournaments.event.finding import Place, cut_message, error, errors
from tournaments.interchange.formats.layouts import LAYOUT_BY_CODE, LAYOUTS
from tournaments.interchange.formats.layouts.generic import read_by_headings
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs


@dataclass(frozen=True, slots=True)
class Recognition:
    """The layout of a file with its signs; None if no layout is recognised.

    `is_chosen`: the user chose it. `others`: further layouts with signs in the file, the best first.
    """

    layout: Layout | None
    signs: Signs = ()
    is_chosen: bool = False
    others: tuple[tuple[Layout, Signs], ...] = ()

    @property
    def level(self) -> list[tuple[Layout, Signs]]:
        """Return the other layouts with as many signs, of which the user must choose."""
        if self.is_chosen or self.layout is None:
            return []
        rank = (self.layout.is_generic, len(self.signs))
        return [pair for pair in self.others if (pair[0].is_generic, len(pair[1])) == rank]

    @property
    def evidence(self) -> str:
        return "; ".join(self.signs)


UNRECOGNISED = Recognition(None)

# beginning and colour of the heading of this site's table for pasting into a page
PASTABLE_TABLE = '<table border="1" cellpadding="4" cellspacing="0">'
PASTABLE_HEAD = "#eeeeee"


@dataclass(frozen=True, slots=True)
class RecognisedFile:
    """A file with its layout and reading."""

    recognition: Recognition
    reading: LayoutReading

    @property
    def has_evidence(self) -> bool:
        """Return whether there is more evidence than a few cells."""
        recognition = self.recognition
        if recognition.layout is None or recognition.is_chosen:
            return recognition.is_chosen
        return not recognition.layout.is_generic or any(table.heading for table, _ in self.reading.tables)

    @property
    def is_by_headings(self) -> bool:
        """Return whether the tables are known by their headings, not by a program."""
        layout = self.recognition.layout
        return self.reading.account is None and (layout is None or layout.is_generic)


def recognised(file: LayoutFile) -> Recognition:
    """Return the layout that was chosen for a file, else the one with the most signs."""
    found = [(each, signs) for each in LAYOUTS if (signs := tuple(map(cut_message, each.recognise(file))))]
    # The user must choose among layouts with as many signs, so the order of LAYOUTS does not matter.
    found.sort(key=lambda pair: (pair[0].is_generic, -len(pair[1])))
    if chosen := LAYOUT_BY_CODE.get(file.options.layout):
        signs = next((signs for each, signs in found if each is chosen), ())
        return Recognition(chosen, signs, True, tuple(pair for pair in found if pair[0] is not chosen))
    if not found:
        return UNRECOGNISED
    (layout, signs), *others = found
    return Recognition(layout, signs, False, tuple(others))


def read_by_layout(file: LayoutFile) -> RecognisedFile:
    """Return the tables of a file by its layout, or by their headings if no layout is recognised."""
    signs = (PASTABLE_TABLE, f'<tr bgcolor="{PASTABLE_HEAD}">', "/competitors/")
    if not file.options.layout and all(sign in file.text for sign in signs):
        text = (
            "This is the table of this site that is made to be pasted into a page. It has no results, so it "
            "is not imported. Download the event file (JSON), the CSV or the report (TRF) and import that."
        )
        refused = error("table-to-paste", Place(), text)
        return RecognisedFile(UNRECOGNISED, LayoutReading(findings=(refused,)))
    recognition = recognised(file)
    if recognition.layout is None:
        found = read_by_headings(file, file.mapped)
        if errors(file.text_findings):
            found = replace(found, findings=file.text_findings)
        return RecognisedFile(recognition, found)
    reading = recognition.layout.read(file)
    if recognition.level:
        best = [(recognition.layout, recognition.signs), *recognition.level]
        several = " or ".join(f"{each.name} ({'; '.join(signs)})" for each, signs in best)
        codes = ", ".join(each.code for each, _ in best)
        text = f"This may be {several}. Choose the layout: {codes}."
        reading = replace(
            reading, findings=(*reading.findings, error("several-layouts", Place("layout"), text))
        )
    return RecognisedFile(recognition, reading)
