"""Checks before a report is sent for rating: missing data, and possible norms."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import page
from tournaments.admin.permissions import desk_view
from tournaments.event.choices import RatingsFrom
from tournaments.event.norms import norms_of
from tournaments.interchange.formats.trf.readiness import Mended, report_gaps
from tournaments.models import Competitor, Event
from tournaments.stored import stored


@desk_view()
def report_check(request: HttpRequest, event: Event) -> HttpResponse:
    gaps = report_gaps(stored(event).document)
    forms = {
        number: reverse("admin:tournaments_competitor_change", args=[key])
        for number, key in Competitor.objects.filter(event=event).values_list("number", "pk")
    }
    rows = [
        (gap, _fix_url(event, gap.where), [(name, forms[number]) for number, name in gap.who]) for gap in gaps
    ]
    return page(
        request,
        event,
        "event_report_check",
        _("Ready to send?"),
        _("Data still missing from the rating report, and where to enter them."),
        needed=[each for each in rows if each[0].is_needed],
        better=[each for each in rows if not each[0].is_needed],
        is_chess=event.discipline == "chess",
        statistics=reverse("statistics", args=[event.slug]) if event.is_public else "",
    )


def _fix_url(event: Event, where: Mended) -> str:
    if where is Mended.SETTINGS:
        return f"{reverse('admin:tournaments_event_change', args=[event.pk])}#id_officials"
    if where is Mended.COMPETITORS:
        return reverse("admin:event-ratings", args=[event.pk])
    return reverse(f"admin:event-{where}", args=[event.pk])


@desk_view()
def norms(request: HttpRequest, event: Event) -> HttpResponse:
    """List performances that reach a title, with the other requirements of FIDE's B.01."""
    has_norms = event.discipline == "chess" and event.ratings_from != RatingsFrom.LOCAL
    checks = norms_of(stored(event).document) if has_norms else []
    return page(
        request,
        event,
        "event_norms",
        _("Norms"),
        _(
            "Performances that reach a title norm, or miss it by half a point. Check them by hand: this "
            "list decides nothing."
        ),
        checks=checks,
        is_chess=event.discipline == "chess",
        rated_as=event.rated_as,
        has_other_ratings=event.ratings_from not in {"", RatingsFrom.STANDARD},
    )
