"""Client addresses: which proxies are trusted, and which addresses count as one network."""

import re
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

HOP = re.compile(r"\[(?P<bracketed>[^]]*)\](?::\d+)?|(?P<plain>[^:]*)(?::\d+)?")
"""An address as proxies write it, with or without port: `10.0.0.1:5555`, `[2001:db8::1]:443`."""

NETWORK_OF_ONE = 64
"""Prefix length of an IPv6 network; a client controls all addresses of its /64."""


def client_address(request: HttpRequest) -> str | None:
    """Return the client's address without port, as seen by the outermost of our proxies.

    Each of our `PROXIES` appends the address of its client to X-Forwarded-For; entries to the left of these
    can be forged by the client. If a proxy wrote no address, the peer's address is returned, or None on a
    socket.
    """
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    nearest = request.META.get("REMOTE_ADDR", "")
    hops = [*seen, nearest]
    return _address(hops[-1 - min(settings.PROXIES or 0, len(hops) - 1)]) or _address(nearest)


def _address(hop: str) -> str | None:
    found = HOP.fullmatch(hop)
    written = (found["bracketed"] or found["plain"] or "") if found else hop
    try:
        parsed = ip_address(written.partition("%")[0])  # without the zone index of the network card
    except ValueError:
        return None
    # An IPv4 address mapped to IPv6 by a dual-stack socket would share a /64 with all others.
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def network_of(address: str | None) -> str:
    """Return the network for which failures are counted: an IPv4 address or an IPv6 /64; blank if None."""
    if not address:
        return ""
    parsed = ip_address(address)
    if not isinstance(parsed, IPv6Address):
        return address
    return str(ip_network((parsed, NETWORK_OF_ONE), strict=False))


PREFIXES = {4: 24, 6: 48}
"""Prefix lengths that tell playing halls apart without identifying a person."""


def prefix_of(address: str | None) -> str:
    """Return the anonymous prefix of an address; blank if None."""
    if not address:
        return ""
    return str(ip_network((address, PREFIXES[ip_address(address).version]), strict=False))
