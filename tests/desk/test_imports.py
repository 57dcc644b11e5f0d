"""Imports at the desk: the import stores what its preview showed, who may import, and what is stored."""

import json
import re
from hashlib import sha256
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.cast import Desk, stored_event, swiss_file
from tests.private import CASES, GAMES, PRIVATE, TORNELO
from tests.tournaments.interchange.formats import samples
from tournaments.admin.imports.screens import UPLOADS_PER_PAGE
from tournaments.interchange.formats.json.writer import write
from tournaments.models import (
    Backup,
    Bundle,
    BundleFile,
    Change,
    ColumnMapping,
    Competitor,
    Event,
    Pairing,
    Revision,
    Round,
    Upload,
)
from tournaments.recording.events.creation import create_event
from tournaments.recording.imports.importing import keep_upload
from tournaments.stored import load

pytestmark = pytest.mark.django_db

RESULTS = "Round;White;Black;Result\n1;Ann;Bea;1-1\n"
LIST = "Snr;Speler;Elo\n1;Reds;2400\n4;Greys;2100\n"


def upload(
    desk: Desk, who: str, event: Event | None, name: str = "", text: str = "", file: bytes = b""
) -> Any:
    """Upload a file or paste a text, and open the preview."""
    address = reverse("admin:event-import", args=[event.pk]) if event else reverse("admin:import")
    data: dict[str, Any] = {"text": text}
    if name:
        data["file"] = SimpleUploadedFile(name, file or text.encode())
        data["text"] = ""
    return desk.browser(who).post(address, data, follow=True)


def imported(desk: Desk, who: str, preview: Any, **more: str) -> Any:
    """Press the button of a preview."""
    context = preview.context
    data = {"apply": "Import", "token": context["trial"].token, **context["chosen"], **more}
    return desk.browser(who).post(preview.request["PATH_INFO"], data, follow=True)


