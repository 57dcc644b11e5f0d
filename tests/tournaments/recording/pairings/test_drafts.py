"""Proposals: requested, computed by the real engine, applied, refused, repeated."""

import sys
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.proposals import create_open, pairs_of, play_round, propose, py4swiss_command
from tests.tournaments.recording.desk import at, file_of, round_of, typed
from tournaments.event.choices import Kind
from tournaments.event.pairingsettings import paired_from, with_provisional
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Backup, Event, Job, Pairing, Proposal, Round
from tournaments.models.versioned import past_of
from tournaments.operations.jobs import JobLostError
from tournaments.pairing.engine import TIMED_OUT, EngineError
from tournaments.recording.pairings import drafts
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.pairings.differences import before_publishing, draft_doubts
from tournaments.recording.pairings.drafts import (
    ask_for_proposal,
    departures,
    is_reproducible,
    report_before,
)
from tournaments.recording.pairings.engine_checks import check_document_pairings, subject_of
from tournaments.recording.pairings.rearranging import lock
from tournaments.recording.pairings.unusual import find_doubts, read_histories
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings, take_back_pairings
from tournaments.stored import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_(db: None) -> Event:
    """An open with eleven players, so that a player has the bye."""
    return create_open(11)


class TestDelayedGames:
    """Player 1 and player 6 postpone their game of round 1."""

    @pytest.fixture
    def postponed(self, open_: Event, arbiter: User) -> Event:
        propose(open_, arbiter)
        play_round(open_, 1)
        Pairing.objects.filter(round__event=open_, table=1).update(
            kind=Kind.PENDING, delayed="postponed", first_score=None, second_score=None
        )
        return open_

    def decide(self, event: Event, arbiter: User) -> None:
        [outcome] = enter(event, [typed(at(event, 1, 1), "0")], arbiter)
        assert outcome.state == "saved"

    @pytest.mark.parametrize(("setting", "bracket", "points"), [("draw", 1, 1), ("nothing", 0, 0)])
    def test_postponed_game_counts_for_pairing_as_set(
        self, postponed: Event, arbiter: User, setting: str, bracket: int, points: int
    ) -> None:
        Event.objects.update(delayed_points=setting)
        made = propose(postponed, arbiter)
        assert made.problem == ""
        of_postponed = [each for each in made.pairs if {each["white"], each["black"]} & {1, 6}]
        assert bracket in {each["bracket"] for each in of_postponed}
        assert not any({each["white"], each["black"]} == {1, 6} for each in made.pairs)
        [result] = postponed.rounds.get(number=2).provisional_results
        assert result == {"round": 1, "table": 1, "points": points}

    def test_later_result_changes_neither_the_check_nor_a_proposal_from_the_file(
        self, postponed: Event, arbiter: User
    ) -> None:
        made = propose(postponed, arbiter)
        pairs = pairs_of(postponed, 2)
        publish_pairings(round_of(postponed, 2), arbiter)
        before = subject_of(postponed)
        self.decide(postponed, arbiter)
        assert subject_of(postponed) != before
        assert is_reproducible(made)
        document = read(file_of(postponed).encode()).document
        assert document
        assert paired_from(document, 2) == [{"round": 1, "table": 1, "points": 1}]
        counted = with_provisional(document, paired_from(document, 2))
        assert report_before(counted, 2, []) == made.input
        _version, rounds = check_document_pairings(postponed, document)
        assert [(each.round, each.agrees) for each in rounds] == [(1, True), (2, True)]
        assert pairs_of(postponed, 2) == pairs
        Round.objects.update(provisional_results=[])
        _version, rounds = check_document_pairings(postponed, stored(postponed).document)
        assert [each.agrees for each in rounds] == [True, False]

    def test_draft_shows_a_later_result(self, postponed: Event, arbiter: User) -> None:
        propose(postponed, arbiter)
        self.decide(postponed, arbiter)
        [doubt] = draft_doubts(round_of(postponed, 2), stored(postponed).document)
        assert "1 Player 1 – 6 Player 6: ½-½ then, 0-1 now" in doubt.text
        propose(postponed, arbiter, 2)
        assert postponed.rounds.get(number=2).provisional_results == []

    def test_publishing_a_round_paired_by_hand_stores_open_games(
        self, postponed: Event, arbiter: User
    ) -> None:
        open_round(postponed, arbiter)
        add_pairings(round_of(postponed, 2), [Seats(first=1, second=2)], arbiter)
        found = publish_pairings(round_of(postponed, 2), arbiter).provisional_results
        assert found == [{"round": 1, "table": 1, "points": 1}]
        assert take_back_pairings(round_of(postponed, 2), arbiter).provisional_results == []

    def test_other_missing_result_blocks_the_next_round(self, postponed: Event, arbiter: User) -> None:
        Pairing.objects.filter(table=2).update(kind=Kind.PENDING, first_score=None, second_score=None)
        with pytest.raises(Refused, match="missing at table 2"):
            propose(postponed, arbiter)

    def test_question_before_publishing_lists_open_games(self, postponed: Event, arbiter: User) -> None:
        propose(postponed, arbiter)
        doubts = before_publishing([round_of(postponed, 2)], stored(postponed).document)
        [text] = [each.text for each in doubts if each.code == "delayed-games"]
        assert text == "Postponed or adjourned in round 1 at table 1: counts for these pairings as a draw."


