"""An arbiter uploads files that are slow to read. Readers and other arbiters are not affected."""

import secrets
import time
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.faults.archives import worker_of
from tools.drills.probes import HEALTH, SAME, Probes
from tools.drills.site import Site
from tools.drills.visitors import Visitor, lost, together

FILES = Path(__file__).parents[1] / "hostile"
PREVIEWS = 40
AT_ONCE = 0.5
"""Maximum seconds of /healthz and of a cached page."""


def hostile_files() -> Iterator[tuple[str, bytes]]:
    for file in sorted(FILES.iterdir()):
        yield file.name, file.read_bytes()
    yield "nested.html", b"<table><tr><td>1</td></tr></table>" + b"<div>" * 300_000
    yield "nested.json", b"[" * 1_000_000
    yield "keys.json", b"{" + b",".join(b'"%d":1' % each for each in range(40_000)) + b"}"
    yield "columns.csv", (b"1;" * 190 + b"\n") * 10_000


@drill("An arbiter uploads four hostile files of each kind and asks for forty previews")
def files_made_to_be_slow(site: Site) -> Outcome:
    """Save results of another event and read at the same time; only the uploader waits for a file."""
    arbiter = Visitor(site, site.told["users"]["first"]["cookie"])
    event, probes = site.told["events"]["hall"]["id"], Probes(site)
    times = 1 if site.short else 4
    end = time.monotonic() + site.seconds(180, 60)
    with worker_of(site), probes.asking(HEALTH, SAME), probes.saving(end):
        files = [each for each in hostile_files() for _ in range(times)]
        previews = [upload(arbiter, event, *each) for each in files]

        addresses = islice(cycle(previews), PREVIEWS)
        answers = together([partial(arbiter.get, each) for each in addresses])
        statuses = {each.status for each in answers}
        time.sleep(site.seconds(20, 5))
    if not statuses <= {200, 202, 302, 503}:  # 503 for the uploader of forty files at a time
        raise DrillError(f"the previews answered {statuses}")
    for path in (HEALTH, SAME):
        tally = probes.tallies[path]
        # One percent may be late because of other load on the machine.
        late = [each for each in tally.times if each > AT_ONCE]
        if set(tally.statuses) != {200} or len(late) > len(tally.times) / 100:
            raise DrillError(f"{path} was to answer within {AT_ONCE} s, and did: {tally}")
    saver = probes.saver
    return Outcome(
        len(saver.sent),
        len(saver.acknowledged),
        lost(site, [saver]),
        None,
        [*probes.remarks(), str(statuses)],
    )


def upload(arbiter: Visitor, event: int, name: str, content: bytes) -> str:
    border = secrets.token_hex(16)
    head = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
    kind = f"multipart/form-data; boundary={border}"
    answer = arbiter.post(f"/admin/events/{event}/import/", body, Content_Type=kind)
    if answer.status != 302:
        raise DrillError(f"the upload of {name} was answered {answer.status}")
    return answer.headers["location"]
