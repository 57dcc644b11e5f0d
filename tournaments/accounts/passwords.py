"""Passwords at the desk: the form that logs in and the one that changes a password, both with their pause."""

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
    """Name and password; tried too often they are not looked at, and the form says when they will be."""

    def clean(self) -> dict[str, Any]:
        """Return the values, with `get_user()` set; a name that nobody has takes as long as any other."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if self.request is None or not name or not password:
            return super().clean()
        with attempt(self.request, name, Login.Step.PASSWORD) as tried:
            cleaned: dict[str, Any] = super().clean()
            is_half = has_second_factor(self.get_user())
            tried.succeeded(Login.Outcome.RIGHT if is_half else Login.Outcome.IN)
        return cleaned


class DeskPasswordChangeForm(AdminPasswordChangeForm):
    """A new password against the old one, which a borrowed browser must not be able to guess."""

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        """Return the old password; ValidationError where it is wrong or was tried too often."""
        with attempt(self.request, self.user.get_username(), Login.Step.OLD_PASSWORD) as tried:
            old: str = super().clean_old_password()
            tried.succeeded(Login.Outcome.RIGHT)
        return old

    def save(self, commit: bool = True) -> User:
        """Store the new password and end the account's other sessions."""
        user: User = super().save(commit)
        end_sessions(user, but=self.request.session.session_key or "")
        return user


@sensitive_post_parameters()
def change_password(request: HttpRequest, context: dict[str, Any]) -> TemplateResponse:
    """Show the form that changes the account's own password; saved, it ends all other sessions."""

    def form(user: User, **kwargs: Any) -> DeskPasswordChangeForm:
        return DeskPasswordChangeForm(request, user, **kwargs)

    view = PasswordChangeView.as_view(
        form_class=form, success_url=reverse_lazy("admin:password_change_done"), extra_context=context
    )
    return cast("TemplateResponse", view(request))  # a redirect too, as of the admin's own
