"""An address sends too many expensive requests; readers behind the same address are not affected."""

import time
from http.client import HTTPResponse

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import Visitor, asking

SEARCH = "/static/nothing?q=player"
"""nginx counts this as a search and responds itself, so that slow machines reach the limit too."""


@drill("Searches, logins and archives flood in from one address", "sqlite", nginx=True)
def floods(site: Site) -> Outcome:
    """Exceed each rate limit: nginx returns 429, and readers still get every page."""
    hall = Visitor(site)
    with asking(hall, "/events/hall/standings/", "/events/next-door/", pause=0.2) as reading:
        taken = {
            "searches": _taken(hall, "GET", SEARCH, 100),
            # Without a user name, because the application delays attempts with one.
            "logins": _taken(hall, "POST", "/admin/login/", 30),
            "archives": _taken(hall, "GET", "/events/hall.zip", 60),
        }
        pages = _answered(hall, "GET", "/events/hall/", int(site.seconds(400, 100)))
    if {status for status, _again in pages} | set(reading.statuses) != {200}:
        raise DrillError(f"readers behind the same address were refused pages: {reading}")
    large = hall.post("/events/hall/", b"x" * 100_000)
    if (large.status, large.body[:25]) != (413, b"This is larger than 64 kB"):
        raise DrillError(f"100 kB for a reader's page were answered {large.status}: {large.body[:80]!r}")
    begun = time.monotonic()
    wait_until(lambda: hall.get("/?q=player").status == 200, "who has waited may not search again")
    figures = ", ".join(f"{count} {name}" for name, count in taken.items())
    remarks = [f"taken before the first was refused: {figures}", f"readers: {reading}"]
    return Outcome(recovered=time.monotonic() - begun, remarks=remarks)


def _taken(visitor: Visitor, method: str, path: str, least: int) -> int:
    """Return the number of requests before the first 429. Raise DrillError if it is out of range."""
    answers = _answered(visitor, method, path, 3 * least)
    statuses = [status for status, _again in answers]
    if 429 not in statuses or statuses.index(429) < least:
        raise DrillError(f"{path}: {statuses.count(429)} of {len(statuses)} were answered 429")
    if any(again != "10" for status, again in answers if status == 429):
        raise DrillError("an answer of 429 does not say when to ask again")
    return statuses.index(429)


def _answered(visitor: Visitor, method: str, path: str, count: int) -> list[tuple[int, str | None]]:
    """Return status and Retry-After of requests over the same connection, up to the first 429."""
    connection, answers = visitor.connection(30), []
    try:
        for _ in range(count):
            connection.request(method, path, b"{}" if method == "POST" else None, visitor.headers(method, {}))
            response: HTTPResponse = connection.getresponse()
            response.read()
            answers.append((response.status, response.headers["Retry-After"]))
            if response.status == 429:
                break
    finally:
        connection.close()
    return answers
