"""A browser without scripts that follows links and presses buttons by their text, and counts both."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.test import Client
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.markup import BLANKS, attributes_of

Fields = list[tuple[str, str]]

BUTTONS = "button, input[type=submit]"


class PlainBrowser:
    """The browser of a person; `clicks` counts the followed links and pressed buttons."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.clicks = 0
        self.address = ""
        self.page = LexborHTMLParser("")

    def open(self, address: str) -> None:
        """Go to an address, as from a bookmark."""
        self._show(address, self.client.get(address, follow=True))

    def follow(self, text: str) -> None:
        """Follow the first link with this text."""
        link = self._named("a[href]", text)
        self.clicks += 1
        self.open(urljoin(self.address, attributes_of(link)["href"]))

    def press(self, text: str, values: Mapping[str, str] | None = None) -> None:
        """Press the first button with this text; its form is sent with `values` typed into its fields."""
        button = self._named(BUTTONS, text)
        form = self._form_of(button)
        about, pressed = attributes_of(form), attributes_of(button)
        fields = typed_into(self.fields_of(form), values or {})
        if pressed.get("name"):
            fields.append((pressed["name"], pressed.get("value", "")))
        self.clicks += 1
        target = (
            pressed.get("formaction")
            or about.get("action")
            or urlsplit(self.address)._replace(fragment="").geturl()
        )
        self.send(urljoin(self.address, target), fields, about.get("method", "get"))

    def send(self, address: str, fields: Fields, method: str = "post") -> None:
        """Send a form."""
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        ask = self.client.post if method.lower() == "post" else self.client.get
        self._show(address, ask(address, data, follow=True))

    def says(self, text: str) -> bool:
        """Return whether the page has this text."""
        return text in self.text

    @property
    def text(self) -> str:
        """Return the text of the content of the page, without header and footer."""
        content = self.page.css_first("main, #content") or self.page.body
        return BLANKS.sub(" ", content.text()).strip() if content else ""

    def fields_of(self, form: LexborNode) -> Fields:
        """Return names and current values of a form's fields, without buttons."""
        name = attributes_of(form).get("id")
        outside = self._all(f'[form="{name}"]') if name else []
        inside = [each for each in form.css("input, select, textarea") if "form" not in each.attributes]
        return [field for each in [*inside, *outside] for field in _fields_in(each)]

    def _named(self, selector: str, text: str) -> LexborNode:
        """Return the first element with this text."""
        there = self._inside(selector)
        found = next((each for each in there if text in name_of(each)), None)
        names = [name_of(each) for each in there]
        assert found is not None, f"nothing says {text!r} on {self.address}, but {names}:\n{self.text}"
        return found

    def _inside(self, selector: str) -> list[LexborNode]:
        """Return the elements of the content, then those of header and footer."""
        content = self.page.css_first("main, #content")
        inside = [each for each in content.css(selector) if not _is_hidden(each)] if content else []
        return [*inside, *self._all(selector)]

    def _all(self, selector: str) -> list[LexborNode]:
        return [each for each in self.page.css(selector) if not _is_hidden(each)]

    def _form_of(self, button: LexborNode) -> LexborNode:
        named = attributes_of(button).get("form")
        found = self.page.css_first(f"form[id='{named}']") if named else None
        node: LexborNode | None = button
        while found is None and node is not None:
            node = node.parent
            found = node if node is not None and node.tag == "form" else None
        assert found is not None, f"a button is in no form: {button.html}"
        return found

    def _show(self, address: str, answer: Any) -> None:
        assert answer.status_code in {200, 202}, (
            f"{address}: {answer.status_code}\n{answer.content.decode()[:2000]}"
        )
        self.address = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        self.page = LexborHTMLParser(answer.content.decode())


def name_of(element: LexborNode) -> str:
    """Return the name of an element: its accessible label, its value, or its text."""
    about = attributes_of(element)
    spoken = about.get("aria-label") or (about.get("value") if element.tag == "input" else "")
    return BLANKS.sub(" ", spoken or element.text()).strip()


def typed_into(fields: Fields, values: Mapping[str, str]) -> Fields:
    """Return the fields with `values`. A value without a field is an error."""
    missing = set(values) - {name for name, _ in fields}
    assert not missing, f"the form has no field {sorted(missing)}, but {sorted({name for name, _ in fields})}"
    return [(name, values.get(name, value)) for name, value in fields]


def _fields_in(element: LexborNode) -> Iterator[tuple[str, str]]:
    about = attributes_of(element)
    name, kind = about.get("name"), about.get("type", "text")
    if not name or "disabled" in about or element.tag == "button" or kind in {"submit", "file", "button"}:
        return
    if element.tag == "select":
        options = element.css("option")
        chosen = [each for each in options if "selected" in each.attributes]
        if not chosen and "multiple" not in about:
            chosen = options[:1]
        for each in chosen:
            yield name, attributes_of(each).get("value", each.text())
    elif kind not in {"checkbox", "radio"} or "checked" in about:
        yield (
            name,
            element.text().lstrip("\n")
            if element.tag == "textarea"
            else about.get("value", "on" if kind == "checkbox" else ""),
        )


def _is_hidden(element: LexborNode | None) -> bool:
    while element is not None and element.tag not in {"body", "html", "-undef"}:
        if "hidden" in element.attributes:
            return True
        element = element.parent
    return False
