"""What base.html says twice."""

from django import template
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def again(context: Context, name: str) -> SafeString:
    """A block of the page once more, as the page filled it: its title is also the title of its preview."""
    blocks = context.render_context.get(BLOCK_CONTEXT_KEY)
    block = blocks.get_block(name) if blocks else None
    return block.nodelist.render(context) if block else SafeString("")
