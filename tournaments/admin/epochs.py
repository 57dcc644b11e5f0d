"""Forms of the desk that were open when a backup was restored: they show rows that may be others by now.

Versions and keys of rows begin again at those of the backup, so neither tells a lost row from a restored one.
Every form carries the epoch in which it was made, and one of another epoch is sent back; typed results, which
wait in the browser, carry it with the version that each was typed over (`admin.wire`).
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html

from tournaments.operations.epoch import epoch_now
from tournaments.operations.restore_guard import checked_epoch

Answer = Callable[[HttpRequest], HttpResponse]

FIELD = "epoch"
TOKEN = re.compile(rb'<input type="hidden" name="csrfmiddlewaretoken" value="[^"]*">')
"""What every form that is posted has in it, those of Django's admin too."""


def layer(answer: Answer) -> Answer:
    """Return the answer with the epoch in its forms, or 409 for a form out of another one; one query."""

    def of_one_epoch(request: HttpRequest) -> HttpResponse:
        # Before anything else is read: a form must not be younger than its epoch.
        epoch = checked_epoch(epoch_now(), {})
        if request.method == "POST" and request.user.is_authenticated:
            sent = {*request.POST.getlist(FIELD)}
            if sent - {epoch} and not request.path_info.endswith("/logout/"):
                return render(request, "admin/restored.html", status=409)
        response = answer(request)
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            field = format_html('<input type="hidden" name="{}" value="{}">', FIELD, epoch).encode()
            response.content = TOKEN.sub(lambda token: token[0] + field, response.content)
        return response

    return of_one_epoch
