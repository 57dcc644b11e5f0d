"""The migrations of an invented later release, by which upgrades are tested."""
