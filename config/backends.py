"""Backends of CACHES and STORAGES: caches that survive an outage, and static files with hashed names."""

import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar, TypeVar

from django.core.cache.backends import filebased, redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from whitenoise.storage import CompressedManifestStaticFilesStorage

logger = logging.getLogger(__name__)

LINE_PAUSE = 60
"""Seconds between two log lines about the same outage."""

Result = TypeVar("Result")


class MayBeAway:
    """Mixin for a cache whose folder or server may fail: reads miss, writes are dropped.

    Everything in it can be generated again.
    """

    pause: ClassVar[float] = 0
    """Seconds without new attempts after a failure, so that not every request waits for a dead server."""

    _next_trial: ClassVar[float] = 0
    _next_line: ClassVar[float] = 0
    """Time of the next attempt and of the next log line.

    Class variables, because every thread has its own cache.
    """

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._tried(lambda: self._backend.get(key, default, version), default)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._tried(lambda: self._backend.set(key, value, timeout, version), None)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Return True also if the cache fails: the caller then acts as the first."""
        return self._tried(lambda: bool(self._backend.add(key, value, timeout, version)), True)

    def delete(self, key: str, version: int | None = None) -> bool:
        return self._tried(lambda: bool(self._backend.delete(key, version)), False)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Raise ValueError if the key is missing or the cache fails."""
        found = self._tried(lambda: self._raised(key, delta, version), None)
        if found is None:
            raise ValueError(key)
        return found

    def _raised(self, key: str, delta: int, version: int | None) -> int | None:
        try:
            return int(self._backend.incr(key, delta, version))
        except ValueError:
            return None

    @property
    def _backend(self) -> Any:
        return super()

    def _tried(self, act: Callable[[], Result], otherwise: Result) -> Result:
        kind = type(self)
        if monotonic() < kind._next_trial:
            return otherwise
        try:
            return act()
        except Exception:
            # Every cache has its own exceptions, and all of them mean an outage.
            now = monotonic()
            if now >= kind._next_line:
                logger.exception("the cache is away: pages are made for each reader")
                kind._next_line = now + LINE_PAUSE
            kind._next_trial = now + self.pause
            return otherwise


class FileBasedCache(MayBeAway, filebased.FileBasedCache):
    """A folder that may be full or not writable."""

    def __init__(self, folder: str, params: dict[str, Any]) -> None:
        """Leave a folder that cannot be created now to the first write."""
        with suppress(OSError):
            super().__init__(folder, params)


class RedisCache(MayBeAway, redis.RedisCache):
    """A Redis server that may be dead or unreachable."""

    pause = 2


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Hashed and compressed files. Imports between our scripts are replaced with the hashed names."""

    # Django's option `support_js_module_import_aggregation` would also process scripts of packages and
    # fail, because an extension of htmx imports a file that its package does not contain.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", (("""(?P<matched>from "(?P<url>[./][^"]+)";)""", 'from "%(url)s";'),)),
    )
