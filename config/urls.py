"""Every address of the site; they are permanent."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import path

from config.health import healthz, readyz
from config.security import security_txt
from config.trace.metrics import metrics
from standings.api.endpoints import urlpatterns as api
from standings.archive.answers import archive_progress, event_zip
from standings.downloads.answers import FORMATS, download
from standings.pages import feeds, live, site
from standings.pages.citation import event_bib
from standings.pages.codes import codes
from standings.pages.eventpages import EVENT_PAGES
from standings.serving.preview import preview

files = [
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
    path("robots.txt", feeds.robots, name="robots"),
    *(path(f"events/<slug:slug>.{each.ending}", download(each), name=each.view) for each in FORMATS),
    path("events/<slug:slug>.zip", event_zip, name="event-zip"),
    path("events/<slug:slug>.bib", event_bib, name="event-bib"),
    *api,
]
"""Data and what only machines read: the same in every language, so at one address."""

pages = [
    path("", site.event_list, name="events"),
    path("series/<slug:slug>/", site.series, name="series"),
    path("feed.atom", feeds.feed, name="feed"),
    *(each.path() for each in EVENT_PAGES),
    path("events/<slug:slug>/poll/", live.poll, name="poll"),
    path("events/<slug:slug>/archive/", archive_progress, name="event-archive"),
    path("codes/", codes, name="codes"),
    path("criteria/", site.criteria, name="criteria"),
    path("criteria/editions/", site.editions, name="editions"),
    path("criteria/<str:code>/", site.criterion, name="criterion"),
]
"""The public pages, in every language."""

handler500 = "config.outage.server_error"

urlpatterns = [
    path("admin/events/<int:event_id>/preview/<path:page>", preview, name="event-preview"),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path(".well-known/security.txt", security_txt),
    path("metrics", metrics),
    *files,
    *i18n_patterns(*pages, prefix_default_language=False),
]
