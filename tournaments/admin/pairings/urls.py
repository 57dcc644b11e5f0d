"""The addresses of rounds and pairings, below those of their event."""

from django.urls import path

from tournaments.admin.pairings import changing, pasting, publishing, rounds, schedule, screen

EVENT = "events/<int:event_id>"
ROUND = f"{EVENT}/rounds/<int:number>"
PAIRINGS = f"{ROUND}/pairings"

urlpatterns = [
    path(f"{EVENT}/rounds/", rounds.rounds, name="event-rounds"),
    path(f"{EVENT}/schedule/", schedule.schedule, name="event-schedule"),
    path(f"{ROUND}/close/", rounds.close, name="round-close"),
    path(f"{ROUND}/reopen/", rounds.reopen, name="round-reopen"),
    path(f"{PAIRINGS}/", screen.pairings, name="round-pairings"),
    path(f"{PAIRINGS}/publish/", publishing.publish_round, name="round-publish"),
    path(f"{PAIRINGS}/paste/", pasting.paste, name="round-paste"),
    path(f"{PAIRINGS}/change/", changing.rearrange_round, name="round-rearrange"),
    path(f"{PAIRINGS}/<int:table>/", changing.one_pairing, name="round-pairing"),
    path(f"{PAIRINGS}/<int:table>/remove/", changing.remove_one, name="pairing-remove"),
]
