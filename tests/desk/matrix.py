"""The expected responses of all desk URLs by role: the usual responses, and exceptions.

The columns are: anonymous, an arbiter of another event, an arbiter of this event, an organiser, a superuser;
first for GET, then for an empty POST. `in` is a redirect to the login, `to` any other redirect. A URL is
identified by its name in the namespace `admin`, or by its route if it has no name.

An arbiter of another event gets a 404 for a row or page of the event, and a 403 for an action that arbiters
may not perform on their own rows either.
"""

import re

COLUMNS = ("nobody", "other", "arbiter", "organiser", "superuser")

USUAL = {
    r"(event|round|pairing|results)\b.*": "in 404 200 200 200    in 404 200 200 200",
    r".*_changelist": "in 200 200 200 200    in 200 200 200 200",
    r".*_add": "in 403 403 403 403    in 403 403 403 403",
    r".*_history": "in 404 200 200 200    in 404 200 200 200",
    r".*_delete": "in 404 403 403 403    in 404 403 403 403",
    r".*_change": "in 404 200 200 200    in 404 403 403 403",
    r".*/<path:object_id>/": "in to to to to    in to to to to",
}
"""A page about an event is for its arbiters. In Django's admin, all roles may view, but not change."""

LINES = r"""
logout                                                  405 405 405 405 405   200 200 200 200 200
event-new                                                in 403 403 200 200    in 403 403 200 200
event-clone                                              in 404 403 200 200    in 404 403 200 200
event-editions                                           in 404 403 200 200    in 404 403 200 200
redirects-import                                         in 403 403 200 200    in 403 403 200 200
rating-lists                                             in 200 200 200 200    in 403 403 200 200
rating-lookup                                            in 200 200 200 200    in 200 200 200 200
guide                                                    in 200 200 200 200    in 200 200 200 200
import                                                   in 403 403 200 200    in 403 403 200 200
bundles                                                  in 403 403 200 200    in 403 403 200 200
bundle                                                   in 403 403 404 404    in 403 403 404 404
bundle-report                                            in 403 403 404 404    in 403 403 404 404
import-preview                                           in 403 403 404 404    in 403 403 404 404
event-import-preview                                     in 404 404 404 404    in 404 404 404 404
event-publication                                        in 404 403 200 200    in 404 403 200 200
event-home                                               in 404 403 200 200    in 404 403 200 200
event-publish                                            in 404 403 200 200    in 404 403 200 200
event-preview                                            in 404  to  to  to    in 404  to  to  to
event-error-report                                       in 404  to  to  to    in 404  to  to  to
event-restore                                            in 404 403 200 200    in 404 403 200 200
round-propose                                            in 404 405 405 405    in 404  to  to  to
round-proposal                                           in 404  to  to  to    in 404  to  to  to
round-publish                                            in 404 200 200 200    in 404  to  to  to
round-take-back                                          in 404 405 405 405    in 404  to  to  to
round-line-ups                                           in 404 200 200 200    in 404  to  to  to
results                                                  in 404 200 200 200    in 404  to  to  to
results-entries                                          in 404 405 405 405    in 404 400 400 400
results-trial                                            in 404 405 405 405    in 404 400 400 400
results-news                                             in 404 200 200 200    in 404 405 405 405
event-register                                           in 404 200 200 200    in 404  to  to  to
event-participation                                      in 404 200 200 200    in 404  to  to  to
attendance-marks                                         in 404 405 405 405    in 404 400 400 400
attendance-news                                          in 404 200 200 200    in 404 405 405 405
event-tiebreaks                                          in 404 200 200 200    in 404  to  to  to
event-overrides                                          in 404 200 200 200    in 404 405 405 405
account                                                  in 200 200 200 200    in  to  to  to  to
api-tokens                                               in 200 200 200 200    in 200 200 200 200
users                                                    in 403 403 200 200    in 403 403 200 200
user-invite                                              in 403 403 200 200    in 403 403 200 200
user                                                     in 403 403 200 200    in 403 403 200 200
password-forgotten                                      200 200 200 200 200   200 200 200 200 200
password-set                                            200 200 200 200 200   200 200 200 200 200
invited                                                 200 200 200 200 200   200 200 200 200 200
passkeys                                                 in 200 200 200 200    in 200 200 200 200
passkey-remove                                           in 404 404 404 404    in 404 404 404 404
second-factor                                            in  to  to  to  to    in  to  to  to  to
second-factor-setup                                      in 200 200 200 200    in 200 200 200 200
backup-codes                                             in  to  to  to  to    in  to  to  to  to
second-factor-remove                                     in  to  to  to  to    in  to  to  to  to

people                                                   in 403 403 200 200    in 403 403 200 200
people-links                                             in 403 403 200 200    in 403 403  to  to
people-acts                                              in 403 403 200 200    in 403 403 200 200
people-undo                                              in 403 403 200 200    in 403 403 200 200
person-new                                               in 403 403 200 200    in 403 403 200 200
person                                                   in 403 403 200 200    in 403 403 200 200
person-link                                              in 403 403 200 200    in 403 403 200 200
person-merge                                             in 403 403 200 200    in 403 403 200 200
person-hide                                              in 403 403 200 200    in 403 403 200 200
person-remaining                                         in 403 403  to  to    in 403 403  to  to
person-split                                             in 403 403 200 200    in 403 403 200 200
person-unlink                                            in 403 403 200 200    in 403 403 200 200
team-new                                                 in 403 403 200 200    in 403 403 200 200
team                                                     in 403 403 200 200    in 403 403 200 200
team-link                                                in 403 403 200 200    in 403 403 200 200
team-merge                                               in 403 403 200 200    in 403 403 200 200
team-split                                               in 403 403 200 200    in 403 403 200 200
team-unlink                                              in 403 403 200 200    in 403 403 200 200

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

tournaments_login_changelist                             in 403 403 403 200    in 403 403 403 200
tournaments_login_history                                in 404 404 404 200    in 404 404 404 200
tournaments_login_delete                                 in 404 404 404 403    in 404 404 404 403
tournaments_login_change                                 in 404 404 404 200    in 404 404 404 403

tournaments_loginwait_changelist                         in 403 403 403 200    in 403 403 403 200
tournaments_loginwait_history                            in 404 404 404 200    in 404 404 404 200
tournaments_loginwait_delete                             in 404 404 404 200    in 404 404 404 200
tournaments_loginwait_change                             in 404 404 404 200    in 404 404 404 403

tournaments_competitor_add                               in 200 200 200 200    in 200 200 200 200
tournaments_competitor_change                            in 404 200 200 200    in 404 200 200 200

tournaments_event_add                                    in 403 403  to  to    in 403 403  to  to
tournaments_event_change                                 in 404 200 200 200    in 404 200 200 200

tournaments_series_add                                   in 403 403 200 200    in 403 403 200 200
tournaments_series_history                               in 200 200 200 200    in 200 200 200 200
tournaments_series_delete                                in 403 403 200 200    in 403 403 200 200
tournaments_series_change                                in 200 200 200 200    in 403 403 200 200

tournaments_redirect_history                             in 200 200 200 200    in 200 200 200 200
tournaments_redirect_delete                              in 403 403 200 200    in 403 403 200 200
tournaments_redirect_change                              in 200 200 200 200    in 403 403 403 403

tournaments_published_change                             in 404 200 200 200    in 404 200 200 200

app_list                                                 in 200 200 200 200    in 200 200 200 200
(?P<url>.*)$                                             in 404 404 404 404    in 404 404 404 404
"""

EXCEPTIONS = {name: answers for name, *answers in (line.split() for line in LINES.splitlines() if line)}


def usual_answers(address: str) -> list[str] | None:
    """Return the responses of all URLs of this kind, None if there is no kind."""
    return next((answers.split() for kind, answers in USUAL.items() if re.fullmatch(kind, address)), None)


def answers_of(address: str) -> list[str]:
    """Return the responses of a URL by column. Raise KeyError if it has neither a kind nor an exception."""
    return EXCEPTIONS.get(address) or usual_answers(address) or EXCEPTIONS[address]
