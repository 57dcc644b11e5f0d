"""The addresses of the results screen."""

from django.urls import path

from tournaments.admin.results import lineup, pasting, screen, sending

ROUND = "events/<int:event_id>/rounds/<int:number>/results/"

urlpatterns = [
    path(ROUND, screen.results, name="results"),
    path(f"{ROUND}entries/", sending.take_in, name="results-entries"),
    path(f"{ROUND}trial/", sending.try_one, name="results-trial"),
    path(f"{ROUND}news/", sending.news, name="results-news"),
    path(f"{ROUND}paste/", pasting.paste, name="results-paste"),
    path(f"{ROUND}<int:table>/line-up/", lineup.lineup, name="results-line-up"),
]
