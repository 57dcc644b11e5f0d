"""Errors and addresses in words that hold no personal data, for everything that leaves a trace (ADR 0042).

What was typed, and what is stored about people, gets into the addresses of requests and into the messages of
exceptions. Of addresses only numbers and slugs are told, of exceptions the messages that speak of code.
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
"""Exceptions whose messages name code, tables and columns; those of all others may quote what was typed."""

QUOTES_VALUES = (DataError, UnicodeError)
"""Exceptions that are none of those, though their classes are."""

SECRET = re.compile(r"token|secret|key|uid|password", re.IGNORECASE)
TELLING_PART = re.compile(r"<(int|slug):(\w+)>")
ANY_PART = re.compile(r"<[^<>]*+>|\(\?P")

ROOT = f"{Path(__file__).resolve().parent.parent.parent}/"


def address_of(request: HttpRequest) -> str:
    """Return the path of a request where it says numbers and slugs only, or else the route that it took.

    Where it took none, as a misspelt one, it may be a secret address of somebody that lost a letter.
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
    """Return the class of an exception, with its message where that speaks of code.

    PostgreSQL tells the row that it refuses in the lines after the first; those are left out.
    """
    name = type(error).__name__
    if isinstance(error, OSError):
        return f"{name}: {error.strerror or '(message withheld)'}"
    if not isinstance(error, SPEAKS_OF_CODE) or isinstance(error, QUOTES_VALUES):
        return f"{name}: (message withheld)"
    try:
        first = str(error).strip().partition("\n")[0]
    except Exception:  # noqa: BLE001 - what tells of errors must not fail by one
        return f"{name}: (message withheld)"
    return f"{name}: {first}" if first else name


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an exception and of those that led to it, without the values of variables."""
    parts = [
        "Traceback (most recent call last):\n"
        + "".join(traceback.format_tb(each.__traceback__)).replace(ROOT, "")
        + message_of(each)
        for each in chain_of(error)
    ]
    return "\n\nwhich led to\n\n".join(reversed(parts))


def chain_of(error: BaseException) -> list[BaseException]:
    """Return an exception and those that led to it, the last one first."""
    chain: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in chain:
        chain.append(found)
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return chain


def place_of(error: BaseException) -> str:
    """Return the place of our own code that an exception passed last, as `standings/pages/live.py:38`."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if each.filename.startswith(ROOT) and "/.venv/" not in each.filename]
    last = next(reversed(ours or frames), None)
    return f"{last.filename.removeprefix(ROOT)}:{last.lineno}" if last else "(no place)"
