"""JSON-LD for the pages of events and persons."""

import json
from typing import Any

from django.utils.safestring import SafeString

ESCAPED = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&\u2028\u2029"}
"""Escapes for characters that could end the script element or a line of it."""


def json_ld(content: dict[str, Any]) -> SafeString:
    text = json.dumps({"@context": "https://schema.org", **content}, ensure_ascii=False)
    return SafeString(text.translate(ESCAPED))


def without_empty(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if fact}
