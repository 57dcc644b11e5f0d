"""Print the time of each benchmark relative to its reference, measured in the same run."""

import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()

from tools.benchmarks import archives, engine, pages, phone, ratinglist, reports, storm

engine.report()
pages.report()
phone.report()
archives.report()
reports.report()
storm.report()
ratinglist.report()
