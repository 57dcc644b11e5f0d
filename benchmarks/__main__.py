"""Print what others cost beside us, all measured in one run."""

import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from benchmarks import archives, engine, pages, ratinglist, reports, storm

engine.report()
pages.report()
archives.report()
reports.report()
storm.report()
ratinglist.report()
