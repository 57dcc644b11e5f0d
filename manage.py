#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if "SECRET_KEY" not in os.environ:  # on a laptop; a server (config.wsgi) refuses to start without it
        os.environ.setdefault("DEBUG", "1")
    execute_from_command_line(sys.argv)
