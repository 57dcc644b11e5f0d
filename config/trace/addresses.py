"""Addresses that requests come from: whom we believe about them, and what counts as one place."""

import re
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

HOP = re.compile(r"\[(?P<bracketed>[^]]*)\](?::\d+)?|(?P<plain>[^:]*)(?::\d+)?")
"""An address as proxies write it, perhaps with its port: `10.0.0.1:5555`, `[2001:db8::1]:443`."""

NETWORK_OF_ONE = 64
"""How many bits of an IPv6 address its owner cannot choose: a connection gets all the rest at once."""


def client_address(request: HttpRequest) -> str | None:
    """Return the address that the last proxy we do not run spoke to us from, without its port.

    Each of our `PROXIES` appends what it saw to X-Forwarded-For; what stands before, the client wrote. Where
    a proxy wrote no address, it is the one that speaks to us; None where that has none, as on a socket.
    """
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    nearest = request.META.get("REMOTE_ADDR", "")
    hops = [*seen, nearest]
    return _address(hops[-1 - min(settings.PROXIES or 0, len(hops) - 1)]) or _address(nearest)


def _address(hop: str) -> str | None:
    found = HOP.fullmatch(hop)
    written = (found["bracketed"] or found["plain"] or "") if found else hop
    try:
        parsed = ip_address(written.partition("%")[0])  # which network card it was, no table holds
    except ValueError:
        return None
    # An IPv4 address that a socket of both kinds writes as one of IPv6 would share one /64 with all others.
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def network_of(address: str | None) -> str:
    """Return the place that failures are counted for: an IPv4 address, the /64 of IPv6, blank for none."""
    if not address:
        return ""
    parsed = ip_address(address)
    if not isinstance(parsed, IPv6Address):
        return address
    return str(ip_network((parsed, NETWORK_OF_ONE), strict=False))


PREFIXES = {4: 24, 6: 48}
"""How many bits of an address are kept where it is enough to tell halls apart."""


def prefix_of(address: str | None) -> str:
    """Return the beginning of an address, which is no person's; blank for none."""
    if not address:
        return ""
    return str(ip_network((address, PREFIXES[ip_address(address).version]), strict=False))
