"""The access log: one line per request on stderr.

It bypasses `logging`, which takes 60 µs per line instead of 10. A cached page takes 400 µs.
"""

import json
import os
import time
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest

from config.trace.current import Trace
from config.trace.redaction import address_of

STDERR = 2
NAME = "crosstable.access"


def tell(request: HttpRequest, trace: Trace, status: int, seconds: float, size: int | str) -> None:
    write = _json_line if settings.LOG_FORMAT == "json" else _line
    os.write(STDERR, f"{write(request, trace, status, seconds, size)}\n".encode())


def _line(request: HttpRequest, trace: Trace, status: int, seconds: float, size: int | str) -> str:
    told = f"{request.method} {address_of(request)} {status} {seconds * 1000:.1f} ms {size} B"
    return f"{_now()} INFO {NAME} [{trace.id}] {told}"


def _json_line(request: HttpRequest, trace: Trace, status: int, seconds: float, size: int | str) -> str:
    return json.dumps(
        {
            "time": _now(),
            "level": "INFO",
            "logger": NAME,
            "request_id": trace.id,
            "method": request.method,
            "path": address_of(request),
            "status": status,
            "ms": round(seconds * 1000, 1),
            "bytes": int(size),
        }
    )


def _now() -> str:
    now = time.time()
    return f"{_second(int(now))}.{int(now * 1000) % 1000:03}Z"


@lru_cache(maxsize=2)
def _second(second: int) -> str:
    # Cached, because formatting the date takes longer than the rest of the line.
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
