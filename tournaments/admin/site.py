"""The AdminSite of the desk: its index, its views, and the check of the second factor."""

from functools import partial
from typing import Any, cast

from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

HEADINGS = {"tournaments": _("Tournaments"), "auth": _("Accounts")}


class DeskSite(AdminSite):
    """The class of `django.contrib.admin.site`."""

    site_title = _("Crosstable desk")
    site_header = _("Crosstable desk")
    index_title = _("Events")
    index_template = "admin/desk_index.html"
    password_change_done_template = "admin/accounts/password_changed.html"  # noqa: S105 - a template
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # A single confirmation could delete a whole tournament, so rows are deleted one by one.
        self.disable_action("delete_selected")

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not self.missing_step(request)

    def missing_step(self, request: HttpRequest) -> str:
        """Return the URL name of the step that a logged-in user has to pass first, or an empty string."""
        if not hasattr(request, "_missing_step"):
            from tournaments.accounts.services.second_factor import missing_step  # noqa: PLC0415 - it needs the models

            user = request.user
            request._missing_step = missing_step(user) if user.is_active and user.is_staff else ""  # type: ignore[attr-defined]  # our attribute
        return str(request._missing_step)  # type: ignore[attr-defined]  # our attribute

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from tournaments.accounts.forms import LoginForm  # noqa: PLC0415 - it needs the models

        step = self.missing_step(request)
        if request.method != "GET" or not step:
            self.login_form = LoginForm
            return super().login(request, extra_context)
        next_url = request.GET.get(REDIRECT_FIELD_NAME, "")
        query = f"?{urlencode({REDIRECT_FIELD_NAME: next_url})}" if next_url else ""
        return redirect(reverse(step) + query)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        from django.contrib.auth.views import PasswordChangeView  # noqa: PLC0415 - it needs the models

        from tournaments.accounts.forms import PasswordChangeForm  # noqa: PLC0415 - the same

        request.current_app = self.name
        view = PasswordChangeView.as_view(
            form_class=partial(PasswordChangeForm, request),
            success_url=reverse("admin:password_change_done"),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return cast("TemplateResponse", view(request))  # or a redirect, like the admin's own view

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"back": urlencode({"back": request.get_full_path()})}

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from tournaments.admin.permissions import first_events, may_organise  # noqa: PLC0415 - the models come after the site
        from tournaments.recording.events.error_reports import open_reports  # noqa: PLC0415 - the same

        events = list(first_events(request.user))
        waiting = open_reports(events)
        for event in events:
            event.waiting_reports = waiting.get(event.pk, 0)  # type: ignore[attr-defined]  # for the template
        context = {"events": events, "may_create": may_organise(request.user)}
        return super().index(request, {**context, **(extra_context or {})})

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> Any:
        apps = super().get_app_list(request, app_label)
        return [{**app, "name": HEADINGS.get(app["app_label"], app["name"])} for app in apps]

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return our views before Django's. Users may log out before they pass the second factor."""
        from tournaments.admin.urls import urlpatterns  # noqa: PLC0415 - the screens need the site first

        return [path("logout/", self.logout, name="logout"), *urlpatterns, *super().get_urls()]
