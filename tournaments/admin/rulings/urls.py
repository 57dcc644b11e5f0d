"""The addresses of the screens of rulings."""

from django.urls import path

from tournaments.admin.rulings import findings, overrides, ranking, tiebreaks

EVENT = "events/<int:event_id>/"

urlpatterns = [
    path(f"{EVENT}tie-breaks/", tiebreaks.tiebreaks, name="event-tiebreaks"),
    path(f"{EVENT}ranking/", ranking.ranking, name="event-ranking"),
    path(f"{EVENT}overrides/", overrides.overrides, name="event-overrides"),
    path(f"{EVENT}overrides/value/", overrides.value, name="event-override-value"),
    path(f"{EVENT}overrides/place/", overrides.place, name="event-override-place"),
    path(f"{EVENT}overrides/criteria/", overrides.criteria, name="event-override-criteria"),
    path(f"{EVENT}overrides/<int:number>/undo/", overrides.undo, name="event-override-undo"),
    path(f"{EVENT}findings/", findings.findings, name="event-findings"),
]
