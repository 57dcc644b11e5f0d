"""What a machine asks: does the process answer, and can it serve?"""

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache


@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 while the process runs; nothing else is asked."""
    return _word("ok")


@never_cache
def readyz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 where database and cache answer too; else 503 with the one that does not."""
    for name, check in (("database", _asks_database), ("cache", _keeps)):
        try:
            answers = check()
        except Exception:  # noqa: BLE001 - each cache has exceptions of its own, and every one means the same
            answers = False
        if not answers:
            return _word(f"no {name}", status=503)
    return _word("ok")


def _asks_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _keeps() -> bool:
    cache.set("readyz", "kept", 10)
    return bool(cache.get("readyz") == "kept")


def _word(word: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{word}\n", status=status, content_type="text/plain; charset=utf-8")
