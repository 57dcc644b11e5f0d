"""The pairings of a round for the wall, by table and by name."""

from collections.abc import Iterator, Sequence

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.engine import RoundKind
from standings.flags import code_beside
from standings.pages.events.notes import marks_of
from standings.pages.events.sides import COLOURS, table_word
from standings.paper.printout import BLANK, PaperColumn, Printout, paper_table, with_title
from standings.paper.source import BLACK, WHITE, PaperSource
from standings.tables.cells import WORDS
from tournaments.event.choices import Kind, white_side
from tournaments.event.resultcodes import ALONE, recorded_text
from tournaments.models import Competitor, Pairing
from tournaments.search.folding import sort_key

FEW = 40
"""The number of names up to which two columns save no pages."""


def pairings_by_table(source: PaperSource) -> Iterator[Printout]:
    event, wanted = source.event, source.wanted
    if event.is_team:
        first = second = _("team")
    elif all(white_side(event, each.colours) for each in wanted):
        first, second = f"{WHITE} {_('White')}", f"{BLACK} {_('Black')}"
    else:
        first = second = _("name")
    is_rated = not source.options.is_narrow and any(each.rating for each in source.competitors)
    columns = [
        PaperColumn("table", table_word(event)),
        *_side_columns(first, is_rated=is_rated),
        PaperColumn("result", _("result")),
        *reversed(_side_columns(second, is_rated=is_rated)),
    ]
    yield Printout(
        _("Pairings by table"),
        paper_table(
            columns, (_pairing_cells(source, each, is_rated=is_rated) for each in wanted), "pairings"
        ),
        source.options.page(),
        source.round_text,
        [source.note_of(each) for each in source.remarks_at(wanted)],
        is_draft=source.is_draft,
    )


def _side_columns(name: str, *, is_rated: bool) -> list[PaperColumn]:
    rating = [PaperColumn("rating", _("rating"))] if is_rated else []
    return [
        PaperColumn("number", _("no.")),
        PaperColumn("name", name),
        *rating,
        PaperColumn("points", _("pts")),
    ]


def _pairing_cells(source: PaperSource, pairing: Pairing, *, is_rated: bool) -> list[str]:
    result = result_on_paper(source, pairing)
    sides = [
        _pairing_side(source, each, is_rated=is_rated) for each in (pairing.first, pairing.second) if each
    ]
    if pairing.second is None:
        empty = ["", bye_text(pairing.kind), *([""] if is_rated else []), ""]
        sides.append(empty)
    # A bye has a table number in the database, but no table.
    table = str(pairing.table) if pairing.second else ""
    return [table, *sides[0], result, *reversed(sides[1])]


def _pairing_side(source: PaperSource, competitor: Competitor, *, is_rated: bool) -> list[str]:
    rating = [str(competitor.rating or "")] if is_rated else []
    name = name_on_paper(source, competitor)
    return [str(competitor.number), name, *rating, source.points.get(competitor.number, "")]


def name_on_paper(source: PaperSource, competitor: Competitor) -> SafeString:
    code = "" if source.options.is_narrow else code_beside(source.event, competitor)
    name = with_title(competitor.name, competitor.title)
    return format_html('{} <span class="code">{}</span>', name, code) if code else name


def bye_text(kind: str) -> str:
    return str(WORDS[RoundKind[Kind(kind).name]])


def result_on_paper(source: PaperSource, pairing: Pairing) -> SafeString:
    marks = marks_of(source.remarks_at([pairing]))
    if pairing.second is None:
        return escape(marks)
    text = recorded_text(source.event, pairing)
    return format_html("{}{}", text or ("–" if pairing.pk in source.decided else BLANK), marks)


def pairings_by_name(source: PaperSource) -> Iterator[Printout]:
    """Yield the competitors by name with their tables, in two columns if that saves paper."""
    lines = sorted(_pairings_of_names(source), key=lambda line: (sort_key(line[0].name), line[0].number))
    columns = source.options.columns or (1 if len(lines) <= FEW or source.options.large else 2)
    rows = [_named_row(source, *line, with_opponent=columns == 1) for line in lines]
    team = source.event.is_team
    heads = [
        PaperColumn("name", _("team") if team else _("name")),
        PaperColumn("number", _("no.")),
        PaperColumn("points", _("pts")),
        *([] if team else [PaperColumn("colour", _("colour"))]),
        PaperColumn("table", table_word(source.event)),
        *([PaperColumn("name", _("opponent"))] if columns == 1 else []),
        PaperColumn("result", _("result")),
    ]
    table = paper_table(heads, rows, "names")
    yield Printout(
        _("Pairings by name"),
        table if columns == 1 else format_html('<div class="two">{}</div>', table),
        source.options.page(),
        source.round_text,
        [
            *([] if team else [f"{WHITE} {_('White')} · {BLACK} {_('Black')}"]),
            *(source.note_of(each) for each in source.remarks_at(source.wanted)),
        ],
        is_draft=source.is_draft,
    )


def _pairings_of_names(source: PaperSource) -> Iterator[tuple[Competitor, Pairing, Competitor | None, str]]:
    for pairing in source.wanted:
        alone = pairing.second is None
        first, second = COLOURS["" if alone else white_side(source.event, pairing.colours)]
        yield pairing.first, pairing, pairing.second, first
        if pairing.second:
            yield pairing.second, pairing, pairing.first, second


def _named_row(
    source: PaperSource,
    competitor: Competitor,
    pairing: Pairing,
    opponent: Competitor | None,
    colour: str,
    *,
    with_opponent: bool,
) -> Sequence[str]:
    event = source.event
    against = name_on_paper(source, opponent) if opponent else bye_text(pairing.kind)
    # In two columns, codes would wrap every fifth name.
    name = (
        name_on_paper(source, competitor) if with_opponent else with_title(competitor.name, competitor.title)
    )
    return [
        name,
        str(competitor.number),
        source.points.get(competitor.number, ""),
        *([] if event.is_team else [colour]),
        str(pairing.table) if opponent else ALONE[Kind(pairing.kind)],
        *([against] if with_opponent else []),
        result_on_paper(source, pairing),
    ]
