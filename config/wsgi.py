"""The WSGI application."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from config.database.deadlines import serve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
serve()  # before the first connection, which takes its deadlines along
application = get_wsgi_application()

# A standings page makes some ten thousand objects and drops them all: searching the loaded code for garbage
# several times a page costs a tenth of it.
gc.freeze()
gc.set_threshold(50_000)
