"""Errors and URLs without personal data, for logs, mails and Sentry (ADR 0042).

User input and stored personal data occur in URLs and in messages of exceptions. Only numbers and slugs of
URLs, and messages about code, are logged.
"""

import re
import traceback
from functools import lru_cache
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, DataError
from django.http import HttpRequest
from django.template import TemplateDoesNotExist, TemplateSyntaxError

SPEAKS_OF_CODE = (
    *(AttributeError, ImportError, NameError, NotImplementedError, TypeError, ZeroDivisionError),
    *(RecursionError, MemoryError, DatabaseError),
    *(ImproperlyConfigured, TemplateDoesNotExist, TemplateSyntaxError),
)
"""Exceptions whose messages name code, tables and columns. Those of other classes may quote user input."""

QUOTES_VALUES = (DataError, UnicodeError)
"""Subclasses of these that quote values."""

SECRET = re.compile(r"token|secret|key|uid|password", re.IGNORECASE)
TELLING_PART = re.compile(r"<(int|slug):(\w+)>")
ANY_PART = re.compile(r"<[^<>]*+>|\(\?P")

ROOT = f"{Path(__file__).resolve().parent.parent.parent}/"


def address_of(request: HttpRequest) -> str:
    """Return the request's path if it consists of numbers and slugs, else its route.

    A path without a route is not returned: it may be a mistyped secret URL.
    """
    match = getattr(request, "resolver_match", None)
    if match is None:
        return "(no page)"
    return request.path if _is_telling(match.route) else f"/{match.route}"


@lru_cache(maxsize=1_000)
def _is_telling(route: str) -> bool:
    unknown = TELLING_PART.sub(lambda part: part[0] if SECRET.search(part[2]) else "", route)
    return not ANY_PART.search(unknown)


def message_of(error: BaseException) -> str:
    """Return the class of an exception, and its message if that is about code.

    Only the first line of PostgreSQL's messages is used; the others quote the refused row.
    """
    name = type(error).__name__
    if isinstance(error, OSError):
        return f"{name}: {error.strerror or '(message withheld)'}"
    if not isinstance(error, SPEAKS_OF_CODE) or isinstance(error, QUOTES_VALUES):
        return f"{name}: (message withheld)"
    try:
        first = str(error).strip().partition("\n")[0]
    except Exception:  # noqa: BLE001 - reporting an error must not raise another
        return f"{name}: (message withheld)"
    return f"{name}: {first}" if first else name


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an exception and its causes without the values of variables."""
    parts = [
        "Traceback (most recent call last):\n"
        + "".join(traceback.format_tb(each.__traceback__)).replace(ROOT, "")
        + message_of(each)
        for each in chain_of(error)
    ]
    return "\n\nwhich led to\n\n".join(reversed(parts))


def chain_of(error: BaseException) -> list[BaseException]:
    """Return an exception and its causes, the first cause last."""
    chain: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in chain:
        chain.append(found)
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return chain


def place_of(error: BaseException) -> str:
    """Return the innermost place of the project's code in the traceback, as `standings/basis.py:38`."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if each.filename.startswith(ROOT) and "/.venv/" not in each.filename]
    last = next(reversed(ours or frames), None)
    return f"{last.filename.removeprefix(ROOT)}:{last.lineno}" if last else "(no place)"
