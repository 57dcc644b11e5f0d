"""The tabs of an event, for the template that every page of it extends."""

from django import template

from standings.pages import eventpages

register = template.Library()
register.simple_tag(eventpages.tabs_of)
