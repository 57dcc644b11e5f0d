"""Every screen of the desk that is ours and no list of Django's admin, in the namespace `admin`."""

from django.contrib import admin
from django.urls import path

from tournaments.admin import redirects
from tournaments.admin.accounts import links, passkeys, second_factor, sessions, users
from tournaments.admin.competitors import rosters
from tournaments.admin.events import backups, desk, editions, newevents, publication
from tournaments.admin.imports import screens as imports
from tournaments.admin.pairings import changing, publishing, rounds
from tournaments.admin.pairings import screen as pairings
from tournaments.admin.results import lineup, pasting, sending
from tournaments.admin.results import screen as results
from tournaments.admin.rulings import findings, overrides, ranking, tiebreaks

EVENT = "events/<int:event_id>/"
ROUND = f"{EVENT}rounds/<int:number>/"
PAIRINGS = f"{ROUND}pairings/"
RESULTS = f"{ROUND}results/"
PASSKEY = "passkeys/<int:passkey_id>/"
BACKUP = f"{EVENT}backups/<int:backup_id>/"

urlpatterns = [
    # an event as a whole
    path("events/new/", newevents.new_event, name="event-new"),
    path(EVENT, desk.desk, name="event-desk"),
    path(f"{EVENT}clone/", newevents.clone, name="event-clone"),
    path(f"{EVENT}editions/", editions.editions, name="event-editions"),
    path(f"{EVENT}publication/", publication.publication, name="event-publication"),
    path(f"{EVENT}publication/<slug:state>/", publication.publish_as, name="event-publish"),
    path(f"{EVENT}file/", backups.event_file, name="event-file"),
    path(f"{EVENT}report/", backups.report_file, name="event-report"),
    path(f"{EVENT}backups/", backups.backups, name="event-backups"),
    path(BACKUP, backups.backup_file, name="event-backup"),
    path(f"{BACKUP}restore/", backups.restore_backup, name="event-restore"),
    # competitors
    path(f"{EVENT}roster/", rosters.roster, name="event-roster"),
    # imports
    path("events/import/", imports.new_import, name="import"),
    path("events/import/<int:upload_id>/", imports.new_preview, name="import-preview"),
    path(f"{EVENT}import/", imports.event_import, name="event-import"),
    path(f"{EVENT}import/<int:upload_id>/", imports.event_preview, name="event-import-preview"),
    path(f"{EVENT}uploads/<int:upload_id>/", imports.uploaded, name="event-upload"),
    # rounds and pairings
    path(f"{EVENT}rounds/", rounds.rounds, name="event-rounds"),
    path(f"{EVENT}schedule/", rounds.schedule, name="event-schedule"),
    path(f"{ROUND}close/", rounds.close, name="round-close"),
    path(f"{ROUND}reopen/", rounds.reopen, name="round-reopen"),
    path(PAIRINGS, pairings.pairings, name="round-pairings"),
    path(f"{PAIRINGS}publish/", publishing.publish_round, name="round-publish"),
    path(f"{PAIRINGS}paste/", pairings.paste, name="round-paste"),
    path(f"{PAIRINGS}change/", changing.rearrange_round, name="round-rearrange"),
    path(f"{PAIRINGS}<int:table>/", changing.one_pairing, name="round-pairing"),
    path(f"{PAIRINGS}<int:table>/remove/", changing.remove_one, name="pairing-remove"),
    # results
    path(RESULTS, results.results, name="results"),
    path(f"{RESULTS}entries/", sending.take_in, name="results-entries"),
    path(f"{RESULTS}trial/", sending.try_one, name="results-trial"),
    path(f"{RESULTS}news/", sending.news, name="results-news"),
    path(f"{RESULTS}paste/", pasting.paste, name="results-paste"),
    path(f"{RESULTS}<int:table>/line-up/", lineup.lineup, name="results-line-up"),
    # rulings
    path(f"{EVENT}tie-breaks/", tiebreaks.tiebreaks, name="event-tiebreaks"),
    path(f"{EVENT}ranking/", ranking.ranking, name="event-ranking"),
    path(f"{EVENT}overrides/", overrides.overrides, name="event-overrides"),
    path(f"{EVENT}overrides/value/", overrides.value, name="event-override-value"),
    path(f"{EVENT}overrides/place/", overrides.place, name="event-override-place"),
    path(f"{EVENT}overrides/criteria/", overrides.criteria, name="event-override-criteria"),
    path(f"{EVENT}overrides/<int:number>/undo/", overrides.undo, name="event-override-undo"),
    path(f"{EVENT}findings/", findings.findings, name="event-findings"),
    # no event
    path("redirects/", redirects.import_redirects, name="redirects-import"),
    path("account/", admin.site.admin_view(sessions.account), name="account"),
    path("users/", users.users, name="users"),
    path("users/invite/", users.invite, name="user-invite"),
    path("users/<int:user_id>/", users.user, name="user"),
    path("password/forgotten/", links.forgotten, name="password-forgotten"),
    path("password/<str:uidb64>/<str:token>/", links.set_password, name="password-set"),
    path("invitation/<str:uidb64>/<str:token>/", links.accept, name="invited"),
    path("passkeys/", second_factor.behind_the_factor(passkeys.passkeys), name="passkeys"),
    path(
        "passkeys/<int:passkey_id>/remove/",
        second_factor.behind_the_factor(passkeys.remove_passkey),
        name="passkey-remove",
    ),
    path("second-factor/", second_factor.show, name="second-factor"),
    path("second-factor/setup/", second_factor.set_up, name="second-factor-setup"),
    path("second-factor/backup-codes/", second_factor.backup_codes, name="backup-codes"),
    path("second-factor/remove/", second_factor.remove, name="second-factor-remove"),
]
