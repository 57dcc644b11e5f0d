"""A report without comments belongs to the existing event, which retains its settings."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from tests.cast import create_desk
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.returning import by_pairing_number
from tournaments.interchange.formats.trf.writing import write_records, write_report
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import Competitor, Event
from tournaments.stored import load

pytestmark = pytest.mark.django_db


def stored_draughts(**event: Any) -> None:
    """Store four players of draughts, with an advantage, an absence and a withdrawal."""
    data = samples.players()
    data["event"] |= event
    data["competitors"][1]["withdrawn_after"] = 3
    data["competitors"][2] |= {"title": "GMI", "rating_class": "a", "club": "Rooks"}
    apply(compare_with_stored(samples.document(data)))


def without_comments(slug: str) -> str:
    lines = write_report(load(slug)).split("\r\n")
    return "\r\n".join(line for line in lines if not line.startswith("###"))


def imported(file: Path, **options: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_event", str(file), stdout=out, stderr=err, **options)
    except CommandError as problem:
        raise CommandError(f"{err.getvalue()}{problem}") from problem
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "options"), [("four-players.trf", {}), ("paired.trf", {"into": "four-players"})]
)
def test_draughts_report_changes_nothing(name: str, options: dict[str, str], tmp_path: Path) -> None:
    stored_draughts()
    before = write(load("four-players"))
    file = tmp_path / name
    file.write_text(without_comments("four-players"))

    assert "four-players: 0 changes" in imported(file, **options)
    assert write(load("four-players")) == before


def test_changed_records_are_used(tmp_path: Path) -> None:
    stored_draughts()
    report = without_comments("four-players").replace("   4 w =", "   4 w 1").replace("   3 b =", "   3 b 0")
    file = tmp_path / "four-players.trf"
    file.write_text(report.replace(" 0.5    3", " 1.0    3").replace(" 1.5    2", " 1.0    2"))
    imported(file, reason="The card says so.")

    document = load("four-players")
    game = next(each for each in document.rounds[0].pairings if each.first == 3)
    assert (game.table, game.first_score, game.second_score, game.advantage) == (2, 4, 0, "")
    assert (document.event.discipline, document.event.game_win) == ("draughts-100", 4)
    assert document.competitors[1].withdrawn_after == 3


def test_import_page_shows_no_differences() -> None:
    stored_draughts()
    desk = create_desk()
    event = Event.objects.get(slug="four-players")
    event.arbiters.add(desk.people["arbiter"])
    file = SimpleUploadedFile("from-the-engine.trf", without_comments("four-players").encode())
    address = reverse("admin:event-import", args=[event.pk])
    page = desk.browser("arbiter").post(address, {"text": "", "file": file}, follow=True)

    assert not page.context["questions"]
    assert page.context["trial"].diff.differences.is_empty


def number_by_rating(slug: str) -> None:
    """Give the last two competitors pairing numbers before the others, as to late entries."""
    for number, paired_as in ((1, 3), (2, 4), (3, 1), (4, 2)):
        Competitor.objects.filter(event__slug=slug, number=number).update(pairing_number=paired_as)


class TestReportsByPairingNumber:
    @pytest.mark.parametrize("entrants", [samples.players, samples.teams])
    def test_round_trip_changes_nothing(self, entrants: Callable[[], dict[str, Any]]) -> None:
        document = samples.document(entrants())
        slug = document.event.slug
        apply(compare_with_stored(document))
        number_by_rating(slug)
        base = load(slug)
        report = write_records(by_pairing_number(base, base.pairing_numbers()))
        assert report != write_records(base)

        reading = read_report(report.encode(), slug, base=base)
        assert [each.code for each in reading.findings].count("pairing-numbers") == 1
        assert reading.accepted
        differences = compare_with_stored(reading.accepted).differences
        unranked = write_records(replace(base, published=None))
        plain = read_report(unranked.encode(), slug, base=base).accepted
        assert plain
        assert differences == compare_with_stored(plain).differences

    def test_changed_name_belongs_to_the_start_number(self) -> None:
        stored_draughts()
        number_by_rating("four-players")
        base = load("four-players")
        lines = write_records(by_pairing_number(base, base.pairing_numbers())).splitlines()
        first, *_others = (at for at, line in enumerate(lines) if line.startswith("001"))
        name = base.competitors[2].name
        lines[first] = lines[first].replace(name, "Someone Else"[: len(name)].ljust(len(name)))
        reading = read_report("\n".join(lines).encode(), "four-players", base=base)
        assert reading.accepted, reading.findings
        assert [each.name for each in reading.accepted.competitors] == [
            "Someone Else"[: len(name)] if each.number == 3 else each.name for each in base.competitors
        ]

    def test_late_entry_gets_a_free_start_number_and_keeps_its_pairing_number(self) -> None:
        """A deleted competitor leaves a gap: 4 is a start number, but no pairing number."""
        theirs = samples.players()
        *known, _late = theirs["competitors"]
        data = {**theirs, "competitors": [*known[:2], {**known[2], "number": 4, "pairing_number": 3}]}
        base = samples.document({**data, "rounds": []})
        report = write_records(samples.document(theirs)).encode()
        for _time in ("first", "second"):
            reading = read_report(report, "four-players", base=base)
            assert reading.accepted, reading.findings
            base = reading.accepted
            late = base.competitors[-1]
            assert (late.name, late.number, late.pairing_number) == ("Dov", 5, 4)
            assert [each.name for each in base.competitors] == ["Ann", "Bea", "Cas", "Dov"]
            assert [each.numbers for each in base.rounds[0].pairings] == [(1, 2), (4, 5)]

    def test_report_by_start_number_is_read_by_start_number(self) -> None:
        stored_draughts()
        number_by_rating("four-players")
        base = load("four-players")
        reading = read_report(write_records(base).encode(), "four-players", base=base)
        assert "pairing-numbers" not in {each.code for each in reading.findings}
        assert reading.accepted
        assert reading.accepted == replace(base, published=reading.accepted.published)

    def test_desk_offers_it(self) -> None:
        stored_draughts()
        number_by_rating("four-players")
        desk = create_desk()
        event = Event.objects.get(slug="four-players")
        event.arbiters.add(desk.people["arbiter"])
        browser = desk.browser("arbiter")
        page = browser.get(reverse("admin:event-desk", args=[event.pk])).content.decode()
        address = f"{reverse('admin:event-report', args=[event.pk])}?by=pairing-number"
        assert f'href="{address}"' in page
        base = load("four-players")
        assert browser.get(address).content.decode() == write_records(
            by_pairing_number(base, base.pairing_numbers())
        )


def test_report_of_another_event_is_rejected(tmp_path: Path) -> None:
    stored_draughts()
    file = tmp_path / "a.trf"
    file.write_text(write_report(load("four-players")))
    apply(
        compare_with_stored(
            samples.document({**samples.players(), "event": {**samples.players()["event"], "slug": "b"}})
        )
    )

    with pytest.raises(CommandError):
        imported(file, into="b")
