"""Caches that may be away: then nothing is found in them and nothing kept, and pages are made each time."""

import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar, TypeVar

from django.core.cache.backends import filebased, redis
from django.core.cache.backends.base import DEFAULT_TIMEOUT

logger = logging.getLogger(__name__)

LINE_PAUSE = 60
"""Seconds from one line of the log about it to the next."""

Result = TypeVar("Result")


class MayBeAway:
    """What a cache does while its folder or server fails; everything in it can be made again."""

    pause: ClassVar[float] = 0
    """Seconds for which it is not tried after a failure: a server would be waited for by each request."""

    _next_trial: ClassVar[float] = 0
    _next_line: ClassVar[float] = 0
    """When it is tried, and the log told, again; of the process, since each thread has a cache of its own."""

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return what is kept, or the default."""
        return self._tried(lambda: self._backend.get(key, default, version), default)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep a value, if that can be."""
        self._tried(lambda: self._backend.set(key, value, timeout, version), None)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep a value and return whether there was none; who cannot be told of another is the first."""
        return self._tried(lambda: bool(self._backend.add(key, value, timeout, version)), True)

    def delete(self, key: str, version: int | None = None) -> bool:
        """Delete a value and return whether there was one."""
        return self._tried(lambda: bool(self._backend.delete(key, version)), False)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Return a count raised by so much; ValueError where there is none."""
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
        """Return the methods of the cache itself."""
        return super()

    def _tried(self, act: Callable[[], Result], otherwise: Result) -> Result:
        kind = type(self)
        if monotonic() < kind._next_trial:
            return otherwise
        try:
            return act()
        except Exception:
            # Each cache has exceptions of its own, and every one means the same.
            now = monotonic()
            if now >= kind._next_line:
                logger.exception("the cache is away: pages are made for each reader")
                kind._next_line = now + LINE_PAUSE
            kind._next_trial = now + self.pause
            return otherwise


class FileBasedCache(MayBeAway, filebased.FileBasedCache):
    """A folder, which may be full or not ours to write."""

    def __init__(self, folder: str, params: dict[str, Any]) -> None:
        """Take the folder; one that cannot be made now is made by the first value that is kept."""
        with suppress(OSError):
            super().__init__(folder, params)


class RedisCache(MayBeAway, redis.RedisCache):
    """A Redis server, which may be dead or out of reach."""

    pause = 2
