"""Two organisers choose the same slug at the same time: the second gets a message on the form."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, partialmethod
from hashlib import sha256
from threading import Barrier
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from tests.cast import create_account, create_desk, create_event, create_team_event
from tests.tournaments.people.services.test_at_once import at_once
from tournaments.accounts.forms import InvitationForm
from tournaments.accounts.services.roles import Role
from tournaments.admin.imports import trial
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Backup, Competitor, Event, Pairing, Round, Series, Upload
from tournaments.recording.events import backups, creation
from tournaments.recording.events.backups import back_up, restore
from tournaments.recording.events.creation import clone_event
from tournaments.recording.imports.importing import ImportRequest, import_event
from tournaments.recording.integrity import Taken, sentence_of, uniqueness_error
from tournaments.recording.locking import saving
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)

SLUG = "summer-cup"
SENTENCE = "Another event has just got this address. Choose another one."
NEW = {"name": "Summer Cup", "discipline": "chess", "entrants": "players", "schedule": "swiss"}
Act = Callable[[Event, User], object]


@contextmanager
def after(module: Any, name: str, then: Callable[[], object]) -> Iterator[None]:
    """Run a function after a check has found a slug free, before the event is stored."""
    check = getattr(module, name)

    def checked(*args: Any, **kwargs: Any) -> Any:
        found = check(*args, **kwargs)
        if kwargs.get("lock", True):  # a preview stores no data
            then()
        return found

    with patch.object(module, name, checked):
        yield


def rival() -> None:
    create_event(SLUG)


def new(event: Event, by: User) -> object:
    return creation.create_event(SLUG, "New", "chess", "players", "swiss", by)


def clone(event: Event, by: User) -> object:
    return clone_event(event, SLUG, "Clone", by)


def restored(event: Event, by: User) -> object:
    return restore(Backup.objects.filter(event=event).latest("pk"), SLUG, by)


def imported(event: Event, by: User) -> object:
    upload = upload_of(event)
    token = trial.try_upload(upload, by, {}).token
    return trial.import_upload(upload, by, {"token": token})


def upload_of(event: Event) -> Upload:
    """Store the file of a new event."""
    file = write(load(event.slug)).replace(f'"{event.slug}"', f'"{SLUG}"').encode()
    return Upload.objects.create(name="event.json", file=file, sha256=sha256(file).hexdigest(), by="Otto")


ACTS = [
    pytest.param(new, creation, "_validate_event", id="new"),
    pytest.param(clone, backups, "compare_with_stored", id="clone"),
    pytest.param(restored, backups, "compare_with_stored", id="restore"),
    pytest.param(imported, trial, "try_upload", id="import"),
]


@pytest.mark.parametrize(("act", "module", "check"), ACTS)
def test_two_organisers_at_once(act: Act, module: Any, check: str) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("one writer at a time")
    event = create_team_event()
    pair = [create_account(name, Role.ORGANISER) for name in ("ada", "bob")]
    back_up(event, pair[0], "test")
    barrier = Barrier(2)
    with after(module, check, partial(barrier.wait, timeout=60)):
        raised = at_once(*(partial(act, event, by) for by in pair))
    assert sorted(str(each or "") for each in raised) == ["", SENTENCE]
    assert Event.objects.filter(slug=SLUG).count() == 1


@pytest.mark.parametrize("screen", ["event-new", "event-clone", "event-restore", "upload-new"])
def test_the_form_has_a_sentence(screen: str) -> None:
    desk = create_desk()
    backup = back_up(desk.event, desk.people["organiser"], "test")
    posted: dict[str, Any] = {**NEW, "slug": SLUG}
    address, module, check = {
        "event-new": (reverse("admin:event-new"), creation, "_validate_event"),
        "event-clone": (reverse("admin:event-clone", args=[desk.event.pk]), backups, "compare_with_stored"),
        "event-restore": (
            reverse("admin:event-restore", args=[desk.event.pk, backup.pk]),
            backups,
            "compare_with_stored",
        ),
        "upload-new": ("", trial, "try_upload"),
    }[screen]
    if screen == "upload-new":
        organiser = desk.people["organiser"]
        upload = upload_of(desk.event)
        Upload.objects.update(user=organiser)
        address = reverse("admin:import-preview", args=[upload.pk])
        posted = {"apply": "1", "token": trial.try_upload(upload, organiser, {}).token}
    with after(module, check, rival):
        answer = desk.browser("organiser").post(address, posted)
    assert answer.status_code == 200
    assert SENTENCE in answer.content.decode()
    assert not Event.objects.filter(slug=SLUG).exists()


def checked_once_less(series: Series, checks: list[Any], *args: Any, **kwargs: Any) -> None:
    """Skip the first check, as if the other series did not exist yet."""
    if len(checks) > 1:
        checks.pop()
    else:
        checks[0](series, *args, **kwargs)


def test_a_form_of_the_admin_is_checked_again() -> None:
    desk = create_desk()
    Series.objects.create(name="Masters", slug="masters")
    checks = [Series.validate_unique, None]
    posted = {"name": "Other", "slug": "masters"}
    address = reverse("admin:tournaments_series_add")
    with patch.object(Series, "validate_unique", partialmethod(checked_once_less, checks)):
        answer = desk.browser("organiser").post(address, posted)
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors.keys() == {"slug"}
    with patch.object(Series, "validate_unique", lambda *_args, **_kwargs: None):
        answer = desk.browser("organiser").post(address, posted, follow=True)
    assert "Another series has just got this address." in answer.content.decode()
    assert Series.objects.filter(slug="masters").count() == 1


def test_an_account_is_invited_twice() -> None:
    desk = create_desk()
    posted = {"username": "anna", "email": "anna@example.org", "role": Role.ARBITER.value}
    with patch.object(InvitationForm, "clean_username", lambda form: form.cleaned_data["username"]):
        answer = desk.browser("organiser").post(reverse("admin:user-invite"), posted)
    assert answer.status_code == 200
    assert answer.context["form"].errors == {
        "username": ["There is an account of that name. Choose another name."]
    }
    assert User.objects.filter(username="anna").count() == 1


def test_the_command_names_the_reason() -> None:
    event = create_team_event()
    text = write(load(event.slug)).replace(f'"{event.slug}"', f'"{SLUG}"')
    with after(events_of_imports(), "try_import", rival), pytest.raises(IntegrityError) as refused:
        import_event(text, announce=lambda _: None, wishes=ImportRequest())
    assert str(uniqueness_error(refused.value)) == SENTENCE


def events_of_imports() -> Any:
    from tournaments.recording.imports import importing  # noqa: PLC0415 - its functions are imported above

    return importing


def test_two_imports_of_a_new_series_share_it() -> None:
    event = create_team_event()
    Series.objects.update(name="Masters", slug="masters")
    text = write(load(event.slug)).replace(f'"{event.slug}"', f'"{SLUG}"')
    none = Series.objects.none()
    with patch("tournaments.interchange.imports.applying.models.Series.objects.filter", return_value=none):
        import_event(text, announce=lambda _: None, wishes=ImportRequest())
    assert Event.objects.get(slug=SLUG).series == Series.objects.get()


def test_every_unique_constraint_has_a_message_without_driver_text() -> None:
    event = create_team_event()
    one, two = Competitor.objects.filter(event=event).order_by("number")[:2]
    twice: list[Callable[[], object]] = [
        lambda: Competitor.objects.create(event=event, number=one.number, name="X"),
        lambda: Round.objects.create(event=event, number=1),
        lambda: create_event(event.slug),
        lambda: Series.objects.create(name="Cup", slug="other"),
        lambda: Pairing.objects.create(
            round=Round.objects.earliest("number"), table=1, first=one, second=two
        ),
    ]
    said = []
    for write_it in twice:
        try:
            with saving():
                write_it()
        except Taken as refused:
            said.append(str(refused))
    assert said == [
        "Another competitor has just got this number. Check the list, then try again.",
        "Another person has just added this round. Check it, then try again.",
        SENTENCE,
        "Another series has just got this name. Try again.",
        "Another person has just saved the same. Check it, then try again.",
    ]


def test_triggers_and_checks_have_messages() -> None:
    event, other = create_team_event(), create_team_event("other")
    foreign = Competitor.objects.filter(event=other).earliest("number")
    round_ = Round.objects.create(event=event, number=3)
    third = Competitor.objects.filter(event=event).latest("number")
    with pytest.raises(IntegrityError) as refused, saving():
        Pairing.objects.create(round=round_, table=9, first=foreign, second=third)
    assert sentence_of(refused.value) == "The database refused it: a competitor of another event is paired."
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Round.objects.filter(pk=round_.pk).update(event=None)
    assert sentence_of(refused.value) == "The database refused a value of it."
