"""The public pages; their addresses are permanent."""

from django.urls import path

from standings import views

urlpatterns = [
    path("", views.event_list, name="events"),
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
    path("criteria/", views.criteria, name="criteria"),
    path("criteria/<slug:code>/", views.criterion, name="criterion"),
]
