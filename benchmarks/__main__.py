"""Print what others cost beside us, all measured in one run."""

import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from benchmarks import archives, engine, pages, ratinglist, reports, storm  # noqa: E402 - the record can be imported only after setup

engine.report()
pages.report()
archives.report()
reports.report()
storm.report()
ratinglist.report()
