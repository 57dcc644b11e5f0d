"""The categories and prizes of an event."""

from django.http import HttpRequest

from standings.api import event_schemas
from standings.api.record import data_version_of
from standings.api.responses import endpoint, select_fields
from standings.basis import basis_of, basis_text
from standings.caching.cached_pages import event_view
from standings.services import Ranked, category_members, prizes_of, ranked
from tournaments.event.categories import EventCategory
from tournaments.event.prizes import shows_prizes
from tournaments.event.schema import object_of, with_blanks
from tournaments.models import Event
from tournaments.prizes.members import rows_among
from tournaments.prizes.prize_list import PrizeFund
from tournaments.prizes.texts import category_name


@endpoint(event_view)
def categories(_: HttpRequest, event: Event) -> event_schemas.CategoriesData:
    """The categories of the event, each with its members and their places in it."""
    found, members = ranked(event), category_members(event)
    return event_schemas.CategoriesData(
        event=event.slug,
        version=data_version_of(event),
        rests_on=basis_text(basis_of(found.standings.table)),
        categories=[
            event_schemas.CategoryData(
                category=object_of(with_blanks(EventCategory, each), EventCategory),
                name=category_name(each),
                rows=_category_rows(found, members[each["code"]].numbers),
            )
            for each in event.categories
        ],
    )


def _category_rows(found: Ranked, numbers: frozenset[int]) -> list[event_schemas.CategoryRow]:
    places = found.standings.place.tolist()
    return [
        event_schemas.CategoryRow(
            number=found.entries[row.competitor].number,
            name=found.entries[row.competitor].name,
            place=row.place,
            shared=row.shared,
            place_in_whole=places[row.competitor] or None,
        )
        for row in rows_among(found.standings, numbers)
    ]


@endpoint(event_view)
def prizes(_: HttpRequest, event: Event) -> event_schemas.PrizesData:
    """The prize list: who has what, and how each amount came about; empty until readers are shown it."""
    found = ranked(event)
    is_shown = shows_prizes(event) and found.standings.table.rounds
    listed = prizes_of(event, found) if is_shown else None
    return event_schemas.PrizesData(
        event=event.slug,
        version=data_version_of(event),
        rests_on=basis_text(basis_of(found.standings.table)),
        sharing=event.prize_sharing,
        currency=event.prize_currency,
        funds=[_fund_data(each) for each in listed.funds] if listed else [],
        notes=list(listed.notes) if listed else [],
        specials=[
            select_fields(
                event_schemas.SpecialPrizeData, each, winners=[winner.number for winner in each.winners]
            )
            for each in (listed.specials if listed else [])
        ],
    )


def _fund_data(fund: PrizeFund) -> event_schemas.PrizeFundData:
    winners = [
        select_fields(
            event_schemas.PrizeWinnerData,
            each,
            number=each.entry.number,
            name=each.entry.name,
            goods=list(each.goods),
        )
        for each in fund.winners
    ]
    return select_fields(
        event_schemas.PrizeFundData, fund, category=fund.code, winners=winners, pooled=list(fund.pooled)
    )
