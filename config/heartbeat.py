"""Heartbeats of a serving process for tools/watchdog.py."""

import os
from pathlib import Path
from threading import Thread
from time import sleep

FOLDER = "HEARTBEATS"
"""Environment variable with the folder of the heartbeats. If it is not set, there are none."""

INTERVAL = 1.0


def start_heartbeat() -> None:
    """Touch a file named after this process every second, in a thread that stalls if Python hangs."""
    if folder := os.environ.get(FOLDER):
        Thread(target=_beat, args=(Path(folder) / str(os.getpid()),), name="heartbeat", daemon=True).start()


def _beat(file: Path) -> None:
    while file.parent.is_dir():
        file.touch()
        sleep(INTERVAL)
