"""The categories and prizes of an event."""

from django.http import HttpRequest

from standings.api import answers
from standings.api.answering import endpoint, select_fields
from standings.api.record import data_version_of
from standings.basis import basis_of, rests_on
from standings.caching.cached_pages import event_page
from standings.services import Ranked, category_members, prizes_of, ranked
from tournaments.event.categories import EventCategory
from tournaments.event.prizes import shows_prizes
from tournaments.event.schema import object_of, with_blanks
from tournaments.models import Event
from tournaments.prizes.members import rows_among
from tournaments.prizes.prize_list import PrizeFund, SpecialPrize
from tournaments.prizes.texts import category_name


@endpoint(event_page)
def categories(_: HttpRequest, event: Event) -> answers.CategoriesData:
    """The categories of the event, each with its members and their places in it."""
    found, members = ranked(event), category_members(event)
    return answers.CategoriesData(
        event=event.slug,
        version=data_version_of(event),
        rests_on=rests_on(basis_of(found.standings.table)),
        categories=[
            answers.CategoryData(
                category=object_of(with_blanks(EventCategory, each), EventCategory),
                name=category_name(each),
                rows=_category_rows(found, members[each["code"]].numbers),
            )
            for each in event.categories
        ],
    )


def _category_rows(found: Ranked, numbers: frozenset[int]) -> list[answers.CategoryRow]:
    places = found.standings.place.tolist()
    return [
        answers.CategoryRow(
            number=found.entries[row.competitor].number,
            name=found.entries[row.competitor].name,
            place=row.place,
            shared=row.shared,
            place_in_whole=places[row.competitor] or None,
        )
        for row in rows_among(found.standings, numbers)
    ]


@endpoint(event_page)
def prizes(_: HttpRequest, event: Event) -> answers.PrizesData:
    """The prize list: who has what, and how each amount came about; empty until readers are shown it."""
    found = ranked(event)
    is_shown = shows_prizes(event) and found.standings.table.rounds
    listed = prizes_of(event, found) if is_shown else None
    return answers.PrizesData(
        event=event.slug,
        version=data_version_of(event),
        rests_on=rests_on(basis_of(found.standings.table)),
        sharing=event.prize_sharing,
        currency=event.prize_currency,
        funds=[_fund_data(each) for each in listed.funds] if listed else [],
        notes=list(listed.notes) if listed else [],
        specials=[_special_prize_data(each) for each in listed.specials] if listed else [],
    )


def _fund_data(fund: PrizeFund) -> answers.PrizeFundData:
    winners = [
        select_fields(
            answers.PrizeWinnerData,
            each,
            number=each.entry.number,
            name=each.entry.name,
            goods=list(each.goods),
        )
        for each in fund.winners
    ]
    return select_fields(
        answers.PrizeFundData, fund, category=fund.code, winners=winners, pooled=list(fund.pooled)
    )


def _special_prize_data(prize: SpecialPrize) -> answers.SpecialPrizeData:
    return select_fields(answers.SpecialPrizeData, prize, winners=[each.number for each in prize.winners])
