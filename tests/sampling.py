"""Sample the pages of each kind, always the same pages.

`CRAWL=all` in the environment takes all pages, and five addresses with the same choices."""

import os
import re
from collections import Counter
from urllib.parse import parse_qsl
from zlib import crc32

from standings.tables.switches import CARRIED

EVERY = os.environ.get("CRAWL") == "all"
FIRST, ONE_IN, CHOSEN = 3, 200, 5 if EVERY else 1
"""The first three pages of a kind and then every 200th; the first addresses with the same choices."""


class Sample:
    """Decides for each address in turn whether it is in the sample."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()

    def takes(self, address: str) -> bool:
        """Return whether this address is in the sample, and count it for its kind."""
        kind = kind_of(address)
        self.kinds[kind] += 1
        # Choices are independent, so their combinations, which are thousands, are not needed.
        if sum(name in CARRIED for name in kind.partition("?")[2].split(",")) > 1:
            return False
        if kind.endswith("?"):
            return EVERY or self.kinds[kind] <= FIRST or crc32(address.encode()) % ONE_IN == 0
        return self.kinds[kind] <= CHOSEN


def kind_of(address: str) -> str:
    """Return the address without numbers, and the names of its choices."""
    path, _, query = address.partition("?")
    chosen = ",".join(name for name, _ in parse_qsl(query))
    return f"{re.sub(r'(?<=/)[0-9]+(?=/)', 'n', path)}?{chosen}"
