"""The pairings and results of a round."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.upsets import RatedWin, upsets_of
from standings.engine import RoundKind, points_text
from standings.eventwords import day_and_time_text, zone_text
from standings.pages.frame import Beside, event_answer
from standings.pages.match import match_cards
from standings.pages.remarks import Remark, marks_of, remarks_of
from standings.pages.sides import COLOURS, Side, side_of
from standings.services import paired_rounds
from standings.serving.pages import choices, event_page, knows, only_shown
from standings.tables.cells import ANNULLED, RoundResult, boards_open, sign, tint
from standings.tables.facts import facts_in
from standings.tables.sorting import SortKey
from standings.tables.switches import CARRIED, Switch, SwitchOption, carried_choices, query_of
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import side_texts
from tournaments.event.unknown import white_side
from tournaments.models import Event, Pairing, Round
from tournaments.models.pairing import shown_games, shown_pairings, shown_rounds


@dataclass(frozen=True)
class PairingLine:
    """One pairing of a round; `label` reads its number aloud. The result carries the marks of `remarks`.

    `results` is what each side got, none before there is a result, one of who has no opponent; `boards` what
    the first side got on each board. `white` is the side of a player that has White; blank if it is unknown.
    A match in progress has `open_boards`, and its running score in `results`.
    """

    round: int
    table: int
    label: str
    first: Side
    second: Side | None
    results: list["SideResult"]
    remarks: list[Remark]
    boards: list["SideResult"]
    kind: str
    white: str = ""
    open_boards: int = 0

    @property
    def marks(self) -> str:
        """The marks at the result."""
        return marks_of(self.remarks)

    @property
    def is_awaited(self) -> bool:
        """Return whether two sides have no final result yet."""
        return self.second is not None and (not self.results or self.open_boards > 0)

    def row(
        self, rounds: str, competitors: str, *, has_boards: bool, is_place: bool, has_table: bool = True
    ) -> str:
        """Return the pairing as a row of a table, as HTML; `rounds` and `competitors` begin addresses.

        `is_place`: links to the match lead to this row, which is all that is told of it. `has_table`: the row
        begins with the number of the table.
        """
        place = f' id="m{self.table}"' if is_place else ""
        link, second = f'<a href="{rounds}{self.round}/{self.table}/"', self.second
        sides = " <span>:</span>\n".join(each.html for each in self.results)
        marks = f"<i>{escape(self.marks)}</i>" if self.marks else ""
        still_open = f" <small>{escape(boards_open(self.open_boards))}</small>" if self.open_boards else ""
        boards = "".join(f"{each.html} " for each in self.boards)
        beside = f'<td role="cell" class="boards">\n{boards}\n</td>\n' if has_boards else ""
        label = f' aria-label="{escape(self.label)}"'
        head = f'<th scope="row" role="rowheader">{link}{label}>{self.table}</a></th>\n' if has_table else ""
        return (
            f'<tr role="row"{place}>\n{head}'
            f'<td role="cell" class="first">{_link(self.first, competitors)}{_colour(self.first)}</td>\n'
            f'<td role="cell" class="result">\n{link}>{sides or "–"}{marks}{still_open}</a>\n</td>\n'
            f'<td role="cell" class="second">\n{_link(second, competitors) if second else ""}\n</td>\n'
            f"{beside}</tr>"
        )


def _link(side: Side, competitors: str) -> str:
    """Return a side of a pairing as HTML: its flag, and its name that leads to its card."""
    return f'{side.flag}<a href="{competitors}{side.number}/">{escape(side.name)}</a>'


def _colour(side: Side) -> str:
    if not side.colour:
        return ""
    # No other blank may come before a colour, which stays on the line of what it belongs to.
    return (
        f'&nbsp;<span\nclass="colour" role="img" aria-label="{escape(side.colour_word)}">{side.colour}</span>'
    )


class SideResult(NamedTuple):
    """The score of one side of a pairing; `css` tints it as that side sees it."""

    text: str
    css: str

    @property
    def html(self) -> str:
        """Return the score as HTML."""
        return f'<b class="{self.css}">{escape(self.text)}</b>'


@dataclass(frozen=True)
class RoundCard:
    """A round: its pairings in the order of the tables, and how many results are still to come."""

    number: int
    date: str
    open: bool
    pairings: list[PairingLine]
    awaited: int
    previous: int | None
    next: int | None

    @property
    def has_boards(self) -> bool:
        """Say whether the results of any boards are known."""
        return any(line.boards for line in self.pairings)

    @property
    def annulled(self) -> bool:
        """Say whether a result counts for nobody, because somebody withdrew."""
        return any(side.css == ANNULLED for line in self.pairings for side in line.results)

    @property
    def knows_colours(self) -> bool:
        """Return whether the colours of all games are known, so that columns can be headed by them."""
        return all(line.white for line in self.pairings if line.second)

    @property
    def remarks(self) -> list[Remark]:
        """Return the corrections and rulings of this round."""
        return [remark for line in self.pairings for remark in line.remarks]


def by_name(lines: Iterable[PairingLine], *, players: bool) -> list[PairingLine]:
    """Return a line for everybody who is paired, by name: first the one whose line it is, then who is met.

    `players`: the sides of a pairing have White and Black.
    """
    each_side = []
    for line in lines:
        first, second = line.first, line.second
        if second is None:
            each_side.append(line)
            continue
        if players:
            first, second = _coloured(line.white, first, second)
        each_side.append(replace(line, first=first, second=second))
        results = list(reversed(line.results)) if len(line.results) > 1 else line.results
        each_side.append(replace(line, first=second, second=first, results=results, boards=[]))
    return sorted(each_side, key=lambda line: (line.first.name.casefold(), line.first.number or 0))


def _coloured(white: str, first: Side, second: Side) -> tuple[Side, Side]:
    """Return both sides with the signs of their colours; without them if the colours are unknown."""
    signs = COLOURS[white]
    return replace(first, colour=signs[0]), replace(second, colour=signs[1])


def round_card(event: Event, number: int) -> RoundCard | None:
    """The card of a round; None if nothing is paired there, or if the order of the rounds is not known.

    Five queries, six of a match's boards, and those of the standings.
    """
    found = shown_rounds(event).filter(number=number).first()
    if found is None or not event.knows_round_order:
        return None
    boards = _boards(event, found) if event.is_team else {}
    pairings = found.pairings.select_related("first", "second").defer("moves").order_by("table")
    lines = list(_lines(event, pairings, {found.pk: number}, boards))
    if not lines:
        return None
    paired = shown_rounds(event).filter(pairings__isnull=False).values_list("number", flat=True)
    # A round may be without pairings, so the next one is not always number + 1.
    others = set(paired.distinct())
    return RoundCard(
        number=number,
        date=day_and_time_text(found, zone_text(event)),
        open=not found.is_closed,
        pairings=lines,
        awaited=sum(line.is_awaited for line in lines),
        previous=max((other for other in others if other < number), default=None),
        next=min((other for other in others if other > number), default=None),
    )


def lines_of_all_rounds(event: Event) -> list[PairingLine]:
    """Return every pairing with an opponent, by the numbers of the competitors.

    If the colours are unknown, the lower number is first. Three queries, and those of the standings.
    """
    pairings = shown_pairings(event).filter(second__isnull=False).defer("moves")
    pairings = pairings.select_related("first", "second")
    numbers = dict(shown_rounds(event).values_list("pk", "number"))
    lines = (_lower_first(line) for line in _lines(event, pairings.order_by("round__number"), numbers, {}))
    return sorted(lines, key=_numbers)


def _lower_first(line: PairingLine) -> PairingLine:
    first, second = _numbers(line)
    if line.white or line.second is None or first < second:
        return line
    return replace(line, first=line.second, second=line.first, results=line.results[::-1])


def _numbers(line: PairingLine) -> tuple[int, int]:
    return line.first.number or 0, (line.second and line.second.number) or 0


def _lines(
    event: Event,
    pairings: Iterable[Pairing],
    numbers: Mapping[int, int],
    boards: Mapping[int, list["SideResult"]],
) -> Iterator[PairingLine]:
    """Yield the pairings as lines; `numbers` of the rounds, and `boards` of the pairings, by key."""
    remarks = remarks_of(event)
    facts = {number: facts_in(event, number) for number in numbers.values()}
    label = _("Match %(table)s") if event.is_team else _("Table %(table)s")
    for pairing in pairings:
        number = numbers[pairing.round_id]
        results = facts[number]
        yield PairingLine(
            round=number,
            table=pairing.table,
            label=label % {"table": pairing.table},
            first=side_of(event, pairing.first),
            second=side_of(event, pairing.second) if pairing.second else None,
            results=list(_results(pairing, results)),
            remarks=remarks.of_pairing(number, pairing.table),
            boards=boards.get(pairing.pk, []),
            kind=pairing.kind,
            white="" if event.is_team or not pairing.second else white_side(event, pairing),
            open_boards=results[pairing.first.number].open_boards if pairing.first.number in results else 0,
        )


def _boards(event: Event, found: Round) -> dict[int, list[SideResult]]:
    """Return what the first side of each match of the round got on each board; one query."""
    boards: dict[int, list[SideResult]] = defaultdict(list)
    games = shown_games(event).filter(pairing__round=found).order_by("pairing", "board")
    for game in games.values_list("pairing", "kind", "first_score", "second_score", named=True):
        own, theirs = game.first_score, game.second_score
        text = side_texts(game.kind, own, theirs)[0]
        if game.kind == Kind.FORFEIT:
            css = "x"
        elif own is None or theirs is None:
            css, text = "n", text or "·"
        else:
            css = "w" if own > theirs else "l" if own < theirs else "d"
        boards[game.pairing].append(SideResult(text, css))
    return boards


def _results(pairing: Pairing, results: dict[int, RoundResult]) -> Iterator[SideResult]:
    """Return each side's score, as written; of a withdrawal the record says nothing, and the tables do."""
    texts = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    for side, text in zip((pairing.first, pairing.second), texts, strict=True):
        own = results.get(side.number) if side else None
        shown = text or (sign(own) if own and own.kind == RoundKind.FORFEIT else "")
        if own and own.open_boards:
            shown = points_text(own.score, 2)
        if shown:
            yield SideResult(shown, tint(own) if own else "n")


