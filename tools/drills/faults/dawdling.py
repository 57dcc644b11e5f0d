"""Slow clients that send a request byte by byte, and clients that disconnect before the response."""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from threading import Event as Signal
from threading import Thread

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.probes import OTHER, SAME, STATIC, Probes
from tools.drills.site import HOST, Site
from tools.drills.visitors import Visitor, lost

DAWDLERS = 20
AT_ONCE = 5.0
"""Maximum seconds of all other responses, on a loaded machine."""


@drill("Twenty clients send a body byte by byte through nginx, and twenty go away", "sqlite", nginx=True)
def slow_bodies(site: Site) -> Outcome:
    """Send endless bodies and abandoned requests; other requests are not affected."""
    probes = Probes(site)
    seconds = site.seconds(40, 5)
    end = time.monotonic() + seconds + 30
    with probes.asking(STATIC, SAME, OTHER), probes.saving(end), _dawdling(site), _leaving(site):
        time.sleep(seconds)
    for path in (STATIC, SAME, OTHER):
        probes.hold(path, AT_ONCE, 200)
    begun = time.monotonic()
    if Visitor(site).get(SAME).status != 200:
        raise DrillError("the site does not answer afterwards")
    recovered = time.monotonic() - begun
    saver = probes.saver
    acknowledged = len(saver.acknowledged)
    return Outcome(len(saver.sent), acknowledged, lost(site, [saver]), recovered, probes.remarks())


@contextmanager
def _dawdling(site: Site) -> Iterator[None]:
    """Open twenty connections, each of which sends a byte of a body twice a second."""
    head = (
        f"POST {site.told['events']['hall']['send']} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 100000\r\n"
        "Content-Type: application/json\r\n\r\n"
    )
    stop = Signal()

    def send_slowly(connections: list[socket.socket]) -> None:
        while not stop.wait(0.5):
            for each in connections:
                with suppress(OSError):  # the server may close the connection
                    each.sendall(b"a")

    with ExitStack() as stack:
        connections = [stack.enter_context(closing(_connected(site))) for _ in range(DAWDLERS)]
        for each in connections:
            each.sendall(head.encode())
        thread = Thread(target=send_slowly, args=(connections,))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


@contextmanager
def _leaving(site: Site) -> Iterator[None]:
    """Run twenty clients in turn that request a page and disconnect immediately."""

    def ask() -> None:
        for number in range(DAWDLERS):
            with suppress(OSError), closing(_connected(site)) as connection:
                path = f"/events/hall/?sort=s{number}"
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())

    thread = Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _connected(site: Site) -> ssl.SSLSocket:
    if site.nginx is None:
        raise TypeError("it is tried through nginx")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # its certificate is self-signed
    return context.wrap_socket(socket.create_connection(("127.0.0.1", site.nginx.port), timeout=10))
