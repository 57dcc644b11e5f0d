"""Start list, attendance list, colour history and booklet."""

from collections.abc import Callable, Iterator, Mapping

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from standings.basis import basis_text
from standings.engine import RoundKind, fraction_text
from standings.flags import code_beside
from standings.pages.competitors.competitor import Cards
from standings.paper.pairings import name_on_paper, pairings_by_table
from standings.paper.printout import BLANK, PaperColumn, Printout, paper_row, paper_table, rows_in, with_title
from standings.paper.source import BLACK, WHITE, PaperSource
from standings.paper.tables import cross_table, standings_list
from standings.tables.cells import SIGN
from tournaments.event import dates
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Player
from tournaments.pairing.history import play_histories
from tournaments.recording.competitors.attendance import rounds_off
from tournaments.search.folding import sort_key

MOST_ROUNDS = 12
"""The number of round columns that fit on a portrait page."""

BY_NUMBER = "number"
SIGNS = {"w": WHITE, "b": BLACK, "-": "·"}
ABSENT = SIGN[RoundKind.ABSENT]
BYES = {Kind.HALF_BYE: SIGN[RoundKind.HALF_BYE], Kind.ZERO_BYE: SIGN[RoundKind.ZERO_BYE]}
Particular = Callable[[Competitor | Player], str]


def start_list(source: PaperSource) -> Iterator[Printout]:
    given = [
        (column, value)
        for column, value in _particulars(source)
        if any(value(each) for each in _everybody(source))
    ]
    columns = [
        PaperColumn("number", _("no.")),
        PaperColumn("name", _("team") if source.event.is_team else _("name")),
        *(column for column, _value in given),
    ]

    def rows() -> Iterator[str]:
        for each in source.competitors:
            if not source.options.among(each.number):
                continue
            cells = [
                str(each.number),
                with_title(each.name, each.title),
                *(value(each) for _column, value in given),
            ]
            yield paper_row(columns, cells, "team" if source.event.is_team else "")
            if source.event.is_team:
                for player in each.players.all():
                    name = with_title(player.name, player.title)
                    inside = [value(player) for _column, value in given]
                    yield paper_row(columns, [str(player.board or ""), name, *inside], "player")

    seed = source.event.start_seed
    drawn = _("Numbers drawn by lot, seed %(seed)s") % {"seed": seed} if seed else ""
    yield Printout(_("Start list"), rows_in(columns, rows(), "start-list"), source.options.page(), drawn)


def _everybody(source: PaperSource) -> Iterator[Competitor | Player]:
    for each in source.competitors:
        yield each
        if source.event.is_team:
            yield from each.players.all()


def _particulars(source: PaperSource) -> list[tuple[PaperColumn, Particular]]:
    def code(each: Competitor | Player) -> str:
        return code_beside(source.event, each) if isinstance(each, Competitor) else ""

    return [
        (PaperColumn("code", _("code")), code),
        (PaperColumn("rating", _("rating")), lambda each: str(each.rating or "")),
        (PaperColumn("born", _("born")), lambda each: str(dates.parse_year(each.born) or "")),
        (PaperColumn("club", _("club")), lambda each: each.club),
        (PaperColumn("club", _("city")), lambda each: each.city),
        (PaperColumn("id", "FIDE"), lambda each: str(each.fide_id or "")),
        (PaperColumn("id", "FMJD"), lambda each: str(each.fmjd_id or "")),
    ]


def attendance_list(source: PaperSource) -> Iterator[Printout]:
    rounds = [source.round.number] if source.round else list(range(1, source.event.planned_rounds + 1))
    columns = [
        PaperColumn("number", _("no.")),
        PaperColumn("name", _("team") if source.event.is_team else _("name")),
        *(PaperColumn("tick", f"{number}") for number in rounds),
        *([PaperColumn("remark", _("remark"))] if source.round or len(rounds) <= MOST_ROUNDS else []),
    ]
    wanted = [each for each in source.competitors if source.options.among(each.number)]
    if source.options.order != BY_NUMBER:
        wanted.sort(key=lambda each: (sort_key(each.name), each.number))

    # For a round, the desk knows absences that were not requested: those found at the door.
    off = rounds_off(source.event, source.round.number) if source.round else None

    def cells(each: Competitor) -> list[str]:
        ticks = [_tick(each, number, off) for number in rounds]
        remark = [""] if columns[-1].css == "remark" else []
        return [str(each.number), name_on_paper(source, each), *ticks, *remark]

    yield Printout(
        _("Attendance"),
        paper_table(columns, map(cells, wanted), "attendance"),
        source.options.page(is_wide=len(rounds) > MOST_ROUNDS),
        source.round_text,
    )


def _tick(competitor: Competitor, number: int, off: Mapping[int, Kind | None] | None) -> str:
    if off is not None:
        plays = competitor.number not in off
        return BLANK if plays else BYES.get(off[competitor.number] or Kind.ABSENT, ABSENT)
    if competitor.withdrawn_after is not None and competitor.withdrawn_after < number:
        return ABSENT
    asked = competitor.requested_byes.get(str(number))
    return BYES[Kind(asked)] if asked in BYES else BLANK


def colour_history(source: PaperSource) -> Iterator[Printout]:
    sheet = source.standings
    table = sheet.standings.table
    columns = [
        PaperColumn("number", _("no.")),
        PaperColumn("name", _("name")),
        PaperColumn("points", _("pts")),
        *(PaperColumn("sign", f"{number}") for number in range(1, table.rounds + 1)),
        PaperColumn("sign", f"{WHITE} − {BLACK}"),
    ]
    past = play_histories(table, table.rounds + 1)

    def cells(entry: CompetitorInfo) -> list[str]:
        own = past[entry.number]
        balance = own.colours.count("w") - own.colours.count("b")
        name = with_title(entry.name, entry.title)
        signs = (SIGNS[each] for each in own.colours)
        return [
            str(entry.number),
            name,
            fraction_text(own.points, 2),
            *signs,
            f"{balance:+d}" if balance else "0",
        ]

    wanted = (entry for entry in sheet.entries if source.options.among(entry.number))
    yield Printout(
        _("Colours"),
        paper_table(columns, map(cells, wanted), "colours"),
        source.options.page(is_wide=table.rounds > MOST_ROUNDS),
        basis_text(sheet.basis),
    )


def booklet(source: PaperSource) -> Iterator[Printout]:
    event, sheet = source.event, source.standings
    yield from start_list(source)
    yield from standings_list(source)
    if not event.knows_results:
        return
    yield from cross_table(source)
    if event.knows_round_order:
        for round_ in event.rounds.filter(number__lte=source.paired).order_by("number"):
            yield from pairings_by_table(PaperSource(source.request, event, source.options, round_))
    cards = Cards(event)
    context = {
        "event": event,
        "cards": [cards.of(sheet.entries[row].number) for row in sheet.standings.order.tolist()],
    }
    yield Printout(
        _("Teams") if event.is_team else _("Players"),
        render_to_string("paper/cards.html", context),
        source.options.page(),
        basis_text(sheet.basis),
        css="games",
    )