class TestARound:
    def test_the_first_is_opened_with_a_backup_and_paired_by_fides_rules(
        self, open_: Event, arbiter: User
    ) -> None:
        made = propose(open_, arbiter)
        assert (made.problem, made.version.split()[0], made.engine) == ("", "gacrux", "gacrux")
        assert pairs_of(open_, 1) == [(1, 6), (7, 2), (3, 8), (9, 4), (5, 10), (11, None)]
        assert Backup.objects.get(event=open_).reason == "Before round 1"
        assert Round.objects.get(event=open_).is_draft
        assert past_of(Pairing).objects.filter(history_user=arbiter, history_type="+").count() == 6

    def test_it_has_explanations_and_is_reproducible(self, open_: Event, arbiter: User) -> None:
        propose(open_, arbiter)
        play_round(open_, 1)
        second = propose(open_, arbiter)
        assert [each["rule"] for each in second.pairs][-1] == "bye"
        floats = [each["floats"] for each in second.pairs if each["floats"]]
        assert all(sorted(each.values()) == ["down", "up"] for each in floats)
        assert {each["bracket"] for each in second.pairs} == {2, 0, None}
        assert is_reproducible(second)
        second.input = second.input.replace("Player", "player")
        assert not is_reproducible(second)

    def test_competitors_with_a_round_off_are_left_out(self, open_: Event, arbiter: User) -> None:
        open_.competitors.filter(number=3).update(requested_byes={"1": "half-bye"})
        open_.competitors.filter(number=4).update(withdrawn_after=0)
        propose(open_, arbiter)
        paired = {number for pair in pairs_of(open_, 1) for number in pair}
        assert {3, 4} & paired == set()
        assert len(paired) == 10  # nine, and None for the bye

    def test_forbidden_pairs_and_acceleration_reach_the_engine(self, open_: Event, arbiter: User) -> None:
        open_.acceleration = "baku"
        open_.forbidden_pairs = [{"competitors": [1, 4], "first_round": 0, "last_round": 0}]
        open_.save()
        made = propose(open_, arbiter)
        open_.refresh_from_db()
        assert open_.accelerated_to == 6
        assert {each["bracket"] for each in made.pairs} == {2, 0, None}
        assert all({1, 4} != {first, second} for first, second in pairs_of(open_, 1))
        assert find_doubts(Round.objects.select_related("event").get(event=open_)) == []
        assert [read_histories(open_, 1)[number].pairing_score for number in (6, 7)] == [2, 0]
        assert {first for first, second in pairs_of(open_, 1)[:3] if second} <= set(range(1, 7))

    def test_a_missing_initial_colour_is_drawn_and_stored(self, open_: Event, arbiter: User) -> None:
        Event.objects.update(initial_colour="")
        open_.refresh_from_db()
        with patch("secrets.choice", return_value="black"):
            propose(open_, arbiter)
        open_.refresh_from_db()
        assert open_.initial_colour == "black"
        assert pairs_of(open_, 1)[0] == (6, 1)
        assert "drawn by lot" in past_of(Event).objects.filter(id=open_.pk).latest().history_change_reason


