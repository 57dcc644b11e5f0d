"""Tags of base templates: repeated blocks, the languages of a page, the tabs of an event."""

from django import template
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString

from config import __version__
from standings.pages import page_list
from standings.pages.events.congress import congress_link
from standings.pages.live.polling import Polling, polling_of, polling_of_home
from standings.pages.site.legal import legal_links
from standings.serving.language import Version, versions

register = template.Library()
register.simple_tag(page_list.tabs_of)
register.simple_tag(legal_links)
register.simple_tag(lambda: __version__, name="program_version")
register.simple_tag(congress_link)


@register.simple_tag(takes_context=True)
def again(context: Context, name: str) -> SafeString:
    """Render a block of the page a second time, for example the title in the metadata of previews."""
    blocks = context.render_context.get(BLOCK_CONTEXT_KEY)
    block = blocks.get_block(name) if blocks else None
    return block.nodelist.render(context) if block else SafeString("")


@register.simple_tag(takes_context=True)
def polling(context: Context) -> Polling | None:
    """Return how the page of an event polls for updates; None if it does not."""
    return polling_of(context["request"], context["event"])


@register.simple_tag(takes_context=True)
def polling_of_list(context: Context) -> Polling | None:
    """Return how the list of events polls for updates; None if it does not."""
    return polling_of_home(context["request"], context["listing"])


@register.simple_tag(takes_context=True)
def languages(context: Context) -> list[Version]:
    """Return the URLs of the page in all languages with its choices; empty on a page that was not found."""
    if not context.get("canonical"):
        return []
    request = context["request"]
    return versions(request, request.path, request.META["QUERY_STRING"])
