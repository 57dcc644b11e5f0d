"""Of the pages of one kind a few, always the same ones; with `CRAWL=all` in the environment, all of them."""

import os
import re
from collections import Counter
from urllib.parse import parse_qsl
from zlib import crc32

from standings.tables.switches import CARRIED

EVERY = os.environ.get("CRAWL") == "all"
FIRST, ONE_IN, CHOSEN = 3, 200, 1
"""Of a kind the first three are taken, then one in two hundred; of addresses with choices the first one."""


class Sample:
    """Takes from the addresses it is asked about, one after another."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()

    def takes(self, address: str) -> bool:
        """Whether this address is one of the sample; it counts as one of its kind."""
        kind = kind_of(address)
        self.kinds[kind] += 1
        # One mechanism carries every choice by itself: all sets of them on every page would be thousands.
        if sum(name in CARRIED for name in kind.partition("?")[2].split(",")) > 1:
            return EVERY
        if kind.endswith("?"):
            return EVERY or self.kinds[kind] <= FIRST or crc32(address.encode()) % ONE_IN == 0
        return EVERY or self.kinds[kind] <= CHOSEN


def kind_of(address: str) -> str:
    """The address with its numbers left out, and which choices it makes."""
    path, _, query = address.partition("?")
    chosen = ",".join(name for name, _ in parse_qsl(query))
    return f"{re.sub(r'(?<=/)[0-9]+(?=/)', 'n', path)}?{chosen}"
