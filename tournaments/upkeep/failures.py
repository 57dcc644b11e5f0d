"""Why there is no dump, or none that is known to be good."""

from collections.abc import Sequence


class NotDumpedError(Exception):
    """There is no dump; the message says why."""


class BusyError(Exception):
    """Another backup is running."""


class NotTriedError(Exception):
    """There is a dump, and no scratch database in which it could be tried; the message says why."""


class NotEqualError(Exception):
    """A restored dump does not say what was dumped; `differences` are sentences."""

    def __init__(self, differences: Sequence[str]) -> None:
        super().__init__(" ".join(differences))
        self.differences = differences
