"""The desk's own screens, in the namespace `admin`; each has a line in tests/desk/matrix.py."""

from django.urls import path

from tournaments.admin import (
    backups,
    desk,
    editions,
    newevents,
    publication,
    redirects,
    rosters,
    second_factor,
)
from tournaments.admin.imports.urls import urlpatterns as imports
from tournaments.admin.pairings.urls import urlpatterns as pairings
from tournaments.admin.results.urls import urlpatterns as results
from tournaments.admin.rulings.urls import urlpatterns as rulings

urlpatterns = [
    *results,
    *rulings,
    *pairings,
    *imports,
    path("events/<int:event_id>/", desk.desk, name="event-desk"),
    path("events/new/", newevents.new_event, name="event-new"),
    path("events/<int:event_id>/clone/", newevents.clone, name="event-clone"),
    path("events/<int:event_id>/editions/", editions.editions, name="event-editions"),
    path("redirects/", redirects.import_redirects, name="redirects-import"),
    path("events/<int:event_id>/roster/", rosters.roster, name="event-roster"),
    path("events/<int:event_id>/publication/", publication.publication, name="event-publication"),
    path("events/<int:event_id>/publication/<slug:state>/", publication.publish_as, name="event-publish"),
    path("events/<int:event_id>/file/", backups.event_file, name="event-file"),
    path("events/<int:event_id>/report/", backups.report_file, name="event-report"),
    path("events/<int:event_id>/backups/", backups.backups, name="event-backups"),
    path("events/<int:event_id>/backups/<int:backup_id>/", backups.backup_file, name="event-backup"),
    path(
        "events/<int:event_id>/backups/<int:backup_id>/restore/",
        backups.restore_backup,
        name="event-restore",
    ),
    path("second-factor/", second_factor.show, name="second-factor"),
    path("second-factor/setup/", second_factor.set_up, name="second-factor-setup"),
    path("second-factor/backup-codes/", second_factor.backup_codes, name="backup-codes"),
    path("second-factor/remove/", second_factor.remove, name="second-factor-remove"),
]
