"""The WSGI application of a serving process, with its heartbeat."""

import gc
import os
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import sleep

from django.core.wsgi import get_wsgi_application
from django.db.backends.signals import connection_created

from config.database.deadlines import serve
from config.trace.current import count_queries
from config.trace.middleware import guarded

HEARTBEATS = "HEARTBEATS"
"""Environment variable with the folder of the heartbeats for tools/watchdog.py; without it there are none."""

INTERVAL = 1.0


def _beat(file: Path) -> None:
    """Touch the file every second, in a thread that stalls if Python hangs."""
    while file.parent.is_dir():
        file.touch()
        sleep(INTERVAL)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
serve()  # before the first connection, which copies the deadlines
connection_created.connect(count_queries)
application = guarded(get_wsgi_application())
# imported here because it needs the models
import_module("tournaments.operations.compatibility").refuse_other_database()
if folder := os.environ.get(HEARTBEATS):
    Thread(target=_beat, args=(Path(folder) / str(os.getpid()),), name="heartbeat", daemon=True).start()

# A standings page creates and drops some ten thousand objects. Without this, the collector also scans the
# loaded code several times per page, which takes 10 % of the time.
gc.freeze()
gc.set_threshold(50_000)