def shown(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def completed(desk: Desk) -> Event:
    """The completed event of Ann and Bea, assigned to the arbiter."""
    desk.other_event.arbiters.add(desk.people["arbiter"])
    return desk.other_event


def test_final_table_is_previewed_without_a_comparison_and_imported(desk: Desk) -> None:
    text = (
        "Old Chess Open 1938\nFinal standings after 3 rounds\n1. Arends 2½\n2. Brill 2\n3-4. Claes, Dorn 1\n"
    )
    page = upload(desk, "organiser", None, text=text)
    assert "This is <b>a list of places and points</b>" in shown(page)
    assert "printed total" not in shown(page)
    imported(desk, "organiser", page)
    event = Event.objects.get(slug="old-chess-open-1938")
    assert (event.unknown, event.published.order) == (["results"], [[1], [2], [3, 4]])


def test_import_of_an_entry_list_leads_to_the_register(desk: Desk) -> None:
    event = create_event("new", "New", "chess", "players", "swiss", desk.people["arbiter"])
    page = upload(desk, "arbiter", event, text="Name;Rating;Club\nAnn;2100;Damlust\nBea;2000;\n")
    assert "2 added, 0 changed, 0 removed" in shown(page)
    register = imported(desk, "arbiter", page)
    assert [row.texts["club"] for row in register.context["sheet"]] == ["Damlust", ""]


def test_preview_limits_the_number_of_errors(desk: Desk) -> None:
    data = samples.players() | {"competitors": [{} for _ in range(2000)]}
    page = upload(desk, "organiser", None, text=samples.text(data))
    assert "More than 1000 errors: cannot import the file" in shown(page)


@pytest.mark.parametrize("at", ["event", "site"])
def test_unfinished_uploads_are_paginated(desk: Desk, at: str) -> None:
    user, event = desk.people["organiser"], desk.event if at == "event" else None
    address = reverse("admin:event-import", args=[desk.event.pk]) if event else reverse("admin:import")
    for number in range(UPLOADS_PER_PAGE + 1):
        Upload.objects.create(event=event, name=f"list-{number}.csv", file=b"", sha256="", user=user, by="")
    first, second = (shown(desk.browser("organiser").get(address, {"page": each})) for each in (1, 2))
    assert f"Not imported yet: {UPLOADS_PER_PAGE + 1}" in first
    assert ">list-1.csv<" in first
    assert ">list-0.csv<" not in first
    assert '<a href="?page=2">Earlier ones</a>' in first
    assert ">list-0.csv<" in second


def test_files_of_bundles_are_not_listed_as_unfinished(desk: Desk) -> None:
    user = desk.people["organiser"]
    kept = Upload.objects.create(name="one.csv", file=b"", sha256="", user=user, by="")
    bundle = Bundle.objects.create(name="many.zip", user=user)
    BundleFile.objects.create(bundle=bundle, upload=kept, name="one.csv", position=1)
    assert "Not imported yet" not in shown(desk.browser("organiser").get(reverse("admin:import")))


def test_import_updates_the_search_index(desk: Desk) -> None:
    imported(desk, "arbiter", upload(desk, "arbiter", desk.event, text=LIST))
    revision = Revision.objects.get(event=desk.event)
    assert revision.named == revision.searched


@pytest.mark.parametrize(("name", "text"), [("tornelo-dat.trfx", TORNELO), ("games.pgn", GAMES)])
def test_private_data_are_reported_and_not_stored(desk: Desk, name: str, text: str) -> None:
    preview = upload(desk, "organiser", None, name, text)
    assert "may contain private data and would become public" in shown(preview)
    assert [each for each in PRIVATE if each in shown(preview)] == []

    imported(desk, "organiser", preview)

    stored = write(load(Event.objects.latest("pk").slug))
    assert [each for each in PRIVATE if each in stored] == []
    assert bytes(Upload.objects.latest("pk").file).decode() == text


def test_file_of_a_program_names_the_program(desk: Desk) -> None:
    page = shown(upload(desk, "organiser", None, "cup.papi", "\0\1\0\0Standard Jet DB\0"))
    assert "This is a tournament of Papi" in page
    assert "Grille américaine" in page
    assert "Layout:" not in page  # none of them can read it


class TestPreview:
    def test_preview_shows_changes_without_storing_them(self, desk: Desk) -> None:
        before = write(load("two-teams"))
        page = shown(upload(desk, "arbiter", desk.event, text=LIST))

        assert "+ competitor 4 Greys" in page
        assert "~ competitor 1 Reds: rating no value → 2400" in page
        assert "1 added, 1 changed, 0 removed" in page
        assert write(load("two-teams")) == before

    def test_error_has_row_and_column_and_prevents_the_import(self, desk: Desk) -> None:
        page = upload(desk, "arbiter", desk.event, text="No;Name;Rating\nx;Greys;2000\n")

        assert "row 2, column No" in shown(page)
        assert not page.context["trial"].is_ready

    def test_unknown_extension_and_empty_form_are_rejected(self, desk: Desk) -> None:
        page = upload(desk, "arbiter", desk.event, "a.exe", file=b"MZ")
        assert "its content was not recognised" in shown(page)
        assert not page.context["trial"].is_ready
        assert "Choose a file" in shown(upload(desk, "arbiter", desk.event))

    def test_number_of_queries_is_independent_of_the_length(self, desk: Desk) -> None:
        first, again = [], []
        for length in (2, 300):
            rows = "".join(f"{number};Team {number}\n" for number in range(4, 4 + length))
            with CaptureQueriesContext(connection) as queries:
                preview = upload(desk, "arbiter", desk.event, text=f"No;Name\n{rows}")
            first.append(len(queries))
            browser = desk.browser("arbiter")
            with CaptureQueriesContext(connection) as queries:
                assert browser.get(preview.request["PATH_INFO"]).status_code == 200
            again.append(len(queries))

        assert first[0] == first[1]
        assert again == [10, 10]

    def test_preview_counts_read_and_unread_parts(self, desk: Desk) -> None:
        page = shown(upload(desk, "arbiter", desk.event, text=f"Our list\n{LIST.replace('Elo', 'Shoe')}"))

        assert "<dt>Columns</dt> <dd> 2 read, <b>1 not read</b>: “Shoe” </dd>" in page
        assert "<dt>Lines</dt> <dd> 3 read, <b>1 not read</b>: “Our list” </dd>" in page

    def test_user_chooses_encoding_and_order_of_dates(self, desk: Desk) -> None:
        rows = "Round;White;Black;Result;Date\n2;Жёлтые;;BYE;07/08/2022\n"
        names = upload(desk, "arbiter", desk.event, "a.csv", file="No;Name\n4;Жёлтые\n".encode("koi8-r"))
        path = names.request["PATH_INFO"]
        assert "Жёлтые" in shown(names)  # the encoding is detected and shown
        wrong = desk.browser("arbiter").get(path, {"encoding": "cp1252"})
        assert "Жёлтые" not in shown(wrong)
        chosen = desk.browser("arbiter").get(path, {"encoding": "koi8-r"})
        assert "+ competitor 4 Жёлтые" in shown(chosen)
        imported(desk, "arbiter", chosen)
        assert Competitor.objects.filter(event=desk.event, name="Жёлтые").exists()

        dated = upload(desk, "arbiter", desk.event, text=rows)
        assert "may be 2022-07-08 or 2022-08-07" in shown(dated)
        chosen = desk.browser("arbiter").get(dated.request["PATH_INFO"], {"dates": "dmy"})
        assert "→ 2022-08-07" in shown(chosen), [str(e) for e in chosen.context["trial"].findings]

    def test_user_chooses_an_event_of_the_file_and_moves_are_stored(self, desk: Desk) -> None:
        games = "".join(
            f'[Event "{event}"]\n[Date "2021.05.01"]\n[Round "1"]\n[White "{white}"]\n[Black "Bea"]\n'
            '[Result "1-0"]\n\n1. e4 1-0\n\n'
            for event, white in (("Quay Cup", "Ann"), ("Port Cup", "Cyd"))
        )
        found = upload(desk, "organiser", None, "games.pgn", games)
        assert "The file contains 2 events" in shown(found)
        chosen = desk.browser("organiser").get(found.request["PATH_INFO"], {"part": "Port Cup"})
        assert 'name="part" value="Port Cup"' in shown(chosen)
        imported(desk, "organiser", chosen)
        (game,) = Pairing.objects.filter(round__event__name="Port Cup")
        assert (game.first.name, game.moves) == ("Cyd", "1. e4 1-0")

    def test_import_rejects_choices_without_a_preview(self, desk: Desk) -> None:
        preview = upload(desk, "arbiter", desk.event, "a.csv", file="No;Name\n4;Żółci\n".encode("cp1250"))

        assert "The data have changed" in shown(imported(desk, "arbiter", preview, encoding="koi8-r"))

    def test_preview_of_another_user_is_404(self, desk: Desk) -> None:
        preview = upload(desk, "arbiter", desk.event, text=LIST)

        assert desk.browser("organiser").get(preview.request["PATH_INFO"]).status_code == 404


class TestImport:
    def test_import_stores_the_file_and_a_backup(self, desk: Desk) -> None:
        before = Backup.objects.count()
        imported(desk, "arbiter", upload(desk, "arbiter", desk.event, "list.csv", LIST))
        kept = desk.event.uploads.latest("pk")

        assert Competitor.objects.get(event=desk.event, number=4).name == "Greys"
        assert (kept.name, bytes(kept.file), kept.by) == ("list.csv", LIST.encode(), "anna")
        assert (kept.sha256, kept.applied is None) == (sha256(LIST.encode()).hexdigest(), False)
        assert Backup.objects.count() == before + 1 or Backup.objects.latest("pk").reason == "To be sure."

    def test_unchanged_file_cannot_be_imported(self, desk: Desk) -> None:
        imported(desk, "arbiter", upload(desk, "arbiter", desk.event, text=LIST))
        again = upload(desk, "arbiter", desk.event, text=LIST)

        assert "0 changes" in shown(again)
        assert not again.context["trial"].is_ready

    def test_import_is_rejected_after_a_change_of_the_event(self, desk: Desk) -> None:
        preview = upload(desk, "arbiter", desk.event, text=LIST)
        Competitor.objects.filter(event=desk.event, number=2).update(rating=1900)

        assert "The data have changed since this preview" in shown(imported(desk, "arbiter", preview))
        assert not Competitor.objects.filter(name="Greys").exists()

    def test_token_is_bound_to_choices_and_file(self, desk: Desk) -> None:
        preview = upload(desk, "arbiter", desk.event, text=LIST)
        other = upload(desk, "arbiter", desk.event, text=LIST.replace("Greys", "Golds"))

        chosen = {"role-0": "competitors", "was-0": "competitors", "column-0-2": ""}
        for told in ({"token": other.context["trial"].token}, {"token": "x"}, chosen):
            assert "The data have changed" in shown(imported(desk, "arbiter", preview, **told))
        assert not Competitor.objects.filter(name="Greys").exists()

    def test_upload_is_imported_at_most_once(self, desk: Desk) -> None:
        preview = upload(desk, "arbiter", desk.event, text=LIST)
        imported(desk, "arbiter", preview)

        before = Competitor.objects.filter(event=desk.event).count()
        again = imported(desk, "arbiter", preview)

        assert "is imported already." in shown(again)
        assert Competitor.objects.filter(event=desk.event).count() == before

    def test_imported_file_can_be_downloaded(self, desk: Desk) -> None:
        kept = keep_upload(desk.event, "Łódź.csv", b"Name\n", "anna")
        answer = desk.browser("arbiter").get(reverse("admin:event-upload", args=[desk.event.pk, kept.pk]))

        assert answer.content == b"Name\n"
        assert answer["Content-Disposition"] == "attachment; filename*=UTF-8''%C5%81%C3%B3d%C5%BA.csv"


class TestObjections:
    """Contradictions within a file need a reason."""

    ROWS = (
        "Rk;Name;1.Rd;2.Rd;Pts",
        "1;Zoë;2w1;3b½;1½",
        "2;Yan;1b0;-1;{}",
        "3;Xia;-½;1w½;1",
    )

    def event(self, desk: Desk) -> Event:
        event = completed(desk)
        event.rounds.all().delete()
        event.competitors.all().delete()
        Event.objects.filter(pk=event.pk).update(
            state="draft", game_win=2, game_draw=1, planned_rounds=2, schedule="swiss"
        )
        return event

    def test_consistent_cross_table_has_no_objections(self, desk: Desk) -> None:
        event = self.event(desk)
        preview = upload(desk, "arbiter", event, text="\n".join(self.ROWS).format("1"))

        assert "objection" not in shown(preview)
        assert "<dt>Cells</dt> <dd> 6 read </dd>" in shown(preview)
        imported(desk, "arbiter", preview)
        kinds = Pairing.objects.filter(round__event=event, second=None).values_list(
            "first__name", "kind", "first_score"
        )
        assert set(kinds) == {("Yan", "bye", 2), ("Xia", "half-bye", 1)}

    def test_objection_needs_a_reason_which_is_stored(self, desk: Desk) -> None:
        event = self.event(desk)
        preview = upload(desk, "arbiter", event, text="\n".join(self.ROWS).format("2"))
        assert "1 objection to this file" in shown(preview)
        assert "2 is printed for Yan, and the results that were read add up to 1." in shown(preview)

        assert "give a reason to import it" in shown(imported(desk, "arbiter", preview))
        assert not Pairing.objects.filter(round__event=event).exists()
        imported(desk, "arbiter", preview, accept="The source prints it so.")
        assert Pairing.objects.filter(round__event=event).count() == 4
        page = shown(desk.browser("arbiter").get(reverse("admin:event-import", args=[event.pk])))
        assert "1 objection accepted" in page
        assert "The source prints it so." in page
        assert "2 is printed for Yan" in page

    def test_each_kind_of_objection_has_a_reason_and_the_record_names_who_gave_it(self, desk: Desk) -> None:
        rows = "Rk;Name;1.Rd;Pts\n1;Zoë;2w1;5\n2;Yan;1b1;5\n3;Xia;4w1;5\n4;Wim;3b0;5"
        event = self.event(desk)
        preview = upload(desk, "arbiter", event, text=rows)
        kinds = [[each.code for each in question["findings"]] for question in preview.context["questions"]]
        assert kinds == [["contradiction"], ["printed-points"] * 2]

        one = {"accept-contradiction": "Both claim it."}
        assert "Errors in this file: 2." in shown(imported(desk, "arbiter", preview, **one))
        imported(desk, "arbiter", preview, **one, **{"accept-printed-points": "So printed."})
        accepted = event.uploads.get().accepted
        assert (accepted["by"], accepted["reason"]) == ("anna", "Both claim it. So printed.")
        assert len(accepted["objections"]) == 3

    def test_user_decides_about_an_ambiguous_dash(self, desk: Desk) -> None:
        event = self.event(desk)
        text = "Rk;Name;1.Rd;2.Rd\n1;Zoë;;2w1\n2;Yan;-1;1b0\n"
        preview = upload(desk, "arbiter", event, text=text)
        assert "the table does not show which" in shown(preview)
        assert "A dash before a figure" in shown(preview)

        chosen = desk.browser("arbiter").get(preview.request["PATH_INFO"], {"dash": "bye"})
        imported(desk, "arbiter", chosen)
        assert Pairing.objects.get(round__event=event, second=None).first.name == "Yan"

    def test_user_decides_about_an_ambiguous_colour_letter(self, desk: Desk) -> None:
        event = self.event(desk)
        preview = upload(desk, "arbiter", event, text="Rk;Name;1.Rd\n1;Zoë;2b1\n2;Yan;\n")
        assert "it may be Black, as in English, or White" in shown(preview)
        assert "The colour that b is" in shown(preview)

        chosen = desk.browser("arbiter").get(preview.request["PATH_INFO"], {"colours": "white"})
        imported(desk, "arbiter", chosen)
        assert Pairing.objects.get(round__event=event).first.name == "Zoë"

    def test_user_decides_about_the_points_of_a_team_bye(self, desk: Desk) -> None:
        report = (
            (CASES / "team-trf16-printed-player-points.trf").read_text().replace("1.0    4 ", "0.0    4 ")
        )
        preview = upload(desk, "organiser", None, "harbour.trf", report)
        assert "Taken: 2 match points and 2 game points, by the rules of the event." in shown(preview)
        assert "Points of a bye for a team" in shown(preview)

        chosen = desk.browser("organiser").get(preview.request["PATH_INFO"], {"bye": "draw"})
        assert "Taken: 1 match point and 1 game point, as chosen." in shown(chosen)
        imported(desk, "organiser", chosen)
        event = Event.objects.get(slug="harbour")
        assert (event.bye_game, event.bye_match) == (2, 2)
        byes = Pairing.objects.filter(round__event=event, second=None)
        assert [(each.first.name, each.first_score) for each in byes.order_by("round__number")] == [
            ("Greens", 2), ("Blues", 2), ("Reds", 2),
        ]  # fmt: skip


class TestColumns:
    @pytest.mark.parametrize("role", ["competitors", "results", "crosstable", "matrix"])
    @pytest.mark.parametrize("text", ["%1;%2\n%3;%4\n", "# %1;%2\n"])
    def test_table_without_headings_needs_a_role(self, desk: Desk, role: str, text: str) -> None:
        preview = upload(desk, "arbiter", desk.event, text=text)
        answer = desk.browser("arbiter").get(preview.request["PATH_INFO"], {"role-0": role, "was-0": ""})

        assert answer.status_code == 200
        assert "Choose the column" in shown(answer)

    def test_unknown_headings_are_mapped_in_the_form(self, desk: Desk) -> None:
        preview = upload(desk, "arbiter", desk.event, text="Kodas;Komanda\n7;Greys\n")
        assert "No table was recognised by its heading" in shown(preview)

        path = preview.request["PATH_INFO"]
        chosen = {
            "role-0": "competitors",
            "was-0": "competitors",
            "column-0-0": "number",
            "column-0-1": "name",
        }
        again = desk.browser("arbiter").get(path, chosen)
        assert "+ competitor 7 Greys" in shown(again)
        assert ColumnMapping.objects.count() == 0

        imported(desk, "arbiter", again)
        later = upload(desk, "arbiter", desk.event, text="Kodas;Komanda\n8;Golds\n")
        assert "+ competitor 8 Golds" in shown(later)

    def test_cross_table_by_opponents_updates_results(self, desk: Desk) -> None:
        square = upload(desk, "arbiter", completed(desk), text="Name;1;2\nAnn;*;1\nBea;1;*\n")
        assert "Round 1, table 1: 2-0 → 1-1" in shown(square)
        assert '<option value="opponent:2" selected>against row 2</option>' in shown(square)

        choice = {"role-0": "matrix", "was-0": "matrix", "column-0-0": "name", "column-0-1": "opponent:1"}
        half = desk.browser("arbiter").get(square.request["PATH_INFO"], {**choice, "column-0-2": ""})
        assert "have different numbers of games" in shown(half)

    def test_mapping_of_columns_is_remembered(self, desk: Desk) -> None:
        text = "No;Name;Elo\n1;Reds;17\n"
        preview = upload(desk, "arbiter", desk.event, text=text)
        values = {"role-0": "competitors", "was-0": "competitors"}
        chosen = {**values, "column-0-0": "number", "column-0-1": "name", "column-0-2": "code"}
        again = desk.browser("arbiter").get(preview.request["PATH_INFO"], chosen)
        imported(desk, "arbiter", again)
        assert Competitor.objects.get(event=desk.event, number=1).code == "17"

        later = upload(desk, "arbiter", desk.event, text="No;Name;Elo\n2;Blues;18\n")
        assert "~ competitor 2 Blues: code no value → 18" in shown(later)


class TestCorrections:
    def test_changed_published_result_needs_a_reason_and_a_log_entry(self, desk: Desk) -> None:
        event = completed(desk)
        preview = upload(desk, "arbiter", event, text=RESULTS)
        assert "Round 1, table 1: 2-0 → 1-1" in shown(preview)

        assert "Give a reason" in shown(imported(desk, "arbiter", preview))
        assert Pairing.objects.get(round__event=event).first_score == 4

        imported(desk, "arbiter", preview, reason="The clock was wrong.")
        entry = Change.objects.get(event=event)
        assert (entry.round, entry.table, entry.was, entry.now) == (1, 1, "2-0", "1-1")
        assert (entry.reason, entry.by) == ("The clock was wrong.", "anna")
        assert entry.moved == [[2, 2, 1]]

    def test_preview_and_log_list_rounds_paired_from_the_old_result(self, desk: Desk) -> None:
        event = stored_event(swiss_file())
        event.arbiters.add(desk.people["arbiter"])
        draft = Round.objects.create(event=event, number=3)
        first, second = event.competitors.order_by("number")[:2]
        Pairing.objects.create(round=draft, table=1, first=first, second=second)
        preview = upload(desk, "arbiter", event, text="Round;White;Black;Result\n1;Ann;Bea;0-2\n")
        assert "Round 2 was paired from the old result. Its pairings stay as they are." in shown(preview)
        assert "The draft of round 3 was paired from the old result. Propose it again." in shown(preview)

        imported(desk, "arbiter", preview, reason="A slip.")
        assert Change.objects.get(event=event).paired == [2]

    def test_round_that_the_file_pairs_is_not_listed_as_paired_from_the_old_result(self, desk: Desk) -> None:
        data = swiss_file()
        event = stored_event(data)
        data["rounds"][0]["pairings"][0]["score"] = [0, 2]
        data["rounds"][1]["pairings"] = [
            {"table": 1, "first": 2, "second": 3, "kind": "pending"},
            {"table": 2, "first": 4, "second": 1, "score": [2, 0]},
        ]
        preview = upload(desk, "organiser", event, "four-players.json", json.dumps(data))
        assert "1 published result would change" in shown(preview)
        assert "was paired from the old result" not in shown(preview)

    def test_changed_result_of_a_draft_has_no_log_entry(self, desk: Desk) -> None:
        event = completed(desk)
        Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
        imported(desk, "arbiter", upload(desk, "arbiter", event, text=RESULTS))

        assert Pairing.objects.get(round__event=event).first_score == 2
        assert not Change.objects.filter(event=event).exists()

    def test_first_result_has_no_log_entry(self, desk: Desk) -> None:
        Pairing.objects.create(
            round=Round.objects.get(event=desk.event, number=2),
            table=1,
            first=Competitor.objects.get(event=desk.event, number=1),
            second=Competitor.objects.get(event=desk.event, number=3),
        )
        text = "Round;White;Black;Result\n2;Reds;Greens;1½-½\n"
        imported(desk, "arbiter", upload(desk, "arbiter", desk.event, text=text))

        assert Pairing.objects.get(round__number=2, round__event=desk.event).first_score == 3
        assert not Change.objects.filter(event=desk.event, round=2).exists()

    def test_user_chooses_a_group_of_the_file(self, desk: Desk) -> None:
        text = (
            "Harbour Open 2021 A\nRk. Name FED 1.Rd 2.Rd Pts.\n"
            "1 Ann Aal NED 2w1 -1 2\n2 Bea Bol BEL 1b0 3w1 1\n3 Cyd Cas GER -1 2b0 1\n"
            "Harbour Open 2021 B\nRk. Name FED 1.Rd 2.Rd Pts.\n"
            "1 Dov Dam NED 2w1 2b1 2\n2 Eve Els BEL 1b0 1w0 0\n"
        )
        first = upload(desk, "organiser", None, text=text)
        assert "The file contains 2 groups: 1 “Harbour Open 2021 A” (3 rows)" in shown(first)
        chosen = desk.browser("organiser").get(
            first.request["PATH_INFO"], {"part": "2", "discipline": "chess", "start": "2021"}
        )
        imported(desk, "organiser", chosen)
        event = Event.objects.get(name="Harbour Open 2021 B")
        assert sorted(Competitor.objects.filter(event=event).values_list("name", "code")) == [
            ("Dov Dam", "NED"),
            ("Eve Els", "BEL"),
        ]


class TestEventFiles:
    def test_new_event_is_a_draft_by_default(self, desk: Desk) -> None:
        text = samples.text(samples.players())
        preview = upload(desk, "organiser", None, "players.json", text)
        assert "A new event" in shown(preview)
        imported(desk, "organiser", preview)
        event = Event.objects.get(slug="four-players")
        assert (event.state, list(event.arbiters.all())) == ("draft", [desk.people["organiser"]])

        event.delete()
        again = desk.browser("organiser").get(
            upload(desk, "organiser", None, "players.json", text).request["PATH_INFO"], {"state": "file"}
        )
        assert "Import and publish" in shown(again)
        imported(desk, "organiser", again)
        assert Event.objects.get(slug="four-players").state == "final"

    def test_file_of_another_event_is_rejected(self, desk: Desk) -> None:
        page = upload(desk, "arbiter", desk.event, "players.json", samples.text(samples.players()))

        assert "of “four-players”, not of “two-teams”" in shown(page)

    def test_arbiter_cannot_import_rulings_or_state(self, desk: Desk) -> None:
        data = json.loads(write(load("two-teams")))
        data["event"]["state"] = "archived"
        for who, is_ready in (("arbiter", False), ("organiser", True)):
            page = upload(desk, who, desk.event, "two-teams.json", json.dumps(data))
            assert page.context["trial"].is_ready == is_ready
            assert ("an organiser imports it" in shown(page)) is not is_ready

    def test_table_becomes_an_event_with_facts_of_the_form(self, desk: Desk) -> None:
        text = "Old cup\nNo;Name;1;2;Pts\n1;Ann;2w1;2b½;1½\n2;Bea;1b0;1w½;½\n"
        page = upload(desk, "organiser", None, "cup.csv", text)
        assert "This is <b>a cross table by rounds</b>" in shown(page)
        assert "missing: enter it here" in shown(page)
        assert not page.context["trial"].is_ready

        form = page.context["facts"]
        facts = {name: field.initial for name, field in form.fields.items()}
        path = page.request["PATH_INFO"]
        again = desk.browser("organiser").get(path, {**facts, "slug": "old-cup", "start": "1987"})
        assert "All 2 printed totals follow from the results" in shown(again)
        trial = again.context["trial"]
        assert (trial.outline.name, trial.outline.places["name"]) == ("Old cup", "row 1")
        assert trial.outline.places["start"] == "the form"
        assert trial.outline.schedule == "double-round-robin"

        imported(desk, "organiser", again)
        event = Event.objects.get(slug="old-cup-1987")
        assert (event.name, event.state, event.start, event.discipline) == (
            "Old cup",
            "draft",
            "1987",
            "chess",
        )

    def test_derived_fact_follows_its_source(self, desk: Desk) -> None:
        text = "Old cup 1987\nNo;Name;1;2;Pts\n1;Ann;2w1;2b½;1½\n2;Bea;1b0;1w½;½\n"
        page = upload(desk, "organiser", None, "cup.csv", text)
        facts = {name: field.initial for name, field in page.context["facts"].fields.items()}
        assert facts["system"] == "fide-round-robin"
        facts |= {"discipline": "draughts-100", "place": "", "scoring": "1-½-0"}
        again = desk.browser("organiser").get(page.request["PATH_INFO"], facts)
        assert again.context["trial"].outline.system == "manual-round-robin"

    def test_chosen_layout_is_part_of_the_token(self, desk: Desk) -> None:
        page = upload(desk, "arbiter", desk.event, text="No;Name\n1;Reds\n")
        path = page.request["PATH_INFO"]
        assert "This is <b>a list of competitors</b>" in shown(page)
        chosen = desk.browser("arbiter").get(path, {"layout": "results", "was-layout": "competitors"})
        assert "Read as <b>a list of results</b>, as chosen." in shown(chosen)
        assert chosen.context["trial"].found.reading.mappings[0].role == "results"
        assert not page.context["trial"].is_bound_by(chosen.context["trial"].token)
