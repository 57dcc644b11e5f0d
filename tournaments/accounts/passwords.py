"""The login form and the password change of the desk, both with throttling."""

from typing import Any, cast

from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse_lazy
from django.views.decorators.debug import sensitive_post_parameters

from tournaments.accounts.second_factor import has_second_factor
from tournaments.accounts.sessions import end_sessions
from tournaments.accounts.throttle import attempt
from tournaments.models.login import Login


class DeskLoginForm(AdminAuthenticationForm):
    """Name and password. After too many attempts they are not checked; the form shows the wait."""

    def clean(self) -> dict[str, Any]:
        """Return the values and set `get_user()`. An unknown name takes as long as a wrong password."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if self.request is None or not name or not password:
            return super().clean()
        with attempt(self.request, name, Login.Step.PASSWORD) as login_attempt:
            cleaned: dict[str, Any] = super().clean()
            needs_code = has_second_factor(self.get_user())
            login_attempt.succeeded(Login.Outcome.RIGHT if needs_code else Login.Outcome.IN)
        return cleaned


class DeskPasswordChangeForm(AdminPasswordChangeForm):
    """A password change. Wrong old passwords are throttled, so they cannot be guessed in an open session."""

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        with attempt(self.request, self.user.get_username(), Login.Step.OLD_PASSWORD) as login_attempt:
            old_password: str = super().clean_old_password()
            login_attempt.succeeded(Login.Outcome.RIGHT)
        return old_password

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit)
        end_sessions(user, but=self.request.session.session_key or "")
        return user


@sensitive_post_parameters()
def change_password(request: HttpRequest, context: dict[str, Any]) -> TemplateResponse:
    def form(user: User, **kwargs: Any) -> DeskPasswordChangeForm:
        return DeskPasswordChangeForm(request, user, **kwargs)

    view = PasswordChangeView.as_view(
        form_class=form, success_url=reverse_lazy("admin:password_change_done"), extra_context=context
    )
    return cast("TemplateResponse", view(request))  # or a redirect, like the admin's own view
