"""How far a command has come: one line at a terminal, drawn again and again, and nothing anywhere else."""

import sys
from time import monotonic
from typing import TextIO

WIDTH = 28
PAUSE = 0.1
"""Seconds between two drawings: a terminal is slower than what it tells of."""


class Progress:
    """A bar on standard error for so many things in turn; `name` is the one that is being made."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.shown = self.stream.isatty()
        self.total, self.done, self.name = total, 0, ""
        self._drawn = 0.0

    def begin(self, name: str) -> None:
        """The next thing is being made."""
        self.name = name
        self._draw(0.0)

    def tell(self, made: int, of: int) -> None:
        """So much of the thing is made."""
        if monotonic() - self._drawn >= PAUSE:
            self._draw(made / of if of else 0.0)

    def finish(self) -> None:
        """The thing is made."""
        self.done += 1

    def clear(self) -> None:
        """Leave the line empty."""
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _draw(self, part: float) -> None:
        if not self.shown:
            return
        self._drawn = monotonic()
        full = min(int(WIDTH * (self.done + part) / max(self.total, 1)), WIDTH)
        bar = "█" * full + "·" * (WIDTH - full)
        self.stream.write(f"\r\x1b[K{bar} {self.done + 1}/{self.total} {self.name}")
        self.stream.flush()
