"""The public pages; their addresses are permanent."""

from django.urls import path

from standings import feeds, live, views

urlpatterns = [
    path("", views.event_list, name="events"),
    path("series/<slug:slug>/", views.series, name="series"),
    path("feed.atom", feeds.feed, name="feed"),
    path("sitemap.xml", feeds.sitemap, name="sitemap"),
    path("robots.txt", feeds.robots, name="robots"),
    path("events/<slug:slug>.json", views.event_json, name="event-json"),
    path("events/<slug:slug>.csv", views.event_csv, name="event-csv"),
    path("events/<slug:slug>/", views.event, name="event"),
    path("events/<slug:slug>/standings/", views.standings, name="standings"),
    path("events/<slug:slug>/standings/after/<int:after>/", views.standings, name="standings-after"),
    path("events/<slug:slug>/rounds/<int:number>/<int:table>/", views.match, name="match"),
    path("events/<slug:slug>/competitors/<int:number>/", views.competitor, name="competitor"),
    path("events/<slug:slug>/crosstable/", views.crosstable, name="crosstable"),
    path("events/<slug:slug>/rounds/<int:number>/", views.round_, name="round"),
    path("events/<slug:slug>/competitors/", views.competitors, name="competitors"),
    path("events/<slug:slug>/competitors/<int:number>/<str:code>/", views.explanation, name="explanation"),
    path("events/<slug:slug>/compare/<int:first>/<int:second>/", views.compare, name="compare"),
    path("events/<slug:slug>/changes/", views.changes, name="changes"),
    path("events/<slug:slug>/check/", views.check, name="check"),
    path("events/<slug:slug>/poll/", live.poll, name="poll"),
    path("criteria/", views.criteria, name="criteria"),
    path("criteria/<slug:code>/", views.criterion, name="criterion"),
]
