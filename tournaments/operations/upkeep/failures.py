"""Exceptions of backups."""

from collections.abc import Sequence


class NotDumpedError(Exception):
    """There is no dump; the message is the reason."""


class BusyError(Exception):
    """Another backup is running."""


class NotTriedError(Exception):
    """There is no scratch database to check the dump in; the message is the reason."""


class NotEqualError(Exception):
    """A restored dump differs from the original; `differences` are sentences."""

    def __init__(self, differences: Sequence[str]) -> None:
        super().__init__(" ".join(differences))
        self.differences = differences
