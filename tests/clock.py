"""A clock that only the test moves."""


class Clock:
    """Replace `monotonic` with the instance, and `sleep` with its method: nobody waits for real."""

    def __init__(self, step: float = 0) -> None:
        """Start at an arbitrary time. Each reading adds `step` seconds."""
        self.now = 1000.0
        self._step = step

    def __call__(self) -> float:
        self.now += self._step
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
