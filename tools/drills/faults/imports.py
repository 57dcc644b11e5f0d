"""The worker imports a large file and is killed while it reads and while it saves."""

import re
import time
from html import unescape
from urllib.parse import urlencode

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.faults.archives import worker_of
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import Answer, Visitor

PLAYERS = 120
"""New players in the file, in addition to the existing ones."""

FORM = "application/x-www-form-urlencoded"


@drill("A worker is killed again and again while it imports a large file")
def import_in_the_worker(site: Site) -> Outcome:
    """Kill workers and check that readers see all of the file or nothing, and that it is stored once."""
    arbiter = Visitor(site, site.told["users"]["first"]["cookie"])
    before, seen = _players(site), set[int]()
    with worker_of(site) as worker:
        preview = _uploaded(arbiter, site.told["events"]["hall"]["id"])
        page = _read(arbiter, preview)
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page))
        told = {name: unescape(value) for name, value in fields.items() if name != "csrfmiddlewaretoken"}
        _posted(arbiter, preview, {"apply": "Import", **told})
        begun = time.monotonic()
        for _ in range(2):  # a third crash would count as a failure
            time.sleep(site.seconds(2.0, 1.5))
            worker.kill()
            seen.add(_players(site))
        wait_until(lambda: _players(site) == before + PLAYERS, "the file is not imported")
        recovered = time.monotonic() - begun
    seen.add(_players(site))
    if not seen <= {before, before + PLAYERS}:
        raise DrillError(f"a part of the file was stored: {sorted(seen)} players")
    return Outcome(1, 1, 0, recovered, [f"players: {before}, then {before + PLAYERS}"])


def _players(site: Site) -> int:
    answer = Visitor(site).get("/events/hall.json", Accept_Encoding="identity")
    return len(answer.json()["competitors"]) if answer.status == 200 else 0


def _uploaded(arbiter: Visitor, event: int) -> str:
    rows = "".join(f"{number};New {number}\n" for number in range(1_001, 1_001 + PLAYERS))
    return _posted(arbiter, f"/admin/events/{event}/import/", {"text": f"No;Name\n{rows}"}).headers[
        "location"
    ]


def _posted(arbiter: Visitor, address: str, fields: dict[str, str]) -> Answer:
    answer = arbiter.post(address, urlencode(fields).encode(), Content_Type=FORM)
    if answer.status != 302:
        raise DrillError(f"{address} answered {answer.status}")
    return answer


def _read(arbiter: Visitor, address: str) -> str:
    answers: list[Answer] = []

    def is_made() -> bool:
        answers.append(arbiter.get(address, Accept_Encoding="identity"))
        return answers[-1].status == 200

    wait_until(is_made, "the file is not read")
    return answers[-1].body.decode()
