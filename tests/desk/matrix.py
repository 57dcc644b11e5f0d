"""What every address of the desk answers to whom, written by hand: one line an address.

The columns are: nobody logged in, an arbiter of another event, an arbiter of this one, an organiser, a
superuser; first for GET, then for POST with nothing in it. `in` is the way to the login, `to` leads
elsewhere. An address is known by its name in the namespace `admin`, or by its route where it has none. One
without a line fails the test; so does a line without an address.

What another arbiter meets: 404 for a row or a screen of an event that is not his, 403 for an act that no row
of his own would allow him either.
"""

COLUMNS = ("nobody", "other", "arbiter", "organiser", "superuser")

SPECIAL = {
    "app_list": "tournaments/",
    "(?P<url>.*)$": "nowhere/",
}
"""What is asked where an address has other parts."""

PARTS = {"state": "removed", "page": "events/two-teams/", "number": "1", "table": "1"}
"""What stands in the others for what is no key of a row."""

LINES = r"""
logout                                                  405 405 405 405 405   200 200 200 200 200
event-desk                                               in 404 200 200 200    in 404 200 200 200
event-new                                                in 403 403 200 200    in 403 403 200 200
event-clone                                              in 404 403 200 200    in 404 403 200 200
event-editions                                           in 404 403 200 200    in 404 403 200 200
redirects-import                                         in 403 403 200 200    in 403 403 200 200
import                                                   in 403 403 200 200    in 403 403 200 200
import-preview                                           in 403 403 404 404    in 403 403 404 404
event-import                                             in 404 200 200 200    in 404 200 200 200
event-import-preview                                     in 404 404 404 404    in 404 404 404 404
event-upload                                             in 404 200 200 200    in 404 200 200 200
event-roster                                             in 404 200 200 200    in 404 200 200 200
event-publication                                        in 404 403 200 200    in 404 403 200 200
event-publish                                            in 404 403 200 200    in 404 403 200 200
event-preview                                            in 404  to  to  to    in 404  to  to  to
event-file                                               in 404 200 200 200    in 404 200 200 200
event-report                                             in 404 200 200 200    in 404 200 200 200
event-backups                                            in 404 200 200 200    in 404 200 200 200
event-backup                                             in 404 200 200 200    in 404 200 200 200
event-restore                                            in 404 403 200 200    in 404 403 200 200
event-rounds                                             in 404 200 200 200    in 404 200 200 200
event-schedule                                           in 404 200 200 200    in 404 200 200 200
round-close                                              in 404 200 200 200    in 404 200 200 200
round-reopen                                             in 404 200 200 200    in 404 200 200 200
round-pairings                                           in 404 200 200 200    in 404 200 200 200
round-publish                                            in 404 200 200 200    in 404  to  to  to
round-paste                                              in 404 200 200 200    in 404 200 200 200
round-rearrange                                          in 404 200 200 200    in 404 200 200 200
round-pairing                                            in 404 200 200 200    in 404 200 200 200
pairing-remove                                           in 404 200 200 200    in 404 200 200 200
results                                                  in 404 200 200 200    in 404  to  to  to
results-entries                                          in 404 405 405 405    in 404 400 400 400
results-trial                                            in 404 405 405 405    in 404 400 400 400
results-news                                             in 404 200 200 200    in 404 405 405 405
results-paste                                            in 404 200 200 200    in 404 200 200 200
results-line-up                                          in 404 200 200 200    in 404 200 200 200
event-tiebreaks                                          in 404 200 200 200    in 404  to  to  to
event-ranking                                            in 404 200 200 200    in 404 200 200 200
event-overrides                                          in 404 200 200 200    in 404 405 405 405
event-override-value                                     in 404 200 200 200    in 404 200 200 200
event-override-place                                     in 404 200 200 200    in 404 200 200 200
event-override-criteria                                  in 404 200 200 200    in 404 200 200 200
event-override-undo                                      in 404 200 200 200    in 404 200 200 200
event-findings                                           in 404 200 200 200    in 404 200 200 200
second-factor                                            in  to  to  to  to    in  to  to  to  to
second-factor-setup                                      in 200 200 200 200    in 200 200 200 200
backup-codes                                             in  to  to  to  to    in  to  to  to  to
second-factor-remove                                     in  to  to  to  to    in  to  to  to  to

index                                                    in 200 200 200 200    in 200 200 200 200
login                                                   200  to  to  to  to   200 200 200 200 200
password_change                                          in 200 200 200 200    in 200 200 200 200
password_change_done                                     in 200 200 200 200    in 405 405 405 405
autocomplete                                             in 403 403 403 403    in 405 405 405 405
jsi18n                                                   in 200 200 200 200    in 405 405 405 405
view_on_site                                             in 404 404 404 404    in 404 404 404 404

auth_user_password_change                                in 404 404 404 200    in 404 404 404 200
auth_user_changelist                                     in 403 403 403 200    in 403 403 403 200
auth_user_add                                            in 403 403 403 200    in 403 403 403 200
auth_user_history                                        in 404 404 404 200    in 404 404 404 200
auth_user_delete                                         in 404 404 404 403    in 404 404 404 403
auth_user_change                                         in 404 404 404 200    in 404 404 404 200
auth/user/<path:object_id>/                              in  to  to  to  to    in  to  to  to  to

axes_accessattempt_changelist                            in 403 403 403 200    in 403 403 403 200
axes_accessattempt_add                                   in 403 403 403 403    in 403 403 403 403
axes_accessattempt_history                               in 404 404 404 200    in 404 404 404 200
axes_accessattempt_delete                                in 404 404 404 200    in 404 404 404 200
axes_accessattempt_change                                in 404 404 404 200    in 404 404 404 403
axes/accessattempt/<path:object_id>/                     in  to  to  to  to    in  to  to  to  to

axes_accesslog_changelist                                in 403 403 403 200    in 403 403 403 200
axes_accesslog_add                                       in 403 403 403 403    in 403 403 403 403
axes_accesslog_history                                   in 404 404 404 200    in 404 404 404 200
axes_accesslog_delete                                    in 404 404 404 403    in 404 404 404 403
axes_accesslog_change                                    in 404 404 404 200    in 404 404 404 403
axes/accesslog/<path:object_id>/                         in  to  to  to  to    in  to  to  to  to

axes_accessfailurelog_changelist                         in 403 403 403 200    in 403 403 403 200
axes_accessfailurelog_add                                in 403 403 403 403    in 403 403 403 403
axes_accessfailurelog_history                            in 404 404 404 200    in 404 404 404 200
axes_accessfailurelog_delete                             in 404 404 404 403    in 404 404 404 403
axes_accessfailurelog_change                             in 404 404 404 200    in 404 404 404 403
axes/accessfailurelog/<path:object_id>/                  in  to  to  to  to    in  to  to  to  to

tournaments_competitor_changelist                        in 200 200 200 200    in 200 200 200 200
tournaments_competitor_add                               in 200 200 200 200    in 200 200 200 200
tournaments_competitor_history                           in 404 200 200 200    in 404 200 200 200
tournaments_competitor_delete                            in 404 403 403 403    in 404 403 403 403
tournaments_competitor_change                            in 404 200 200 200    in 404 200 200 200
tournaments/competitor/<path:object_id>/                 in  to  to  to  to    in  to  to  to  to

tournaments_event_changelist                             in 200 200 200 200    in 200 200 200 200
tournaments_event_add                                    in 403 403  to  to    in 403 403  to  to
tournaments_event_history                                in 404 200 200 200    in 404 200 200 200
tournaments_event_delete                                 in 404 403 403 403    in 404 403 403 403
tournaments_event_change                                 in 404 200 200 200    in 404 200 200 200
tournaments/event/<path:object_id>/                      in  to  to  to  to    in  to  to  to  to

tournaments_series_changelist                            in 200 200 200 200    in 200 200 200 200
tournaments_series_add                                   in 403 403 200 200    in 403 403 200 200
tournaments_series_history                               in 200 200 200 200    in 200 200 200 200
tournaments_series_delete                                in 403 403 200 200    in 403 403 200 200
tournaments_series_change                                in 200 200 200 200    in 403 403 200 200
tournaments/series/<path:object_id>/                     in  to  to  to  to    in  to  to  to  to

tournaments_redirect_changelist                          in 200 200 200 200    in 200 200 200 200
tournaments_redirect_add                                 in 403 403 403 403    in 403 403 403 403
tournaments_redirect_history                             in 200 200 200 200    in 200 200 200 200
tournaments_redirect_delete                              in 403 403 200 200    in 403 403 200 200
tournaments_redirect_change                              in 200 200 200 200    in 403 403 403 403
tournaments/redirect/<path:object_id>/                   in  to  to  to  to    in  to  to  to  to

tournaments_override_changelist                          in 200 200 200 200    in 200 200 200 200
tournaments_override_add                                 in 403 403 403 403    in 403 403 403 403
tournaments_override_history                             in 404 200 200 200    in 404 200 200 200
tournaments_override_delete                              in 404 403 403 403    in 404 403 403 403
tournaments_override_change                              in 404 200 200 200    in 404 403 403 403
tournaments/override/<path:object_id>/                   in  to  to  to  to    in  to  to  to  to

tournaments_change_changelist                            in 200 200 200 200    in 200 200 200 200
tournaments_change_add                                   in 403 403 403 403    in 403 403 403 403
tournaments_change_history                               in 404 200 200 200    in 404 200 200 200
tournaments_change_delete                                in 404 403 403 403    in 404 403 403 403
tournaments_change_change                                in 404 200 200 200    in 404 403 403 403
tournaments/change/<path:object_id>/                     in  to  to  to  to    in  to  to  to  to

tournaments_acknowledgement_changelist                   in 200 200 200 200    in 200 200 200 200
tournaments_acknowledgement_add                          in 403 403 403 403    in 403 403 403 403
tournaments_acknowledgement_history                      in 404 200 200 200    in 404 200 200 200
tournaments_acknowledgement_delete                       in 404 403 403 403    in 404 403 403 403
tournaments_acknowledgement_change                       in 404 200 200 200    in 404 403 403 403
tournaments/acknowledgement/<path:object_id>/            in  to  to  to  to    in  to  to  to  to

tournaments_manualtiebreak_changelist                    in 200 200 200 200    in 200 200 200 200
tournaments_manualtiebreak_add                           in 403 403 403 403    in 403 403 403 403
tournaments_manualtiebreak_history                       in 404 200 200 200    in 404 200 200 200
tournaments_manualtiebreak_delete                        in 404 403 403 403    in 404 403 403 403
tournaments_manualtiebreak_change                        in 404 200 200 200    in 404 403 403 403
tournaments/manualtiebreak/<path:object_id>/             in  to  to  to  to    in  to  to  to  to

tournaments_published_changelist                         in 200 200 200 200    in 200 200 200 200
tournaments_published_add                                in 403 403 403 403    in 403 403 403 403
tournaments_published_history                            in 404 200 200 200    in 404 200 200 200
tournaments_published_delete                             in 404 403 403 403    in 404 403 403 403
tournaments_published_change                             in 404 200 200 200    in 404 200 200 200
tournaments/published/<path:object_id>/                  in  to  to  to  to    in  to  to  to  to

tournaments_round_changelist                             in 200 200 200 200    in 200 200 200 200
tournaments_round_add                                    in 200 200 200 200    in 200 200 200 200
tournaments_round_history                                in 404 200 200 200    in 404 200 200 200
tournaments_round_delete                                 in 404 200 200 200    in 404 200 200 200
tournaments_round_change                                 in 404 200 200 200    in 404  to  to  to
tournaments/round/<path:object_id>/                      in  to  to  to  to    in  to  to  to  to

tournaments_pairing_changelist                           in 200 200 200 200    in 200 200 200 200
tournaments_pairing_add                                  in 403 403 403 403    in 403 403 403 403
tournaments_pairing_history                              in 404 200 200 200    in 404 200 200 200
tournaments_pairing_delete                               in 404 403 403 403    in 404 403 403 403
tournaments_pairing_change                               in 404 200 200 200    in 404 403 403 403
tournaments/pairing/<path:object_id>/                    in  to  to  to  to    in  to  to  to  to

app_list                                                 in 200 200 200 200    in 200 200 200 200
(?P<url>.*)$                                             in 404 404 404 404    in 404 404 404 404
"""

MATRIX = {name: answers for name, *answers in (line.split() for line in LINES.splitlines() if line)}
