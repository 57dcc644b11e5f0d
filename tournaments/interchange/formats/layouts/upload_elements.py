"""The elements of an XML upload, with their lines."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]  # the package has no types
from defusedxml.sax import make_parser  # type: ignore[import-untyped]  # the package has no types

from tournaments.event.finding import Finding, Place, error
from tournaments.interchange.formats.layouts.layout import LayoutFile

MOST_ELEMENTS = 60_000  # of all kinds; an olympiad has 7,000

_DECLARATION = re.compile(r"\A\s*+<\?xml[^>]*+(?<=\?)>")


@dataclass(frozen=True, slots=True)
class XmlElement:
    """An element. `line`: where it begins. `attributes`: by lower-case name."""

    name: str
    line: int
    attributes: Mapping[str, str]

    def text(self, name: str) -> str:
        return " ".join(self.attributes.get(name, "").split())

    def number(self, name: str) -> int | None:
        found = re.fullmatch(r"-?\d{1,9}", self.text(name))
        return int(found[0]) if found else None


class _Elements(ContentHandler):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[XmlElement] = []
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:  # noqa: N802 - the name that a parser calls
        self._locator = locator

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 - the name that a parser calls
        if len(self.found) > MOST_ELEMENTS:
            return
        values = {key.casefold(): attrs.getValue(key) for key in attrs.getNames()}
        self.found.append(XmlElement(name.casefold(), self._locator.getLineNumber(), values))


def upload_elements(file: LayoutFile) -> tuple[list[XmlElement], list[Finding]]:
    """Return the elements of a file, or the finding that explains why there are none."""
    handler, parser = _Elements(), make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    try:
        parser.parse(BytesIO(_xml_content(file)))
    except DefusedXmlException:
        text = (
            "The file declares a document type or entities, which are never taken in. Save it without them."
        )
        return [], [error("xml-entities", Place(), text)]
    except SAXParseException as problem:
        text = f"The XML is damaged from here on: {problem.getMessage()}. Export the file again."
        return [], [error("unreadable-xml", Place(f"line {problem.getLineNumber()}"), text)]
    except (LookupError, ValueError, UnicodeError):
        text = "The encoding that the file declares is not known. Choose its encoding, or save it as UTF-8."
        return [], [error("unreadable-xml", Place("line 1"), text)]
    if len(handler.found) > MOST_ELEMENTS:
        text = f"The file has more than {MOST_ELEMENTS} elements. Cut it."
        return [], [error("too-many-rows", Place(), text)]
    return handler.found, []


def _xml_content(file: LayoutFile) -> bytes:
    if not file.options.encoding and not file.text.lstrip().startswith("{"):
        return file.content
    text = file.text
    if text.lstrip().startswith("{"):  # as in the form field of an upload
        text = text.replace("{", "<").replace("}", ">")
    return _DECLARATION.sub("", text, count=1).encode("utf-8", "replace")
