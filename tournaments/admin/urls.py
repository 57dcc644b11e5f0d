"""URLs of the desk's own views, in the namespace `admin`."""

from django.urls import path

from tournaments.accounts import views as accounts
from tournaments.admin import guide, prizes, ratinglists, redirects
from tournaments.admin.competitors import attendance, participation, register, rosters
from tournaments.admin.events import backups, desk, errorreports, newevents, publication, reports
from tournaments.admin.imports import bundlescreens as many
from tournaments.admin.imports import screens as imports
from tournaments.admin.pairings import changing, past, proposing, publishing, rounds
from tournaments.admin.pairings import pasting as pasting_pairings
from tournaments.admin.pairings import screen as pairings
from tournaments.admin.results import captains, lineups, pasting, sending
from tournaments.admin.results import screen as results
from tournaments.admin.rulings import findings, overrides, ranking, tiebreaks
from tournaments.people import urls as people_urls

EVENT = "events/<int:event_id>/"
ROUND = f"{EVENT}rounds/<int:number>/"
PAIRINGS = f"{ROUND}pairings/"
RESULTS = f"{ROUND}results/"
BACKUP = f"{EVENT}backups/<int:backup_id>/"

urlpatterns = [
    # events
    path("events/new/", newevents.new_event, name="event-new"),
    path(EVENT, desk.desk, name="event-desk"),
    path(f"{EVENT}clone/", newevents.clone, name="event-clone"),
    path(f"{EVENT}editions/", newevents.editions, name="event-editions"),
    path(f"{EVENT}home/", publication.home, name="event-home"),
    path(f"{EVENT}publication/", publication.publication, name="event-publication"),
    path(f"{EVENT}publication/<slug:state>/", publication.publish_as, name="event-publish"),
    path(f"{EVENT}file/", backups.event_file, name="event-file"),
    path(f"{EVENT}report/", backups.report_file, name="event-report"),
    path(f"{EVENT}report/check/", reports.report_check, name="event-report-check"),
    path(f"{EVENT}norms/", reports.norms, name="event-norms"),
    path(f"{EVENT}error-reports/", errorreports.error_reports, name="event-error-reports"),
    path(f"{EVENT}error-reports/<int:report_id>/", errorreports.error_report, name="event-error-report"),
    path(f"{EVENT}backups/", backups.backups, name="event-backups"),
    path(BACKUP, backups.backup_file, name="event-backup"),
    path(f"{BACKUP}restore/", backups.restore_backup, name="event-restore"),
    # competitors
    path(f"{EVENT}roster/", rosters.roster, name="event-roster"),
    path(f"{EVENT}register/", register.register, name="event-register"),
    path(f"{EVENT}attendance/", attendance.attendance, name="event-attendance"),
    path(f"{EVENT}attendance/<int:number>/", participation.participation, name="event-participation"),
    path(f"{ROUND}attendance/marks/", attendance.marks, name="attendance-marks"),
    path(f"{ROUND}attendance/news/", attendance.news, name="attendance-news"),
    path(f"{EVENT}ratings/", ratinglists.event_ratings, name="event-ratings"),
    # imports
    path("events/import/", imports.new_import, name="import"),
    path("events/import/many/", many.bundles, name="bundles"),
    path("events/import/many/<int:bundle_id>/", many.bundle, name="bundle"),
    path("events/import/many/<int:bundle_id>/report.csv", many.report, name="bundle-report"),
    path("events/import/<int:upload_id>/", imports.new_preview, name="import-preview"),
    path(f"{EVENT}import/", imports.event_import, name="event-import"),
    path(f"{EVENT}import/<int:upload_id>/", imports.event_preview, name="event-import-preview"),
    path(f"{EVENT}uploads/<int:upload_id>/", imports.uploaded, name="event-upload"),
    # rounds and pairings
    path(f"{EVENT}rounds/", rounds.rounds, name="event-rounds"),
    path(f"{EVENT}dates/", rounds.dates, name="event-dates"),
    path(f"{EVENT}schedule/", rounds.schedule, name="event-schedule"),
    path(f"{EVENT}rounds/close/", publishing.close_several, name="event-rounds-close"),
    path(f"{EVENT}rounds/publish/", publishing.publish_several, name="event-rounds-publish"),
    path(f"{ROUND}close/", publishing.close, name="round-close"),
    path(f"{ROUND}reopen/", publishing.reopen, name="round-reopen"),
    path(f"{ROUND}history/", past.history, name="round-history"),
    path(f"{ROUND}back/", past.rewind, name="round-rewind"),
    path(PAIRINGS, pairings.pairings, name="round-pairings"),
    path(f"{PAIRINGS}check/", pairings.check, name="round-check"),
    path(f"{PAIRINGS}propose/", proposing.propose, name="round-propose"),
    path(f"{PAIRINGS}proposal/", proposing.proposal, name="round-proposal"),
    path(f"{PAIRINGS}publish/", publishing.publish_round, name="round-publish"),
    path(f"{PAIRINGS}take-back/", publishing.take_back, name="round-take-back"),
    path(f"{PAIRINGS}paste/", pasting_pairings.paste, name="round-paste"),
    path(f"{PAIRINGS}<int:table>/", changing.one_pairing, name="round-pairing"),
    # results
    path(RESULTS, results.results, name="results"),
    path(f"{RESULTS}entries/", sending.take_in, name="results-entries"),
    path(f"{RESULTS}trial/", sending.try_one, name="results-trial"),
    path(f"{RESULTS}news/", sending.news, name="results-news"),
    path(f"{RESULTS}paste/", pasting.paste, name="results-paste"),
    path(f"{RESULTS}<int:table>/line-up/", lineups.lineup, name="results-line-up"),
    path(f"{ROUND}line-ups/", lineups.lineups, name="round-line-ups"),
    path(f"{ROUND}line-ups/captains/", captains.captains, name="round-captains"),
    # categories and prizes
    path(f"{EVENT}categories/", prizes.categories, name="event-categories"),
    path(f"{EVENT}prizes/", prizes.prizes, name="event-prizes"),
    # rulings
    path(f"{EVENT}tie-breaks/", tiebreaks.tiebreaks, name="event-tiebreaks"),
    path(f"{EVENT}ranking/", ranking.ranking, name="event-ranking"),
    path(f"{EVENT}overrides/", overrides.overrides, name="event-overrides"),
    path(f"{EVENT}overrides/value/", overrides.value, name="event-override-value"),
    path(f"{EVENT}overrides/place/", overrides.place, name="event-override-place"),
    path(f"{EVENT}overrides/criteria/", overrides.criteria, name="event-override-criteria"),
    path(f"{EVENT}overrides/<int:number>/undo/", overrides.undo, name="event-override-undo"),
    path(f"{EVENT}findings/", findings.findings, name="event-findings"),
    *people_urls.urlpatterns,
    # independent of events
    path("guide/", guide.guide, name="guide"),
    path("rating-lists/", ratinglists.rating_lists, name="rating-lists"),
    path("rating-lists/players/", ratinglists.rating_lookup, name="rating-lookup"),
    path("redirects/", redirects.import_redirects, name="redirects-import"),
    # accounts
    path("account/", accounts.account, name="account"),
    path("api-tokens/", accounts.api_tokens, name="api-tokens"),
    path("users/", accounts.users, name="users"),
    path("users/invite/", accounts.invite, name="user-invite"),
    path("users/<int:user_id>/", accounts.user, name="user"),
    path("password/forgotten/", accounts.forgotten_password, name="password-forgotten"),
    path("password/<str:uidb64>/<str:token>/", accounts.set_password, name="password-set"),
    path("invitation/<str:uidb64>/<str:token>/", accounts.accept_invitation, name="invited"),
    path("passkeys/", accounts.passkeys, name="passkeys"),
    path("passkeys/<int:passkey_id>/remove/", accounts.remove_passkey, name="passkey-remove"),
    path("second-factor/", accounts.second_factor, name="second-factor"),
    path("second-factor/setup/", accounts.set_up_authenticator, name="second-factor-setup"),
    path("second-factor/backup-codes/", accounts.backup_codes, name="backup-codes"),
    path("second-factor/remove/", accounts.remove_authenticator, name="second-factor-remove"),
]
