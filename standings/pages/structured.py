"""JSON-LD as pages carry it: what machines read of an event, or of a person."""

import json
from typing import Any

from django.utils.safestring import SafeString

ESCAPED = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&\u2028\u2029"}
"""Signs that could end the script element, or a line of it: JSON has another way to write each."""


def json_ld(content: dict[str, Any]) -> SafeString:
    """Return the content as it stands in the script element of a page."""
    text = json.dumps({"@context": "https://schema.org", **content}, ensure_ascii=False)
    return SafeString(text.translate(ESCAPED))


def known(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts that are known; one that is not is left out rather than left empty."""
    return {name: fact for name, fact in facts.items() if fact}