@event_page
@knows("sort", *CARRIED)
def round_(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The pairings and results of a round, by table or by name."""
    card = round_card(event, number)
    if card is None:
        raise Http404
    chosen = choices(request)
    named = chosen.get("sort") == SortKey.NAME
    if "sort" in chosen and not named:
        only_shown(request)
    # An archive has them on this page, and no page for each.
    matches = match_cards(event, number) if hasattr(request, "archive") else []
    lines = by_name(card.pairings, players=not event.is_team) if named else card.pairings
    context = {
        "card": card,
        "rows": _rows(event, card, lines, {match.table for match in matches if match.is_told_by_its_line}),
        "named": named,
        "order": _order(event, chosen, named=named),
        "rounds": range(1, paired_rounds(event) + 1),
        "previous": _beside(event, card.previous),
        "next": _beside(event, card.next),
        "upsets": upsets_of(_wins(card)),
        "matches": [match for match in matches if not match.is_told_by_its_line],
        "has_colours": any(match.has_colours for match in matches),
        "lacks_boards": event.is_team and any(match.second and not match.boards for match in matches),
    }
    return event_answer(request, event, "round", context)


def _rows(event: Event, card: RoundCard, lines: list[PairingLine], told_by_line: set[int]) -> SafeString:
    """Return the lines as rows of a table, as HTML: a round has a hundred."""
    rounds = reverse("rounds", args=[event.slug])
    competitors = reverse("competitors", args=[event.slug])
    return SafeString(
        "\n".join(
            line.row(rounds, competitors, has_boards=card.has_boards, is_place=line.table in told_by_line)
            for line in lines
        )
    )


def _wins(card: RoundCard) -> Iterator[RatedWin]:
    """Return the pairings of the round that were played and won, each from the winner's side."""
    for line in card.pairings:
        sides = [line.first, line.second]
        tints = [result.css for result in line.results]
        if line.second is None or tints not in (["w", "l"], ["l", "w"]):
            continue
        winner, loser = sides if tints[0] == "w" else sides[::-1]
        if winner and loser and winner.number and loser.number:
            yield RatedWin(
                winner.name, winner.number, winner.rating, loser.name, loser.number, loser.rating, line.table
            )


def _order(event: Event, chosen: dict[str, str], *, named: bool) -> Switch:
    """Return the switch between the order of the tables and that of the names."""
    table = _("by match") if event.is_team else _("by table")
    options = ((table, "", not named), (_("by name"), SortKey.NAME.value, named))
    kept = carried_choices(chosen)
    return Switch(
        _("order"), [SwitchOption(text, query_of({**kept, "sort": sort}), now) for text, sort, now in options]
    )


def _beside(event: Event, number: int | None) -> Beside | None:
    if number is None:
        return None
    label = _("Round %(number)s") % {"number": number}
    return Beside(label, reverse("round", args=[event.slug, number]))
