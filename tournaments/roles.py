"""The two roles: groups that an account is put in. What each may do is in tournaments.admin.permissions."""

from enum import StrEnum

from django.db import connections


class Role(StrEnum):
    """The name of the group."""

    ORGANISER = "Organiser"
    ARBITER = "Arbiter"


def install_roles(using: str, **_: object) -> None:
    """Have the group of each role; after every `migrate`, any number of times."""
    from django.contrib.auth.models import Group  # noqa: PLC0415 - this module is read before the models

    if Group._meta.db_table in connections[using].introspection.table_names():
        for role in Role:
            Group.objects.using(using).get_or_create(name=role)
