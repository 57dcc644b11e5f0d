"""The application fails because a table is missing."""

import re
import sqlite3
from contextlib import closing
from itertools import cycle, islice

import psycopg

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import Answer, Arbiter, Visitor, together

TOKEN = "the-token-of-this-drill"  # noqa: S105 - of a site that lasts for seconds
TYPED = "Jan-Geheim"
ADDRESSES = (
    f"/events/hall/standings/?q={TYPED}",
    "/nl/events/hall/competitors/",
    "/api/events/hall/standings/",
    f"/events/next-door/?sort={TYPED}",
)
READERS = 8
ERROR = re.compile(r"ERROR \S+ \[(\w+)\] [^\n]*\nTraceback")
COUNTED = re.compile(r'^crosstable_request_seconds_count\{.*status="(\d+)"\} (\S+)$', re.MULTILINE)


@drill(
    "A table is gone, and every error leaves a trace",
    nginx=True,
    environment={
        "METRICS_TOKEN": TOKEN,
        "ADMINS": "admin@crosstable.example",
        "EMAIL_URL": "filemail:///{folder}/lib/mails",
    },
)
def traced_errors(site: Site) -> Outcome:
    """Cause errors for readers, API clients and an arbiter; every response has an id that is in the log.

    `sent` is the number of failed requests, `acknowledged` the number of responses with an id.
    """
    arbiter, count = Arbiter(site), int(site.seconds(200, 12))
    _rename(site, "tournaments_competitor", "gone")
    failed = together([lambda: _asked(site, count)] * READERS)
    saved = [arbiter.save(pairing, "1-0") for pairing in arbiter.event["pairings"][:count]]
    _rename(site, "gone", "tournaments_competitor")
    recovered = wait_until(
        lambda: Visitor(site).get(ADDRESSES[0]).status == 200, "the site does not come back"
    )
    answers = [answer for each in (*failed, saved) for answer in each if answer.status == 500]
    if len(answers) < READERS * count:
        raise DrillError(f"only {len(answers)} requests failed; the drill tried nothing")
    # Pages show the id; API clients read it from the header.
    ids = [(answer.headers["x-request-id"], answer.body) for answer in answers]
    named = [key for key, body in ids if key.encode() in body]
    logged = set(ERROR.findall(site.log))
    counted, mails = _counted(site), _mails(site)
    if counted.get("500") != len(answers):
        raise DrillError(f"{len(answers)} requests failed, and the workers counted {counted.get('500')}")
    if TYPED in site.log + mails:
        raise DrillError("what somebody typed stands in the log, or in a mail")
    if not mails:
        raise DrillError("no admin was mailed")
    told = f"{mails.count('Subject: ')} mails; counted over {len(site.application.workers)} processes"
    return Outcome(len(answers), len(named), len(set(named) - logged), recovered, [told])


def _asked(site: Site, count: int) -> list[Answer]:
    visitor = Visitor(site)
    return [visitor.get(address) for address in islice(cycle(ADDRESSES), count)]


def _rename(site: Site, table: str, name: str) -> None:
    statement = f"ALTER TABLE {table} RENAME TO {name}"
    if site.postgres is None:
        with closing(sqlite3.connect(site.folder / "lib" / "db.sqlite3", timeout=20)) as other:
            other.execute(statement)
            other.commit()
        return
    with psycopg.connect(site.postgres.url) as other:
        other.execute(statement)


def _counted(site: Site) -> dict[str, float]:
    answer = Visitor(site).get("/metrics", Authorization=f"Bearer {TOKEN}", Accept_Encoding="identity")
    if answer.status != 200 or Visitor(site).get("/metrics").status != 401:
        raise DrillError(f"/metrics answers {answer.status} to who has the token")
    counted: dict[str, float] = {}
    for status, number in COUNTED.findall(answer.body.decode()):
        counted[status] = counted.get(status, 0) + float(number)
    return counted


def _mails(site: Site) -> str:
    folder = site.folder / "lib" / "mails"
    wait_until(lambda: any(folder.glob("*")), "no mail is written")
    return "".join(path.read_text() for path in folder.glob("*"))
