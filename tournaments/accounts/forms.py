"""Forms about accounts. Those that check a password, code or passkey delay attempts after failures."""

import json
from typing import Any

from django import forms
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.models import ApiToken, Login, Passkey
from tournaments.accounts.services.login_delays import login_attempt
from tournaments.accounts.services.passkeys import accepted_passkey
from tournaments.accounts.services.roles import Role, may_grant
from tournaments.accounts.services.second_factor import accepting_device, has_second_factor
from tournaments.accounts.services.sessions import end_sessions
from tournaments.admin.modeladmin import ChosenRows
from tournaments.admin.permissions import events_of
from tournaments.models import Event

MAX_CREDENTIAL_LENGTH = 20_000


class RequestForm(forms.Form):
    """A form that needs the request, because it checks a secret of its user."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request


# --- passwords --------------------------------------------------------------------------------------------


class LoginForm(AdminAuthenticationForm):
    """Name and password. After too many attempts they are not checked; the form shows the wait."""

    def clean(self) -> dict[str, Any]:
        """Return the values and set `get_user()`. An unknown name takes as long as a wrong password."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if self.request is None or not name or not password:
            return super().clean()
        with login_attempt(self.request, name, Login.Step.PASSWORD) as attempt:
            cleaned: dict[str, Any] = super().clean()
            needs_code = has_second_factor(self.get_user())
            attempt.succeeded(Login.Outcome.RIGHT if needs_code else Login.Outcome.IN)
        return cleaned


class PasswordChangeForm(RequestForm, AdminPasswordChangeForm):
    """A password change. Wrong old passwords cause delays, so they cannot be guessed in an open session."""

    def clean_old_password(self) -> str:
        with login_attempt(self.request, self.user.get_username(), Login.Step.OLD_PASSWORD) as attempt:
            old_password: str = super().clean_old_password()
            attempt.succeeded(Login.Outcome.RIGHT)
        return old_password

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit)
        end_sessions(user, but=self.request.session.session_key or "")
        return user


class ForgottenPasswordForm(RequestForm):
    """A name or mail address. The response does not reveal whether an account exists."""

    name = forms.CharField(
        label=gettext_lazy("Name or mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        with login_attempt(self.request, name, Login.Step.RESET) as attempt:
            attempt.outcome = Login.Outcome.RIGHT  # not `succeeded`: requests are limited, so it counts
        return name


# --- the second factor ------------------------------------------------------------------------------------


class CodeForm(forms.Form):
    """A code, with or without spaces."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}
        ),
    )

    def clean_code(self) -> str:
        return "".join(self.cleaned_data["code"].split()).lower()


class CodeCheckForm(RequestForm, CodeForm):
    """A code of the user, which is used up. `device`: the authenticator or the backup codes it is from."""

    device: Any = None

    def clean_code(self) -> str:
        code = super().clean_code()
        self.device = accepting_device(self.request, code)
        return code


class PasskeyForm(forms.Form):
    """The response of an authenticator, which the script fills in."""

    credential = forms.CharField(max_length=MAX_CREDENTIAL_LENGTH, widget=forms.HiddenInput)

    def clean_credential(self) -> dict[str, Any]:
        try:
            credential = json.loads(self.cleaned_data["credential"])
        except (ValueError, RecursionError):
            credential = None
        if not isinstance(credential, dict):
            raise ValidationError(_("The browser sent no passkey. Try again."))
        return credential


class PasskeyCheckForm(RequestForm, PasskeyForm):
    """The signature by a passkey of the user. `device`: that passkey."""

    device: Passkey | None = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "credential" in cleaned:
            self.device = accepted_passkey(self.request, cleaned["credential"])
        return cleaned


class NewPasskeyForm(PasskeyForm):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=64,
        help_text=gettext_lazy("Your name for the passkey, for example the phone or key that stores it."),
    )


class PasskeyRemovalForm(RequestForm):
    """The password that removing a passkey requires, so that an unlocked browser is not enough."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def clean_password(self) -> str:
        user = self.request.user
        password = str(self.cleaned_data["password"])
        with login_attempt(self.request, user.get_username(), Login.Step.OLD_PASSWORD) as attempt:
            if not user.check_password(password):
                raise ValidationError(_("That is not your password."))
            attempt.succeeded(Login.Outcome.RIGHT)
        return password


# --- tokens of the write API ------------------------------------------------------------------------------


class TokenForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    actions = forms.MultipleChoiceField(
        label=gettext_lazy("It may"), choices=ApiToken.Action.choices, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = ApiToken
        fields = ("name", "actions", "all_events", "events", "ends")
        field_classes = {"events": ChosenRows}
        help_texts = {"events": gettext_lazy("Drafts and live events.")}
        widgets = {"events": forms.CheckboxSelectMultiple, "ends": forms.DateInput({"type": "date"})}

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = events_of(user).filter(state__in=(Event.State.DRAFT, Event.State.LIVE))
        self.fields["events"].queryset = choice.order_by("-start", "name")  # type: ignore[attr-defined]  # a choice of rows

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        # An event is lent to the name of a token.
        if ApiToken.objects.filter(name=cleaned.get("name"), revoked=None).exists():
            self.add_error("name", _("A token has this name. Revoke that token, or enter another name."))
        needs_events = set(cleaned.get("actions", ())) - {ApiToken.Action.CREATE}
        if needs_events and not cleaned.get("all_events") and not cleaned.get("events"):
            self.add_error("events", _("Choose events, or all events of your account."))
        return cleaned


# --- accounts of others -----------------------------------------------------------------------------------


class EventsForm(forms.Form):
    """The events of an arbiter. The choices are events that are not over, and those assigned already."""

    email = forms.EmailField(label=gettext_lazy("Mail address"), required=False)
    events = ChosenRows(
        label=gettext_lazy("Events to work on as arbiter"),
        queryset=Event.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Events that are not over, and those of this account already."),
    )

    def __init__(self, account: User | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = Q(state__in=(Event.State.DRAFT, Event.State.LIVE))
        if account:
            choice |= Q(arbiters=account)
        self.fields["events"].queryset = Event.objects.filter(choice).distinct().order_by("-start", "name")  # type: ignore[attr-defined]  # `events` is declared above


class InvitationForm(EventsForm):
    username = forms.CharField(
        label=gettext_lazy("Name to log in with"),
        max_length=150,
        validators=[User.username_validator],
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
    )
    first_name = forms.CharField(label=gettext_lazy("First name"), max_length=150, required=False)
    last_name = forms.CharField(label=gettext_lazy("Last name"), max_length=150, required=False)
    role = forms.ChoiceField(label=gettext_lazy("Role"), initial=Role.ARBITER)
    field_order = ("username", "first_name", "last_name", "email", "role", "events")

    def __init__(self, by: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(None, *args, **kwargs)
        self.fields["role"].choices = [(role.value, _(role.value)) for role in Role if may_grant(by, role)]  # type: ignore[attr-defined]  # `role` is declared above

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise forms.ValidationError(_("There is an account of that name. Choose another name."))
        return name