class TestTakenOver:
    def test_rounds_off_stay_and_an_earlier_proposal_is_replaced(self, open_: Event, arbiter: User) -> None:
        propose(open_, arbiter)
        round_ = Round.objects.get(event=open_)
        Pairing.objects.filter(round=round_, first__number=11).delete()
        add_pairings(round_, [Seats(11, kind=Kind.ZERO_BYE, table=20)], arbiter)
        propose(open_, arbiter)
        assert pairs_of(open_, 1) == [(1, 6), (7, 2), (3, 8), (9, 4), (5, 10), (11, None)]
        assert Pairing.objects.get(round=round_, first__number=11).table == 20
        removed = past_of(Pairing).objects.filter(history_type="-").exclude(first__number=11)
        assert [past.history_user for past in removed] == [arbiter] * 5

    def test_locked_pairings_stay_and_the_rest_is_paired(self, open_: Event, arbiter: User) -> None:
        asked = ask_for_proposal(open_, arbiter)
        Job.objects.all().delete()
        [row] = add_pairings(asked.round, [Seats(9, 1, table=2)], arbiter)
        Pairing.objects.filter(pk=row.pk).update(locked=True)
        made = propose(open_, arbiter)
        assert pairs_of(open_, 1) == [(2, 6), (9, 1), (7, 3), (4, 8), (10, 5), (11, None)]
        assert [each["table"] for each in made.pairs] == [1, 3, 4, 5, 6]
        assert Pairing.objects.get(pk=row.pk).version == row.version

    def test_a_fixed_table_displaces_the_others_in_order(self, open_: Event, arbiter: User) -> None:
        open_.competitors.filter(number=5).update(fixed_table=2)
        made = propose(open_, arbiter)
        assert pairs_of(open_, 1) == [(1, 6), (5, 10), (7, 2), (3, 8), (9, 4), (11, None)]
        assert [each["table"] for each in made.pairs] == [1, 3, 4, 5, 2, 6]

    def test_a_draft_changed_since_the_request_stays(self, open_: Event, arbiter: User) -> None:
        asked = ask_for_proposal(open_, arbiter)
        add_pairings(asked.round, [Seats(1, 2)], arbiter)
        made = drafts.make_proposal(asked, arbiter)
        assert made.applied is None
        assert "changed while its pairings were made" in made.problem
        assert len(made.pairs) == 6
        assert pairs_of(open_, 1) == [(1, 2)]

    def test_worker_that_lost_the_job_changes_no_draft(self, open_: Event, arbiter: User) -> None:
        asked = ask_for_proposal(open_, arbiter)
        with pytest.raises(JobLostError):
            drafts.make_proposal(asked, arbiter, confirm=Mock(side_effect=JobLostError))
        asked.refresh_from_db()
        assert (asked.applied, pairs_of(open_, 1)) == (None, [])

    def test_departures_are_marked_if_the_engine_implements_the_rules(
        self, open_: Event, arbiter: User
    ) -> None:
        propose(open_, arbiter)
        round_ = Round.objects.get(event=open_)
        assert departures(round_) == []
        members = {each.number: each for each in open_.competitors.all()}
        Pairing.objects.filter(round=round_, first__number=11).delete()
        Pairing.objects.filter(round=round_, first__number=1).update(second=members[11])
        [found] = departures(round_)
        assert (found.table, found.numbers, found.proposed) == (1, (1, 11), (1, 6))
        for discipline, system in (("chess", "manual-swiss"), ("draughts-100", "fmjd-swiss")):
            Event.objects.update(discipline=discipline, system=system)
            assert departures(Round.objects.select_related("event").get()) == []

    def test_a_locked_proposed_pair_is_no_departure(self, open_: Event, arbiter: User) -> None:
        propose(open_, arbiter)
        round_ = Round.objects.get(event=open_)
        lock(round_, [1], arbiter, locked=True)
        made = propose(open_, arbiter)
        assert 1 not in [each["table"] for each in made.pairs]
        assert departures(round_) == []


class TestRefused:
    def test_while_something_is_missing(self, open_: Event, arbiter: User) -> None:
        propose(open_, arbiter)
        with pytest.raises(Refused, match="not published yet"):
            ask_for_proposal(open_, arbiter, 2)
        Round.objects.update(state=Round.State.PUBLISHED)
        with pytest.raises(Refused, match="missing at table 1, 2"):
            ask_for_proposal(open_, arbiter, 2)
        with pytest.raises(Refused, match="published already"):
            ask_for_proposal(open_, arbiter, 1)
        assert Round.objects.count() == 1

    def test_a_repeated_request_is_computed_once(self, open_: Event, arbiter: User) -> None:
        assert ask_for_proposal(open_, arbiter) == ask_for_proposal(open_, arbiter, 1)
        assert Job.objects.count() == Proposal.objects.count() == 1

    def test_a_round_without_participants_is_refused(self, open_: Event, arbiter: User) -> None:
        open_.competitors.update(withdrawn_after=0)
        with pytest.raises(Refused, match="There are no players"):
            ask_for_proposal(open_, arbiter)
        assert not Round.objects.exists()


class TestWhatFails:
    """The round stays unchanged, and the proposal has a message."""

    def told(self, event: Event, by: User) -> str:
        made = propose(event, by)
        assert (made.applied, made.pairs, pairs_of(event, made.round.number)) == (None, [], [])
        return made.problem

    def test_no_pairing_is_left(self, db: None, arbiter: User) -> None:
        two = create_open(2)
        propose(two, arbiter)
        play_round(two, 1)
        assert "The rules allow no further pairing" in self.told(two, arbiter)

    def test_out_of_time(self, open_: Event, arbiter: User, settings: Settings) -> None:
        settings.PAIRING_SECONDS = 0
        assert "longer than it may" in self.told(open_, arbiter)

    def test_out_of_memory(self, open_: Event, arbiter: User, settings: Settings) -> None:
        settings.PAIRING_MEGABYTES = 20
        assert "more memory than it may" in self.told(open_, arbiter)

    def test_any_other_end(self, open_: Event, arbiter: User, settings: Settings) -> None:
        settings.PAIRING_COMMAND = f"{sys.executable} -c 'import os; os.abort()'"
        made = propose(open_, arbiter, engine="command")
        assert "rejects" in made.problem
        settings.PAIRING_COMMAND = "/nowhere/engine {report}"
        assert "cannot be run here" in propose(open_, arbiter, engine="command").problem


