"""All URLs of the site. They are permanent."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import path

from config.trace.metrics import metrics
from config.views import healthz, readyz, security_txt
from standings.api.endpoints import reference
from standings.api.endpoints import urlpatterns as api
from standings.archive.views import archive_progress, event_zip
from standings.downloads.views import FORMATS, download_view, event_schema_view
from standings.pages.competitors.followed import followed, followed_groups
from standings.pages.events.congress import congress
from standings.pages.events.error_report import error_report
from standings.pages.events.preview import preview
from standings.pages.live import embed, polling
from standings.pages.live import feeds as eventfeeds
from standings.pages.live.share_image import share_image
from standings.pages.page_list import EVENT_PAGES
from standings.pages.people import encounters
from standings.pages.people.profiles import person, team
from standings.pages.site import catalogue, legal
from standings.pages.site import feeds as sitefeeds
from standings.pages.site.codes import codes
from standings.pages.site.file_formats import event_example, event_format, layouts
from standings.pages.site.validating import validating
from standings.paper import views as paper
from tournaments.api.endpoints import api as write_api
from tournaments.hall.games import game
from tournaments.hall.lineups import lineup

files = [
    path("sitemap.xml", sitefeeds.sitemap, name="sitemap"),
    path("robots.txt", sitefeeds.robots, name="robots"),
    *(path(f"events/<slug:slug>.{each.ending}", download_view(each), name=each.view) for each in FORMATS),
    path("people/<whole:key>/games.pgn", encounters.person_pgn, {"ending": "pgn"}, name="person-pgn"),
    path("people/<whole:key>/games.pdn", encounters.person_pdn, {"ending": "pdn"}, name="person-pdn"),
    path("events/<slug:slug>.zip", event_zip, name="event-zip"),
    path("schema/event/1.json", event_schema_view, name="event-schema"),
    path("event-file/examples/<slug:name>.json", event_example, name="event-example"),
    path("oembed/", embed.oembed, name="oembed"),
    *api,
]
"""Data and files for machines, which have one URL for all languages."""

hall = [
    path("hall/game/<str:token>", game, name="hall-game"),
    path("hall/line-up/<str:token>", lineup, name="hall-line-up"),
]
"""Forms behind signed URLs for players in the hall, in the visitor's language.

Without trailing slash: the redirect that adds it would store the secret URL in caches.
"""

feeds = [
    path("feed.atom", sitefeeds.feed, name="feed"),
    path("added.atom", sitefeeds.added_feed, name="added-feed"),
    path("events/<slug:slug>/feed.atom", eventfeeds.event_feed, name="event-feed"),
    path(
        "events/<slug:slug>/competitors/<whole:number>/feed.atom",
        eventfeeds.competitor_feed,
        name="competitor-feed",
    ),
    path("people/<whole:key>/feed.atom", encounters.person_feed, name="person-feed"),
    path("teams/<whole:key>/feed.atom", encounters.team_feed, name="team-feed"),
    path("events/<slug:slug>/rounds.ics", eventfeeds.calendar, name="calendar"),
    path("rounds.ics", eventfeeds.calendar_of_events, name="calendar-of-events"),
]
"""Feeds, in every language."""

pages = [
    path("", catalogue.event_list, name="events"),
    *(each.path() for each in EVENT_PAGES),
    path("find/", catalogue.find, name="find"),
    path("suggest/", catalogue.suggest, name="suggest"),
    path("poll/", polling.poll_home, name="poll-home"),
    path("series/", catalogue.series_list, name="series-list"),
    path("series/<slug:slug>/", catalogue.series, name="series"),
    path("congresses/<slug:slug>/", congress, name="congress"),
    path("people/", catalogue.persons, name="people"),
    path("teams/", catalogue.teams, name="teams"),
    path("people/records/", catalogue.records, name="records"),
    path("people/<whole:key>/", person, name="person-alone"),
    path("people/<whole:key>-<str:named>/", person, name="person"),
    path("people/<whole:key>/games/", encounters.person_games, name="person-games"),
    path("people/<whole:key>/against/", encounters.person_opponents, name="person-opponents"),
    path("people/<whole:key>/against/<whole:against>/", encounters.person_against, name="person-against"),
    path("teams/<whole:key>/", team, name="team-alone"),
    path("teams/<whole:key>-<str:named>/", team, name="team"),
    path("teams/<whole:key>/against/", encounters.team_opponents, name="team-opponents"),
    path("teams/<whole:key>/against/<whole:against>/", encounters.team_against, name="team-against"),
    path("events/<slug:slug>/poll/", polling.poll, name="poll"),
    path("events/<slug:slug>/followed/", followed_groups, name="followed-groups"),
    path("events/<slug:slug>/followed/<whole:number>/", followed, name="followed"),
    path("events/<slug:slug>/report/", error_report, name="error-report"),
    path("events/<slug:slug>/archive/", archive_progress, name="event-archive"),
    *(
        path(f"embed/events/<slug:slug>/{route}/", embed.EMBEDDED[name], name=f"embed-{name}")
        for name, route in embed.ROUTES.items()
    ),
    path("events/<slug:slug>/card.<slug:ending>", share_image, name="share-image"),
    path("codes/", codes, name="codes"),
    path("api-reference/", reference, name="api-reference"),
    path("event-file/", event_format, name="event-format"),
    path("layouts/", layouts, name="layouts"),
    path("validate/", validating, name="validate"),
    path("imprint/", legal.imprint, name="imprint"),
    path("following/", legal.following, name="following"),
    path("privacy/", legal.privacy, name="privacy"),
    path("criteria/", catalogue.criteria, name="criteria"),
    path("criteria/editions/", catalogue.editions, name="editions"),
    path("criteria/<str:code>/", catalogue.criterion, name="criterion"),
]
"""The public pages, in every language."""

handler500 = "config.outage.server_error"

urlpatterns = [
    # First, because a request tries the patterns in this order: fifty would take as long as a cached page.
    *i18n_patterns(*pages, *feeds, prefix_default_language=False),
    path("admin/events/<int:event_id>/preview/<path:page>", preview, name="event-preview"),
    *paper.addresses,
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path(".well-known/security.txt", security_txt),
    path("metrics", metrics),
    path("api/write/", write_api.urls),
    *files,
    *hall,
]
