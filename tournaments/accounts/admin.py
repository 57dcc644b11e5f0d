"""Django admin of accounts and logins, for superusers only: they belong to no event."""

from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.contrib.auth.models import User as Account
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from django_otp.plugins.otp_static.admin import StaticDevice
from django_otp.plugins.otp_totp.admin import TOTPDevice

from tournaments.accounts.models import Login, LoginWait
from tournaments.accounts.services.sessions import end_access
from tournaments.admin.modeladmin import DeskAdmin, RowInline
from tournaments.admin.permissions import ReadOnly

# django_otp registers ModelAdmins of its own, which would show keys and codes and ignore our roles.
for registered in (Account, Group, StaticDevice, TOTPDevice):
    admin.site.unregister(registered)


class SecondFactorInline(ReadOnly, RowInline):
    """The authenticators of an account. A superuser can delete a lost authenticator, and sees no keys."""

    model = TOTPDevice
    fields = ("name", "created_at", "last_used_at")
    readonly_fields = fields
    verbose_name_plural = gettext_lazy("second factor (delete it if the user has lost the device)")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request, obj)


@admin.register(Account)
class AccountAdmin(DeskAdmin, UserAdmin):  # type: ignore[type-arg]  # no subscript at run time
    """An account and its role. Accounts are deactivated, not deleted, so that the history names them."""

    purpose = gettext_lazy(
        "Accounts and their roles. An account is closed, not deleted, so its name is kept."
    )
    list_display = (
        "username", "first_name", "last_name", "is_active", "is_staff", "is_superuser", "last_login",
    )  # fmt: skip
    list_filter = ("groups", "is_active", "is_superuser")
    sortable_by = ("username", "last_login")
    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
    inlines = (SecondFactorInline,)
    fieldsets = (
        (None, {"fields": ("username", "password", ("first_name", "last_name"), "email")}),
        (
            gettext_lazy("Role"),
            {
                "description": gettext_lazy(
                    "Organisers work on every event, create, publish and assign. Arbiters work on the events"
                    " they are assigned to. Both need “staff” to log in at the desk."
                ),
                "fields": ("groups", "is_staff", "is_active", "is_superuser"),
            },
        ),
        (gettext_lazy("Dates"), {"fields": (("last_login", "date_joined"),)}),
    )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if not form.instance.is_active or any(each.deleted_objects for each in formsets):  # authenticators
            end_access(form.instance)

    def user_change_password(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        response = super().user_change_password(request, *args, **kwargs)
        if response.status_code == HTTPStatus.FOUND:
            end_access(Account.objects.get(pk=kwargs["id"]))
        return response

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_inlines(self, request: HttpRequest, obj: Account | None) -> Any:
        return self.inlines if obj else ()


@admin.register(Login)
class LoginAdmin(ReadOnly, DeskAdmin):
    purpose = gettext_lazy("Logins with time and network, and all failed attempts.")
    list_display = ("at", "name", "step", "outcome", "address", "browser")
    fields = list_display
    list_filter = ("outcome", "step", "at")
    search_fields = ("name", "address")
    sortable_by = ("at", "name", "address")


@admin.register(LoginWait)
class LoginWaitAdmin(ReadOnly, DeskAdmin):
    purpose = gettext_lazy(
        "Names, addresses and browsers with failed logins. Each waits a minute at most; delete a line to"
        " let it try again now."
    )
    list_display = ("key", "failures", "last", "free_at")
    fields = list_display
    search_fields = ("key",)
    sortable_by = ("last", "failures")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request, obj)
