"""Filters for moments, in the active time zone (on the pages of an event, that of the event)."""

from datetime import datetime

from django import template

from tournaments.event.dates import clock_text, moment_text

register = template.Library()


@register.filter(expects_localtime=True)
def moment(at: datetime | None) -> str:
    """Return date, time and zone; empty for None."""
    return moment_text(at) if at else ""


@register.filter(expects_localtime=True)
def clock(at: datetime | None) -> str:
    """Return time and zone without the date; empty for None."""
    return clock_text(at) if at else ""
