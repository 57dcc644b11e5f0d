"""Backup codes of an account: create them, and show them a single time."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

BACKUP_CODES = 10


def new_backup_codes(user: Any) -> list[str]:
    """Replace the backup codes of the user."""
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="backup codes")
        codes = [StaticToken.random_token() for _code in range(BACKUP_CODES)]
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def show_codes(request: HttpRequest, codes: list[str], *, is_new: bool = False) -> HttpResponse:
    """Render the codes. `is_new`: the second factor is new too."""
    return second_factor_page(request, "backup", _("Backup codes"), codes=codes, made=is_new)


def second_factor_page(request: HttpRequest, page: str, title: str, **context: Any) -> HttpResponse:
    about = {**admin.site.each_context(request), "title": title, **context}
    return render(request, f"admin/second_factor_{page}.html", about)
