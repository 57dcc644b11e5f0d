"""The table of all players with their scores, in the requested order."""

from collections.abc import Mapping
from functools import cached_property
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.engine import fraction_text
from standings.flags import flag_html
from standings.statistics.ratingcolumns import rating_columns
from standings.statistics.scorers import Scorers
from standings.statistics.scores import share_keys
from standings.tables.sorting import ASCENDING, SortedTable, SortKey, TableColumn, text_column
from standings.tables.switches import carried_choices, query_of
from tournaments.event.arrays import CompetitorInfo
from tournaments.search.folding import sort_key

UNKNOWN = -10_000  # sort key of missing figures, below all others

PER_PAGE = 50
"""Rows per page. Olympiads have nine hundred players."""


class ScorerTable(SortedTable):
    """A page of all players with games. The default order is by board, or by place in individual events."""

    def __init__(
        self, scorers: Scorers, address: str, params: Mapping[str, str], *, whole: bool = False
    ) -> None:
        """`address`: the URL of the event. `params`: the query parameters. `whole`: disables pagination."""
        self.scorers, self.everybody = scorers, scorers.everybody
        self.address, self.event = escape(address), scorers.event
        columns = [*self._who(), *self._rating(), *self._score(), *self._outcomes(), *self._performance()]
        super().__init__(_("Scores of all players"), columns, params, carried_choices(params), "#scores")
        self.per_page = max(len(self.everybody), len(scorers.teams), 1) if whole else PER_PAGE
        self.pages = max(-(-len(self.everybody) // self.per_page), 1)
        # `choices` has already removed pages that are not numbers.
        self.page = min(int(params.get("page", 1)), self.pages)

    @property
    def first(self) -> int:
        return (self.page - 1) * self.per_page + 1

    @property
    def last(self) -> int:
        return min(self.page * self.per_page, len(self.everybody))

    @property
    def last_team(self) -> int:
        return min(self.page * self.per_page, len(self.scorers.teams))

    @property
    def teams(self) -> SafeString:
        rows = []
        for place, entry, scores in self.scorers.teams[self.first - 1 : self.last_team]:
            team = self._link(entry)
            boards = "".join(
                f'<td role="cell" data-label="{number}:">{fraction_text(score.points, 2)}'
                f"<small> / {score.games}</small></td>"
                if score.games
                else '<td role="cell"></td>'
                for number, score in enumerate(scores, start=1)
            )
            rows.append(
                f'<tr role="row"><td role="cell" class="no">{place}</td>'
                f'<th scope="row" role="rowheader" class="who">{team}</th>{boards}</tr>'
            )
        return SafeString("\n".join(rows))

    @property
    def page_before(self) -> str:
        return self._page(self.page - 1) if self.page > 1 else ""

    @property
    def page_after(self) -> str:
        return self._page(self.page + 1) if self.page < self.pages else ""

    def _page(self, page: int) -> str:
        order = {"sort": self.sort.key, "dir": self.direction} if self.sort else {}
        number = {"page": str(page)} if page > 1 else {}
        return f"{query_of({**order, **number, **self.carried})}{self.anchor}"

    @cached_property
    def rows(self) -> SafeString:
        order = self.in_order(list(range(len(self.everybody))), lambda at: at)
        return self.lines(order[self.first - 1 : self.last])

    def _who(self) -> list[TableColumn]:
        names = [sort_key(each.name) for each in self.everybody]
        player = TableColumn(SortKey.NAME, _("player"), _("Player"), "who", self._names(), names, ASCENDING)
        if not self.scorers.event.is_team:
            places = [each.place for each in self.everybody]
            return [text_column("place", _("pl."), _("Place"), "no", places), player]
        boards = [each.board for each in self.everybody]
        cells = [f'<td class="left">{self._link(each.entry)}</td>' for each in self.everybody]
        teams = [sort_key(each.entry.name) for each in self.everybody]
        return [
            text_column(SortKey.BOARD, _("board"), _("Board"), "no", boards, boards, ASCENDING),
            player,
            TableColumn(SortKey.TEAM, _("team"), _("Team"), "left", cells, teams, ASCENDING),
        ]

    def _names(self) -> list[str]:
        cells = []
        for scorer in self.everybody:
            name = escape(scorer.name) if self.scorers.event.is_team else self._link(scorer.entry)
            title = f' <span class="title">{escape(scorer.title)}</span>' if scorer.title else ""
            cells.append(f'<th scope="row" class="who">{name}{title}</th>')
        return cells

    def _link(self, entry: CompetitorInfo) -> str:
        flag = flag_html(self.event, entry)
        return f'{flag}<a href="{self.address}competitors/{entry.number}/">{escape(entry.name)}</a>'

    def _rating(self) -> list[TableColumn]:
        ratings = [each.rating for each in self.everybody]
        if not any(ratings):
            return []
        texts = ["" if rating is None else str(rating) for rating in ratings]
        keys = [UNKNOWN if rating is None else rating for rating in ratings]
        return [text_column(SortKey.RATING, _("rating"), _("Rating"), "tb", texts, keys)]

    def _score(self) -> list[TableColumn]:
        scores = [each.score for each in self.everybody]
        games, points = [score.games for score in scores], [score.points for score in scores]
        texts = [fraction_text(each, 2) for each in points]
        shares, keys = [each.share for each in self.everybody], share_keys(scores)
        return [
            text_column(SortKey.GAMES, _("games"), _("Games played"), "tb", games, games),
            text_column(SortKey.POINTS, _("points"), _("Points"), "lead", texts, points),
            text_column(SortKey.SHARE, _("%"), _("Points in per cent"), "tb", shares, keys),
        ]

    def _outcomes(self) -> list[TableColumn]:
        names = (
            (SortKey.WON, "+", _("Games won")),
            (SortKey.DRAWN, "=", _("Games drawn")),
            (SortKey.LOST, "−", _("Games lost")),
        )
        columns = []
        for key, label, name in names:
            counts = [getattr(each.score, key) for each in self.everybody]
            columns.append(text_column(key, label, name, "wdl", counts, counts))
        return columns

    def _performance(self) -> list[TableColumn]:
        places = [f"{self.address}competitors/{each.entry.number}/#ratings" for each in self.everybody]
        return rating_columns([each.player_rating for each in self.everybody], places)
