"""Account management for organisers: list and invite users, assign events, close accounts."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.links import INVITATIONS, link_for, mail_link, note
from tournaments.accounts.second_factor import forget_second_factor
from tournaments.accounts.sessions import end_sessions
from tournaments.admin.frame import page, sends_mail, who
from tournaments.admin.modeladmin import ChosenRows
from tournaments.admin.permissions import Role, manageable, may_grant, organisers_only
from tournaments.models import Event
from tournaments.recording.integrity import Taken
from tournaments.recording.locking import lock_event, saving

MAX_ACCOUNTS = 500
"""The maximum number of accounts in the list."""

MAX_LOG_ENTRIES = 50


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


@organisers_only
def users(request: HttpRequest) -> HttpResponse:
    assigned = Prefetch("events", Event.objects.order_by("-start", "name"))
    rows = User.objects.filter(is_staff=True).order_by("-is_active", "username")
    rows = rows.prefetch_related("groups", assigned)[:MAX_ACCOUNTS]
    manageable_pks = set(manageable(who(request)).values_list("pk", flat=True))
    shown = [
        {
            "user": row,
            "role": _role_text(row),
            "events": _event_names(row),
            "may_manage": row.pk in manageable_pks,
        }
        for row in rows
    ]
    purpose = _("Accounts for the desk. Organisers invite arbiters and assign their events.")
    return page(request, None, "users", _("Accounts"), purpose, shown=shown)


@organisers_only
def invite(request: HttpRequest) -> HttpResponse:
    by = who(request)
    form = InvitationForm(by, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            with saving():
                account = _create_account(by, form.cleaned_data)
        except Taken as refused:
            form.add_error("username", str(refused))
        else:
            return _deliver_link(request, account)
    purpose = _("The invited person gets a link to choose a password.")
    return page(request, None, "user_invite", _("Invite"), purpose, form=form, sends_mail=sends_mail())


@organisers_only
def user(request: HttpRequest, user_id: int) -> HttpResponse:
    by = who(request)
    account = get_object_or_404(manageable(by), pk=user_id)
    act = ACTS.get(request.POST.get("act", "")) if request.method == "POST" else None
    if act:
        return act(request, account)
    initial = {"email": account.email, "events": list(account.events.all())}
    form = EventsForm(account, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["email"] != account.email:
            account.email = form.cleaned_data["email"]
            account.save(update_fields=["email"])
            note(by, account, _("Changed the mail address."))
        _assign_events(by, account, form.cleaned_data["events"])
        messages.success(request, _("Saved."))
        return redirect("admin:user", account.pk)
    past = LogEntry.objects.filter(
        object_id=str(account.pk), content_type=ContentType.objects.get_for_model(User)
    )
    about = {
        "form": form,
        "account": account,
        "role": _role_text(account),
        "past": past.select_related("user").order_by("-action_time", "-pk")[:MAX_LOG_ENTRIES],
        "sends_mail": sends_mail(),
    }
    purpose = _("The events and logins of this account, and the changes to it.")
    return page(request, None, "user", account.get_username(), purpose, **about)


# --- changes ----------------------------------------------------------------------------------------------


@transaction.atomic
def _create_account(by: User, values: dict[str, Any]) -> User:
    account = User(
        username=values["username"],
        first_name=values["first_name"],
        last_name=values["last_name"],
        email=values["email"],
        is_staff=True,
    )
    account.set_unusable_password()
    account.save()
    account.groups.add(Group.objects.get(name=values["role"]))
    note(by, account, _("Invited, as %(role)s.") % {"role": values["role"].lower()})
    _assign_events(by, account, values["events"])
    return account


def _assign_events(by: User, account: User, chosen: QuerySet[Event]) -> None:
    before, after = set(account.events.all()), set(chosen)
    for event in sorted(before ^ after, key=lambda event: event.pk):
        with lock_event(event) as locked:
            if event in after:
                locked.arbiters.add(account)
                words = _("Made arbiter of %(event)s.")
            else:
                locked.arbiters.remove(account)
                words = _("No arbiter of %(event)s any more.")
            note(by, account, words % {"event": event.slug})
    if after and not account.groups.exists():
        account.groups.add(Group.objects.get(name=Role.ARBITER))


def _close_account(request: HttpRequest, account: User) -> HttpResponse:
    account.is_active = False
    account.save(update_fields=["is_active"])
    end_sessions(account)
    note(who(request), account, _("Closed the account."))
    messages.success(request, _("The account is closed, and logged out everywhere."))
    return redirect("admin:user", account.pk)


def _reopen_account(request: HttpRequest, account: User) -> HttpResponse:
    account.is_active = True
    account.save(update_fields=["is_active"])
    note(who(request), account, _("Opened the account again."))
    messages.success(request, _("The account is open again."))
    return redirect("admin:user", account.pk)


def _remove_second_factor(request: HttpRequest, account: User) -> HttpResponse:
    forget_second_factor(account)
    end_sessions(account)
    note(who(request), account, _("Took the second factor away."))
    messages.success(request, _("The account has no second factor now, and is logged out everywhere."))
    return redirect("admin:user", account.pk)


def _send_password_link(request: HttpRequest, account: User) -> HttpResponse:
    """Create a link that sets a password. If the account has no password yet, older links expire."""
    if not account.has_usable_password():
        account.set_unusable_password()
        account.save(update_fields=["password"])
    note(who(request), account, _("Made a link that sets a password."))
    return _deliver_link(request, account)


ACTS: dict[str, Callable[[HttpRequest, User], HttpResponse]] = {
    "close": _close_account,
    "open": _reopen_account,
    "factor": _remove_second_factor,
    "link": _send_password_link,
}


def _deliver_link(request: HttpRequest, account: User) -> HttpResponse:
    """Mail the link. If there is no mail or it fails, show it once."""
    is_failed = False
    if account.email and sends_mail():
        try:
            mail_link(request, account, INVITATIONS)
        except OSError:  # smtplib's exceptions are subclasses
            is_failed = True
        else:
            messages.success(
                request, _("A mail with the link is on its way to %(mail)s.") % {"mail": account.email}
            )
            return redirect("admin:user", account.pk)
    about = {"account": account, "link": link_for(request, account, INVITATIONS), "failed": is_failed}
    about["days"] = INVITATIONS.lasts.days
    purpose = _("The link is shown only once. Anyone with the link can set the password of this account.")
    response = page(request, None, "user_link", _("Hand this link over"), purpose, **about)
    response.is_for_the_way_back = False  # type: ignore[attr-defined]  # the browser must not keep the link
    return response


def _role_text(account: User) -> str:
    if account.is_superuser:
        return _("superuser")
    names = {group.name for group in account.groups.all()}
    return ", ".join(_(role.value).lower() for role in Role if role in names) or _("no role")


def _event_names(account: User) -> str:
    names = [event.name for event in account.events.all()]
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
