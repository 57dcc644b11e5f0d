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
]
