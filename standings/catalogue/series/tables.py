"""The sortable tables of a series."""

from collections.abc import Mapping, Sequence
from html import escape

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from standings.catalogue.series.honours import Career, Honours, Placed
from standings.engine import fraction_text
from standings.flags import flag_of, printed_code, year_of
from standings.statistics.counting import per_mille
from standings.statistics.scores import share_keys
from standings.statistics.summary import per_cent_text
from standings.tables.sorting import ASCENDING, SortedTable, SortKey, TableColumn, text_column
from tournaments.search.folding import sort_key

HALF = 2


def medal_table(honours: Honours, asked: Mapping[str, str]) -> SortedTable:
    gold, silver, bronze = ([each.career.medals[at] for each in honours.medals] for at in range(3))
    every = [sum(each.career.medals) for each in honours.medals]
    columns = [
        *_name_columns(SortKey.MEDALLIST, honours.medals, is_team=honours.is_team),
        text_column(SortKey.GOLD, _("1st"), _("First places"), "lead", gold, gold),
        text_column(SortKey.SILVER, _("2nd"), _("Second places"), "tb", silver, silver),
        text_column(SortKey.BRONZE, _("3rd"), _("Third places"), "tb", bronze, bronze),
        text_column(SortKey.MEDALS, _("all"), _("All medals"), "tb", every, every),
    ]
    return SortedTable(_("Medals of all editions"), columns, asked, anchor="#medals")


def all_time_table(honours: Honours, asked: Mapping[str, str]) -> SortedTable:
    careers = [each.career for each in honours.all_time]
    columns = [
        *_name_columns(SortKey.NAME, honours.all_time, is_team=True),
        *_code_columns(careers),
        *_match_count_columns(careers),
        *_score_columns(careers),
    ]
    return SortedTable(_("All teams of all editions"), columns, asked, anchor="#all-time")


def _name_columns(key: str, placed: Sequence[Placed], *, is_team: bool) -> list[TableColumn]:
    label, name = (_("team"), _("Team")) if is_team else (_("player"), _("Player"))
    careers = [each.career for each in placed]
    names = [sort_key(career.last.result.name) for career in careers]
    return [
        text_column("place", _("pl."), _("Place"), "no", [each.place for each in placed]),
        TableColumn(key, label, name, "who", list(map(_who_cell, careers)), names, ASCENDING),
    ]


def _who_cell(career: Career) -> str:
    event, result = career.last
    flag = flag_of(result.flag, year_of(event))
    address = escape(reverse("competitor", args=[event.slug, result.number]))
    return f'<th scope="row" class="who">{flag}<a href="{address}">{escape(result.name)}</a></th>'


def _code_columns(careers: Sequence[Career]) -> list[TableColumn]:
    codes = [printed_code(each.last.result.code, year_of(each.last.event)) for each in careers]
    if not any(codes):
        return []
    keys = [(not code, sort_key(code)) for code in codes]
    return [text_column(SortKey.CODE, _("code"), _("Code"), "code", codes, keys, ASCENDING)]


def _match_count_columns(careers: Sequence[Career]) -> list[TableColumn]:
    counts = (
        (SortKey.EDITIONS, _("editions"), _("Editions"), "tb"),
        (SortKey.MATCHES, pgettext("heading of a narrow column", "matches"), _("Matches"), "tb"),
        (SortKey.WON, "+", _("Matches won"), "wdl"),
        (SortKey.DRAWN, "=", _("Matches drawn"), "wdl"),
        (SortKey.LOST, "−", _("Matches lost"), "wdl"),
    )
    figures = {key: [getattr(career, key) for career in careers] for key, *_names in counts}
    return [
        text_column(key, label, name, css, figures[key], figures[key]) for key, label, name, css in counts
    ]


def _score_columns(careers: Sequence[Career]) -> list[TableColumn]:
    shares = [per_cent_text(per_mille(career.points, career.most)) for career in careers]
    points = [[career.match_points for career in careers], [career.points for career in careers]]
    match_texts, game_texts = ([fraction_text(each, HALF) for each in half_points] for half_points in points)
    keys = share_keys(careers)
    return [
        text_column("match-points", _("MP"), _("Match points"), "lead", match_texts, points[0]),
        text_column("game-points", _("pts"), _("Game points"), "tb", game_texts, points[1]),
        text_column(SortKey.SHARE, _("%"), _("Game points in per cent"), "tb", shares, keys),
    ]
