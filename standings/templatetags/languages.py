"""The page in the other languages."""

from django import template
from django.template import Context

from standings.serving.language import Version, versions

register = template.Library()


@register.simple_tag(takes_context=True)
def languages(context: Context) -> list[Version]:
    """The page in every language there is, as the reader has it open; none of it where nothing is found."""
    if not context.get("canonical"):
        return []
    request = context["request"]
    return versions(request, request.path, request.META["QUERY_STRING"])
