"""Lists at the desk: further editions of a series, redirects of an old site; a preview comes first."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.cast import Desk
from tournaments.models import Event, Redirect

pytestmark = pytest.mark.django_db


class TestEditions:
    LIST = "1950;;Dubrovnik;YUG\n1952"

    def post(self, desk: Desk, **values: str) -> Any:
        """The screen after the form was sent."""
        address = reverse("admin:event-editions", args=[desk.event.pk])
        return desk.browser("organiser").post(address, values)

    def test_a_preview_makes_nothing(self, desk: Desk) -> None:
        page = self.post(desk, text=self.LIST)
        assert [each.slug for each in page.context["pasted"].lines] == ["cup-1950", "cup-1952"]
        assert page.context["is_ready"]
        assert not Event.objects.filter(slug="cup-1950").exists()

    def test_what_was_looked_at_is_made(self, desk: Desk) -> None:
        answer = self.post(desk, text=self.LIST, enter="1")
        assert answer.status_code == 302
        assert Event.objects.filter(slug__in=["cup-1950", "cup-1952"], state="draft").count() == 2

    def test_a_fault_is_named_and_the_list_is_kept(self, desk: Desk) -> None:
        page = self.post(desk, text="1950\nsoon")
        text = page.content.decode()
        assert "Line 2, “soon”: The year comes first, in four digits." in text
        assert not page.context["is_ready"]
        assert "1950\nsoon</textarea>" in text

    def test_an_event_of_no_series_says_what_to_do(self, desk: Desk) -> None:
        Event.objects.update(series=None)
        page = self.post(desk, text=self.LIST)
        assert "This event does not belong to a series." in page.content.decode()


class TestRedirects:
    def post(self, desk: Desk, **values: Any) -> Any:
        """The screen after the form was sent."""
        return desk.browser("organiser").post(reverse("admin:redirects-import"), values)

    def test_a_file_is_shown_and_then_entered(self, desk: Desk) -> None:
        file = SimpleUploadedFile("old.csv", b"/a,two-teams\r\n/b,/codes/\r\n")
        page = self.post(desk, file=file)
        assert page.context["counts"] == {"new": 2, "changed": 0, "same": 0}
        assert not Redirect.objects.filter(path="/a").exists()
        answer = self.post(desk, text=page.context["form"]["text"].value(), enter="1")
        assert answer.status_code == 302
        assert Redirect.objects.get(path="/a").target == "/events/two-teams/"

    def test_faults_are_named_and_nothing_is_entered(self, desk: Desk) -> None:
        page = self.post(desk, text="/a,two-teams\n/b,nothing", enter="1")
        assert "Line 2, “/b”:" in page.content.decode()
        assert not Redirect.objects.filter(path="/a").exists()

    def test_neither_file_nor_list(self, desk: Desk) -> None:
        page = self.post(desk, text=" ")
        assert "Choose a file, or paste a list." in page.content.decode()

    def test_a_file_that_is_too_large_is_left_to_the_command(self, desk: Desk) -> None:
        page = self.post(desk, file=SimpleUploadedFile("old.csv", b"/a,two-teams\n" * 100_000))
        assert "The command import_redirects reads it." in page.content.decode()
