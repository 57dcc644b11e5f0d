"""Every address of the site; they are permanent."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import path

from config.health import healthz, readyz
from standings.api.endpoints import urlpatterns as api
from standings.archive.answers import event_zip
from standings.downloads.answers import FORMATS, download
from standings.pages import feeds, views
from standings.pages.citation import event_bib
from standings.serving import live
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
    path("", views.event_list, name="events"),
    path("series/<slug:slug>/", views.series, name="series"),
    path("feed.atom", feeds.feed, name="feed"),
    path("events/<slug:slug>/", views.event, name="event"),
    path("events/<slug:slug>/standings/", views.standings, name="standings"),
    path("events/<slug:slug>/standings/after/<int:after>/", views.standings, name="standings-after"),
    path("events/<slug:slug>/rounds/<int:number>/<int:table>/", views.match, name="match"),
    path("events/<slug:slug>/competitors/<int:number>/", views.competitor, name="competitor"),
    path("events/<slug:slug>/crosstable/", views.crosstable, name="crosstable"),
    path("events/<slug:slug>/rounds/<int:number>/", views.round_, name="round"),
    path("events/<slug:slug>/competitors/", views.competitors, name="competitors"),
    path("events/<slug:slug>/competitors/<int:number>/<str:code>/", views.explanation, name="explanation"),
    path("events/<slug:slug>/compare/", views.compare_with, name="compare-with"),
    path("events/<slug:slug>/compare/<int:first>/<int:second>/", views.compare, name="compare"),
    path("events/<slug:slug>/statistics/", views.statistics, name="statistics"),
    path("events/<slug:slug>/changes/", views.changes, name="changes"),
    path("events/<slug:slug>/check/", views.check, name="check"),
    path("events/<slug:slug>/poll/", live.poll, name="poll"),
    path("codes/", views.codes, name="codes"),
    path("criteria/", views.criteria, name="criteria"),
    path("criteria/<str:code>/", views.criterion, name="criterion"),
]
"""The public pages, in every language."""

urlpatterns = [
    path("admin/events/<int:event_id>/preview/<path:page>", preview, name="event-preview"),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    *files,
    *i18n_patterns(*pages, prefix_default_language=False),
]
