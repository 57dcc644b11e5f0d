"""Checks for `manage.py check --deploy`: settings that are wrong without any error message."""

import os
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import WARNING, CheckMessage, Error, Tags, register
from django.db import connections

from config.database.postgresql.pool import LIMIT, connections_needed

SOCKET = "GRANIAN_UDS"
"""The variable with which the server listens on a socket (deploy/crosstable.service)."""


@register(Tags.security, deploy=True)
def check_proxies(**_: Any) -> Sequence[CheckMessage]:
    """Return an error if PROXIES does not fit the way in which the server is reached.

    If `PROXIES` is too low, all logins come from the address of the proxy, or from none on a socket. Login
    delays by address would then apply to all users at once.
    """
    if settings.PROXIES is None:
        return [
            Error(
                "PROXIES is not set.",
                hint="Say how many proxies of your own write X-Forwarded-For: 1 behind nginx, 0 for none.",
                id="crosstable.E001",
            )
        ]
    if settings.PROXIES == 0 and os.environ.get(SOCKET):
        return [
            Error(
                f"PROXIES is 0, but a socket, {os.environ[SOCKET]}, has no addresses.",
                hint="Set PROXIES=1 for the proxy that speaks to the socket.",
                id="crosstable.E002",
            )
        ]
    return []


@register(Tags.database)
def check_connection_limit(*, databases: Sequence[str] | None = None, **_: Any) -> Sequence[CheckMessage]:
    """Warn if PostgreSQL allows fewer connections than the threads and the worker's processes need."""
    found: list[CheckMessage] = []
    for using in databases or []:
        if connections[using].vendor == "postgresql":
            with connections[using].cursor() as cursor:
                cursor.execute(LIMIT)
                [(limit,)] = cursor.fetchall()
            if limit < connections_needed():
                found.append(
                    CheckMessage(
                        WARNING,
                        f"PostgreSQL allows {limit} connections, and the site needs {connections_needed()}.",
                        hint="Requests wait for a free connection. See docs/deployment.md, Connections.",
                        id="crosstable.W001",
                    )
                )
    return found
