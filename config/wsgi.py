import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.db.backends.signals import connection_created

from config.database.deadlines import serve
from config.heartbeat import start_heartbeat
from config.trace.current import count_queries
from config.trace.middleware import guarded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
serve()  # before the first connection, which copies the deadlines
connection_created.connect(count_queries)
application = guarded(get_wsgi_application())
# imported here because it needs the models
import_module("tournaments.operations.compatibility").refuse_other_database()
start_heartbeat()

# A standings page creates and drops some ten thousand objects. Without this, the collector also scans the
# loaded code several times per page, which takes 10 % of the time.
gc.freeze()
gc.set_threshold(50_000)
