"""The tables of career pages."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from standings.careers.members import Member
from standings.careers.participation import WHITE, CareerGame, CareerTally, Participation
from standings.careers.records import Record
from standings.careers.totals import CareerTotals, FederationTotal, GameOfCareer, OpponentTotal, YearTotal
from standings.engine import fraction_text
from standings.flags import flag_of, printed_code, year_of
from standings.statistics.counting import FORFEIT, PLAYED, UNKNOWN
from standings.statistics.summary import per_cent_text
from standings.statistics.texts import exact_hundredths, hundredths_text
from standings.tables.sorting import SortedTable, TableColumn
from standings.texts import dates_text, kind_name, name_of_federation
from tournaments.event.federations import federation
from tournaments.models import Event

HALF = 2
TINTS = {1: "w", 0: "d", -1: "l"}


def events_table(career: Sequence[Participation], title: str, *, is_team: bool = False) -> SortedTable:
    rows = list(reversed(career))
    performances = [
        "" if each.performance is None else _linked(each, str(each.performance), "#ratings") for each in rows
    ]
    names = [each.name for each in rows]
    names = names if is_team and len(set(names)) > 1 else [""] * len(names)
    known = [each if each.event.knows_results else None for each in rows]
    points = [_linked(each, "" if each.points is None else fraction_text(each.points, HALF)) for each in rows]
    columns = [
        _column("date", _("date"), _("Date"), "when", [_when(each) for each in rows]),
        TableColumn("event", _("event"), _("Event"), "who", [_event_cell(each) for each in rows]),
        _column("team", _("team"), _("Team"), "left", [_linked(each, each.team) for each in rows]),
        _column("as", _("as"), _("Name in the event"), "left", map(escape, names)),
        _column("board", _("bd"), _("Board"), "tb", [str(each.board or "") for each in rows]),
        _column("place", _("place"), _("Place"), "tb", map(_place_link, rows)),
        _column("score", _("points"), _("Points"), "lead", points),
        *_outcome_columns([each.tally if each else None for each in known], is_team=is_team),
        _column("rating", _("rating"), _("Rating"), "rated", [str(each.rating or "") for each in rows]),
        _column("performance", _("Rp"), _("Performance rating"), "rated", performances),
        _column("change", _("Rtg±"), _("Rating change"), "rated", map(_rating_change_link, rows)),
    ]
    return SortedTable(title, [each for each in columns if each.cells and _has_text(each)])


def _has_text(column: TableColumn) -> bool:
    return any(not cell.endswith('"></td>') for cell in column.cells)


def _when(each: Participation) -> str:
    start = escape(each.event.start)
    return f'<time datetime="{start}">{escape(dates_text(each.event))}</time>' if start else ""


def _event_cell(each: Participation) -> str:
    event = each.event
    link = f"{flag_of(event.country, year_of(event))}{_link_to_event(event)}"
    return f'<th scope="row" class="who">{link}{_progress_label(event)}</th>'


def _progress_label(event: Event) -> str:
    return "" if event.is_over else f' <span class="state">{escape(_("in progress"))}</span>'


def card_of(each: Participation) -> str:
    return reverse("competitor", args=[each.event.slug, each.number])


def _linked(each: Participation, text: str, anchor: str = "") -> str:
    return f'<a href="{escape(card_of(each))}{anchor}">{escape(text)}</a>' if text else ""


def career_place_text(place: int | str, ranked: int) -> str:
    return _("%(place)s of %(ranked)s") % {"place": place, "ranked": ranked} if place else "–"


def _place_link(each: Participation) -> str:
    return _linked(each, career_place_text(each.place, each.ranked))


def _rating_change_link(each: Participation) -> str:
    if each.change is None:
        return ""
    text = hundredths_text(each.change, signed=True)
    return f'<data value="{exact_hundredths(each.change)}">{_linked(each, text, "#ratings")}</data>'


def members_table(members: Sequence[Member], title: str) -> SortedTable:
    tallies = [each.tally for each in members]
    points = [
        fraction_text(each.points, HALF) if any(e.games for e in each.editions) else "" for each in members
    ]
    columns = [
        _heading_column("player", _("player"), [_member_name(each) for each in members]),
        _column("events", _("events"), _("Events"), "tb", [str(len(each.editions)) for each in members]),
        _column("editions", _("years"), _("Years"), "left editions", map(_editions, members)),
        _column("points", _("points"), _("Points"), "lead", points),
        *_tally_columns(tallies),
    ]
    return SortedTable(title, [each for each in columns if _has_text(each)])


def _member_name(member: Member) -> str:
    title = next((each.title for each in reversed(member.editions) if each.title), "")
    beside = f' <span class="title">{escape(title)}</span>' if title else ""
    if member.leading is None:
        return f"{escape(member.name)}{beside}"
    return f'<a href="{escape(member.leading.address)}">{escape(member.name)}</a>{beside}'


def _editions(member: Member) -> str:
    links = (
        f'<a href="{escape(card_of(each))}">{escape(str(each.year or each.event.name))}</a>'
        for each in member.editions
    )
    return " · ".join(links)


def years_table(years: Sequence[YearTotal], *, is_team: bool = False) -> SortedTable:
    columns = [
        _heading_column("year", _("year"), [escape(str(each.year or _("not known"))) for each in years]),
        _column("events", _("events"), _("Events"), "tb", [str(each.events) for each in years]),
        *_tally_columns([each.tally for each in years], is_team=is_team),
    ]
    return SortedTable(_("By year"), columns)


def federations_table(totals: Sequence[FederationTotal], *, is_team: bool = False) -> SortedTable:
    columns = [
        _heading_column("federation", _("federation"), [_federation_cell(each.code) for each in totals]),
        *_tally_columns([each.tally for each in totals], is_team=is_team),
    ]
    return SortedTable(_("By federation of the opponents"), columns)


def _federation_cell(code: str) -> str:
    if not code:
        return escape(_("not known"))
    found = federation(code)
    name = name_of_federation(found) if found else printed_code(code, None)
    return f"{flag_of(code, None)}{escape(name)}"


def colours_table(totals: CareerTotals, games: str) -> SortedTable | None:
    tallies = [totals.white, totals.black]
    if not any(tally.games for tally in tallies):
        return None
    names = [
        f'<span class="colour" aria-hidden="true">{sign}</span> <a href="{games}?colour={key}">{name}</a>'
        for sign, key, name in (("○", "white", escape(_("White"))), ("●", "black", escape(_("Black"))))
    ]
    columns = [_heading_column("colour", _("colour"), names), *_tally_columns(tallies)]
    return SortedTable(_("As White and as Black"), columns)


def opponents_table(
    totals: Sequence[OpponentTotal], address: Callable[[int], str], title: str, *, is_team: bool = False
) -> SortedTable:
    names = [f'<a href="{escape(address(each.key))}">{escape(each.opponent.name)}</a>' for each in totals]
    columns = [
        _heading_column("opponent", _("opponent"), names),
        *_tally_columns([each.tally for each in totals], is_team=is_team),
    ]
    return SortedTable(title, columns)


def records_table(records: Sequence[Record], title: str, figure: str, about: str) -> SortedTable:
    figures = [each.figure for each in records]
    names = [f'<a href="{escape(each.who.address)}">{escape(each.who.name)}</a>' for each in records]
    columns = [
        _column("place", _("place"), _("Place"), "tb", (str(figures.index(n) + 1) for n in figures)),
        _heading_column("player", _("player"), names),
        _column("figure", figure, figure, "lead", map(str, figures)),
        _column("about", about, about, "left", [each.about for each in records]),
    ]
    return SortedTable(title, columns)


def shared_events_table(
    first: Sequence[Participation], second: Sequence[Participation], title: str, names: tuple[str, str]
) -> SortedTable:
    """Return the events of both, the latest first, with the place of each or of its team.

    `first` and `second`: their careers in these events. Two places are shown if one of them took part twice.
    """
    events = {each.event.pk: each.event for each in reversed(first)}
    titles = [_link_to_event(each) + _progress_label(each) for each in events.values()]
    columns = [
        _column("date", _("year"), _("Year"), "when", [escape(each.start[:4]) for each in events.values()]),
        _heading_column("event", _("event"), titles),
    ]
    for key, name, career in (("first", names[0], first), ("second", names[1], second)):
        places = [", ".join(map(_place_link, (p for p in career if p.event.pk == event))) for event in events]
        columns.append(_column(key, name, _("Place of %(name)s") % {"name": name}, "tb", places))
    return SortedTable(title, [each for each in columns if _has_text(each)])


def games_table(
    games: Sequence[GameOfCareer],
    title: str,
    address: Callable[[int, str], str] | None = None,
    unknown: str = "",
) -> SortedTable:
    """Return games with links, in the order given.

    `address` returns the URL of an opponent by key and slug; None if all games are against the same opponent.
    `unknown`: the text of a colour that is not recorded.
    """
    rounds = [
        _match_link(each, str(each.game.round) if each.participation.event.knows_round_order else "?")
        for each in games
    ]
    colours = [_colour_mark(each.game) or escape(unknown) for each in games]
    years = [escape(each.participation.event.start[:4]) for each in games]
    events = [_link_to_event(each.participation.event) for each in games]
    # The opponent or the event is the row heading.
    columns = [_column("date", _("year"), _("Year"), "when", years)]
    if address:
        ratings = [str(each.game.opponent.rating or "") for each in games]
        columns += [
            _heading_column("opponent", _("opponent"), [_opponent_cell(each, address) for each in games]),
            _column("rating", _("rating"), _("Rating"), "rated", ratings),
            _column("event", _("event"), _("Event"), "left", events),
        ]
    else:
        columns.append(_heading_column("event", _("event"), events))
    columns += [
        _column("round", _("round"), _("Round"), "tb", rounds),
        _column("board", _("bd"), _("Board"), "tb", [str(each.game.board or "") for each in games]),
        _column("colour", _("colour"), _("Colour"), "colours", colours),
        TableColumn("result", _("result"), _("Result"), "lead", [_result_cell(each) for each in games]),
    ]
    return SortedTable(title, [each for each in columns if _has_text(each)])


def _link_to_event(event: Event) -> str:
    return f'<a href="{escape(reverse("event", args=[event.slug]))}">{escape(event.name)}</a>'


def _match_link(each: GameOfCareer, text: str) -> str:
    address = reverse("match", args=[each.participation.event.slug, each.game.round, each.game.table])
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def _colour_mark(game: CareerGame) -> str:
    if not game.colour:
        return ""
    sign, word = ("○", _("White")) if game.colour == WHITE else ("●", _("Black"))
    return f'<span class="colour" role="img" aria-label="{escape(word)}">{sign}</span>'


def _opponent_cell(each: GameOfCareer, address: Callable[[int, str], str]) -> str:
    met = each.game.opponent
    flag = flag_of(met.code, year_of(each.participation.event))
    name = escape(met.name or _("no player"))
    return f'{flag}<a href="{escape(address(met.key, met.slug))}">{name}</a>' if met.key else f"{flag}{name}"


def _result_cell(each: GameOfCareer) -> str:
    game = each.game
    tint = TINTS[game.ended] if game.kind == PLAYED else "x" if game.kind == FORFEIT else f"n {game.kind}"
    text = kind_name(game.kind) if game.kind == UNKNOWN else game.result
    return f'<td class="lead {tint}">{_match_link(each, text)}</td>'


# --- columns of figures -------------------------------------------------------------------------------------


def _tally_columns(tallies: Sequence[CareerTally], *, is_team: bool = False) -> list[TableColumn]:
    shares = [per_cent_text(each.share) for each in tallies]
    return [
        *_outcome_columns(tallies, is_team=is_team),
        _column("share", _("%"), _("Points in per cent; a draw counts ½"), "lead", shares),
    ]


def _outcome_columns(tallies: Sequence[CareerTally | None], *, is_team: bool = False) -> list[TableColumn]:
    if is_team:
        games = pgettext("heading of a narrow column", "matches"), _("Matches")
        words = _("Matches won"), _("Matches drawn"), _("Matches lost")
    else:
        games = _("games"), _("Games")
        words = _("Games won"), _("Games drawn"), _("Games lost")
    return [
        _column("games", *games, "tb", [str(each.games) if each else "" for each in tallies]),
        _column("won", "+", words[0], "wdl", [str(each.won) if each else "" for each in tallies]),
        _column("drawn", "=", words[1], "wdl", [str(each.drawn) if each else "" for each in tallies]),
        _column("lost", "−", words[2], "wdl", [str(each.lost) if each else "" for each in tallies]),
    ]


def _heading_column(key: str, label: str, cells: Iterable[str]) -> TableColumn:
    rows = [f'<th scope="row" class="who">{each}</th>' for each in cells]
    return TableColumn(key, label, label, "who", rows)


def _column(key: str, label: str, name: str, css: str, cells: Iterable[str]) -> TableColumn:
    return TableColumn(key, label, name, css, [f'<td class="{css}">{each}</td>' for each in cells])
