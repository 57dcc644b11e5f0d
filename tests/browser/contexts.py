"""Browser contexts that successive tests of a process share."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Browser, BrowserContext, Page

ISOLATING: dict[type, tuple[str, ...]] = {
    BrowserContext: (
        *("add_init_script", "expose_binding", "expose_function", "new_cdp_session", "route"),
        *("route_from_har", "route_web_socket", "set_extra_http_headers", "set_geolocation", "set_offline"),
        *("clock", "tracing"),
    ),
    Page: ("clock", "route", "route_from_har", "route_web_socket"),
}
"""Methods and properties with effects that `SharedContexts` cannot undo."""
NEW_CDP_SESSION = BrowserContext.new_cdp_session
"""The original method, which `isolating_calls` does not record."""


class SharedContexts:
    """Contexts with and without JavaScript that are emptied and reused."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        self.free: dict[bool, list[BrowserContext]] = {True: [], False: []}

    def new_page(self, width: int, height: int, *, javascript: bool) -> Page:
        """Return a page in an empty context that no other page of this test uses."""
        free = self.free[javascript]
        context = (
            free.pop()
            if free
            else self.browser.new_context(base_url=self.url, java_script_enabled=javascript)
        )
        page = context.new_page()
        session = NEW_CDP_SESSION(context, page)
        session.send("Network.clearBrowserCache")
        session.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"})
        session.detach()
        page.set_viewport_size({"width": width, "height": height})
        return page

    def give_back(self, context: BrowserContext, *, javascript: bool) -> None:
        """Close the context's pages and keep it for other tests; storage is emptied when the next test
        begins.
        """
        for page in context.pages:
            page.close()
        context.clear_cookies()
        context.clear_permissions()
        self.free[javascript].append(context)

    def close(self) -> None:
        """Close the unused contexts."""
        for context in self.free[True] + self.free[False]:
            context.close()


@contextmanager
def isolating_calls() -> Iterator[list[str]]:
    """Record the uses of names in `ISOLATING` until the end of the block."""
    called: list[str] = []

    def noting(found: Any, name: str) -> Any:
        if isinstance(found, property):
            return property(noting(found.fget, name))

        @wraps(found)
        def note(*args: Any, **kwargs: Any) -> Any:
            called.append(name)
            return found(*args, **kwargs)

        return note

    with ExitStack() as patches:
        for kind, names in ISOLATING.items():
            for name in names:
                patches.enter_context(patch.object(kind, name, noting(getattr(kind, name), name)))
        yield called
