"""Tags of base templates: repeated blocks, the languages of a page, the tabs of an event."""

from django import template
from django.template import Context, Node, NodeList
from django.template.base import Parser, Token
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from config import __version__
from standings.pages import page_list
from standings.pages.events.congress import congress_link
from standings.pages.live.polling import Polling, polling_of, polling_of_home
from standings.pages.site.legal import legal_links
from standings.services import memoized_on_event
from standings.serving.language import Version, versions

register = template.Library()
register.simple_tag(page_list.tabs_of)
register.simple_tag(legal_links)
register.simple_tag(lambda: __version__, name="program_version")
register.simple_tag(congress_link)


class SharedNode(Node):
    def __init__(self, name: str, nodes: NodeList) -> None:
        self.name, self.nodes, self.by_language = name, nodes, dict[str | None, SafeString]()

    def render(self, context: Context) -> SafeString:
        if not self.name:
            if (language := get_language()) not in self.by_language:
                self.by_language[language] = self.nodes.render(context.new())
            return self.by_language[language]
        archive = getattr(context.get("request"), "archive", None)
        if not (archive and archive.event):
            return self.nodes.render(context)
        what = f"{self.name} of {context.get('page')}"
        return memoized_on_event(what, archive.event, lambda _event: self.nodes.render(context))


@register.tag
def shared(parser: Parser, token: Token) -> SharedNode:
    """Render a part with a name once for pages of a kind in the archive of an event.

    A part without a name has no variables and is rendered once for each language.
    """
    nodes = parser.parse(("endshared",))
    parser.delete_first_token()
    return SharedNode("".join(token.split_contents()[1:]), nodes)


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