def test_another_engine_reads_the_report_and_prints_pairs(
    open_: Event, arbiter: User, settings: Settings, tmp_path: Path
) -> None:
    script = tmp_path / "engine.py"
    script.write_text(
        "import sys\n"
        "numbers = [int(line[4:8]) for line in open(sys.argv[1]) if line.startswith('001')]\n"
        "pairs = list(zip(numbers[0::2], [*numbers[1::2], 0]))\n"
        "print(len(pairs), *(f'{white} {black}' for white, black in pairs), sep='\\n')\n"
    )
    settings.PAIRING_COMMAND = f"{sys.executable} {script} {{report}}"
    made = propose(open_, arbiter, engine="command")
    assert (made.engine, made.problem) == ("command", "")
    assert pairs_of(open_, 1) == [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, None)]


def test_a_failure_of_the_process_has_a_message() -> None:
    assert "longer than it may" in drafts.problem_text(EngineError(TIMED_OUT))
    assert "broke off" in drafts.problem_text(EngineError("crashed", "Segmentation fault"))


def test_a_command_repeats_stored_proposals(open_: Event, arbiter: User) -> None:
    made = propose(open_, arbiter)
    output = StringIO()
    call_command("check_proposals", stdout=output)
    assert output.getvalue().startswith("the same  small-open, round 1, ")
    made.pairs = made.pairs[::-1]
    made.save()
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_proposals", "small-open", stdout=output)


@pytest.mark.exhaustive
def test_another_program_of_fides_rules_proposes_the_same(
    open_: Event, arbiter: User, settings: Settings
) -> None:
    """py4swiss is independent of gacrux: three rounds of eleven, by both."""
    settings.PAIRING_COMMAND = py4swiss_command()
    for number in (1, 2, 3):
        propose(open_, arbiter)
        ours = pairs_of(open_, number)
        made = propose(open_, arbiter, engine="command")
        assert made.problem == ""
        assert sorted(map(str, pairs_of(open_, number))) == sorted(map(str, ours))
        play_round(open_, number)


@pytest.mark.parametrize(("setting", "brackets"), [("draw", [4, 2]), ("nothing", [4, 0])])
def test_adjourned_match_of_teams_is_a_draw_for_the_pairing(
    db: None, arbiter: User, setting: str, brackets: list[int]
) -> None:
    """FIDE C.04.2, 3.1: the match, even if some of its boards have a result."""
    about: dict[str, Any] = {"entrants": "teams", "boards": 2, "system": "fide-team-swiss"}
    teams = create_open(6, "six-teams", delayed_points=setting, **about)
    propose(teams, arbiter)
    Round.objects.update(state=Round.State.PUBLISHED)
    for table, text in ((1, "1-0"), (3, "1-0")):
        for board in (1, 2):
            enter(teams, [typed(at(teams, 1, table), text, board)], arbiter)
    for board, text in ((1, "1-0"), (2, "adjourned")):
        enter(teams, [typed(at(teams, 1, 2), text, board)], arbiter)
    made = propose(teams, arbiter)
    assert made.problem == ""
    assert sorted({each["bracket"] for each in made.pairs}, reverse=True)[:2] == brackets
    publish_pairings(round_of(teams, 2), arbiter)
    enter(teams, [typed(at(teams, 1, 2), "1-0", 2)], arbiter)
    _version, rounds = check_document_pairings(teams, stored(teams).document)
    assert [(each.round, each.agrees) for each in rounds] == [(1, True), (2, True)]


@pytest.mark.parametrize("colours", ["", "type-b", "none"])
def test_teams_are_paired_by_their_own_rules(db: None, arbiter: User, colours: str) -> None:
    """FIDE C.04.6: in the first round 1 meets 4, and colours alternate by table (4.3.1)."""
    about: dict[str, Any] = {
        "entrants": "teams",
        "boards": 2,
        "system": "fide-team-swiss",
        "team_colours": colours,
    }
    teams = create_open(6, "six-teams", **about)
    made = propose(teams, arbiter)
    assert (made.problem, pairs_of(teams, 1)) == ("", [(1, 4), (5, 2), (3, 6)])
    assert made.options["method"] == f"team-{colours or 'type-a'}".replace("team-none", "team-no-colours")
    assert [each["rule"] for each in made.pairs] == ["4.3.1"] * 3
