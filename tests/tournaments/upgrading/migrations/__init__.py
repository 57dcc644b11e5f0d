"""The migrations of an invented later release, by which upgrades are tested: ours, and two more."""

from tournaments import migrations

__path__ += migrations.__path__
