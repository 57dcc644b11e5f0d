"""Roles of users, as Django groups, and the accounts that each role may manage."""

from enum import StrEnum

from django.contrib.auth.models import AbstractUser, AnonymousUser, Group
from django.contrib.auth.models import User as Account
from django.db import connections
from django.db.models import QuerySet

User = AbstractUser | AnonymousUser


class Role(StrEnum):
    """The roles. Each is a Django group."""

    ORGANISER = "Organiser"
    ARBITER = "Arbiter"


def install_roles(using: str, **_: object) -> None:
    """Create the group of each role, after every `migrate`. Idempotent."""
    if Group._meta.db_table in connections[using].introspection.table_names():
        for role in Role:
            Group.objects.using(using).get_or_create(name=role)


def roles_of(user: User) -> frozenset[Role]:
    """Return the roles of a user, cached for the request. A superuser has all roles."""
    if not (user.is_active and user.is_staff):
        return frozenset()
    if user.is_superuser:
        return frozenset(Role)
    # A page checks roles about twenty times, and the user object lives as long as the request.
    if "_roles" not in user.__dict__:
        names = user.groups.filter(name__in=Role).values_list("name", flat=True)
        user.__dict__["_roles"] = frozenset(Role(name) for name in names)
    return frozenset(user.__dict__["_roles"])


def is_organiser(user: User) -> bool:
    return Role.ORGANISER in roles_of(user)


def may_grant(user: User, role: Role) -> bool:
    """Return whether the user may assign a role. Organisers assign arbiters, superusers assign both roles."""
    return user.is_superuser or (role == Role.ARBITER and is_organiser(user))


def manageable(user: User) -> QuerySet[Account]:
    """Return the accounts that the user may manage. For an organiser: no organisers and no superusers.

    Users cannot manage themselves, so that the last organiser is never locked out. Deactivated accounts keep
    their role.
    """
    others = Account.objects.filter(is_staff=True).exclude(pk=user.pk or 0)
    if user.is_superuser:
        return others
    if not is_organiser(user):
        return others.none()
    return others.filter(is_superuser=False).exclude(groups__name=Role.ORGANISER)
