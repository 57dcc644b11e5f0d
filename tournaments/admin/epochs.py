"""Reject desk forms that were opened before a backup was restored.

A restore resets versions and primary keys to those of the backup, so an old form could change a different
row. Every form contains the epoch in which it was rendered; a form of another epoch gets a 409. Results that
wait in the browser carry the epoch with the row version (`admin.wire`).
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html

from tournaments.operations.epoch import epoch_now
from tournaments.operations.restore_guard import checked_epoch

View = Callable[[HttpRequest], HttpResponse]

FIELD = "epoch"
TOKEN = re.compile(rb'<input type="hidden" name="csrfmiddlewaretoken" value="[^"]*">')
"""The CSRF field, which every form with method POST contains, those of Django's admin too."""


def layer(get_response: View) -> View:
    """Desk middleware: add the epoch to all forms, and respond 409 to a form of another epoch. One query."""

    def middleware(request: HttpRequest) -> HttpResponse:
        # Read before the view reads any rows: a form must not carry a newer epoch than its data.
        epoch = checked_epoch(epoch_now(), {})
        if request.method == "POST" and request.user.is_authenticated:
            posted_epochs = {*request.POST.getlist(FIELD)}
            if posted_epochs - {epoch} and not request.path_info.endswith("/logout/"):
                return render(request, "admin/restored.html", status=409)
        response = get_response(request)
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            field = format_html('<input type="hidden" name="{}" value="{}">', FIELD, epoch).encode()
            response.content = TOKEN.sub(lambda token: token[0] + field, response.content)
        return response

    return middleware
