"""Pair the last rounds of real opens again, and compare with the actual pairings.

    python -m tools.agreement.pairings [DATA] [--drawn N]

For each report in DATA that gacrux considers correctly paired, the last three rounds are paired as on the
desk, in an event that our reader imported, and must equal the actual rounds. For other reports the first
difference and its reason are printed. The exit code is 1 if a pairing differs.

`--drawn`: also pair N random opens with late entries and postponed games. Each proposal must equal that of
the command PAIRING_COMMAND, if it is set. A command may follow the rules before 2026: rounds that differ by
one of these changes of C.04.3 are counted, if gacrux confirms it. When all results are known, gacrux must
pair each round of the event file as it was paired.
"""

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from uuid import uuid4

import django
from django.apps import apps
from django.conf import settings

if not apps.ready:  # when run as a command; tests have set Django up
    os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
    django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from gacrux.tiebreak import tiebreak

from tournaments.event.choices import ALONE, Kind
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import Competitor, Event, Job, Pairing, Proposal, Round
from tournaments.pairing import fide
from tournaments.pairing.engine import CheckedRound, EngineError, Method, PairingTask, ProposedPair
from tournaments.pairing.history import PlayHistory
from tournaments.pairing.process import ignore_progress, make_pairs
from tournaments.pairing.texts import why_otherwise
from tournaments.recording.competitors.participation import enter_late
from tournaments.recording.events.creation import create_event
from tournaments.recording.pairings.drafts import (
    ask_for_proposal,
    make_proposal,
    pair_of,
    stored_task,
    task_of,
)
from tournaments.recording.pairings.engine_checks import check_document_pairings
from tournaments.recording.pairings.unusual import read_histories
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import SAVED, enter
from tournaments.recording.rounds.publishing import publish_pairings
from tournaments.stored import stored

FOLDERS = ("trf/gbtami+swisspairing", "trf/OttoMilvang+TieBreakServer")
LAST = 3
"""Number of last rounds that are paired again."""


class Repaired(NamedTuple):
    """A round that was paired again: actual and computed pairs of numbers."""

    round: int
    played: frozenset[tuple[int, int | None]]
    proposed: frozenset[tuple[int, int | None]]
    problem: str

    @property
    def is_same(self) -> bool:
        return self.played == self.proposed


def stored_event(path: Path) -> Event:
    reading = read_report(path.read_bytes(), path.stem[:60].replace(".", "-").replace("_", "-").lower())
    if reading.accepted is None:
        raise ValueError(f"{path}: {reading.errors[0]}")
    event = apply(compare_with_stored(reading.accepted))
    Event.objects.filter(pk=event.pk).update(state=Event.State.LIVE)
    event.refresh_from_db()
    return event


def repaired(event: Event, by: User, last: int = LAST) -> Iterator[Repaired]:
    """Delete the pairings of the last rounds and pair them again, the last round first."""
    paired = Pairing.objects.filter(round__event=event, second__isnull=False)
    numbers = sorted(set(paired.values_list("round__number", flat=True)))[-last:]
    for number in reversed(numbers):
        event.rounds.filter(number__gt=number).delete()
        round_ = event.rounds.get(number=number)
        rows = round_.pairings.filter(kind__in=set(Kind) - {each for each in ALONE if each != Kind.BYE})
        played = frozenset(rows.values_list("first__number", "second__number"))
        rows.delete()
        _leave_out(round_, played)
        Round.objects.filter(pk=round_.pk).update(state=Round.State.DRAFT)
        event.rounds.filter(number__lt=number).update(state=Round.State.CLOSED)
        made = make_proposal(ask_for_proposal(event, by, number), by)
        Job.objects.all().delete()
        proposed = frozenset((each["white"], each["black"]) for each in made.pairs)
        yield Repaired(number, played, proposed, made.problem)


def _leave_out(round_: Round, played: frozenset[tuple[int, int | None]]) -> None:
    """Give a bye to competitors without an entry in the report for this round."""
    rows = list(round_.pairings.all())
    seated = {number for pair in played for number in pair} | {row.first.number for row in rows}
    table = max((row.table for row in rows), default=0) + 1000
    missing = round_.event.competitors.exclude(number__in=[each for each in seated if each])
    Pairing.objects.bulk_create(
        Pairing(round=round_, table=table + at, first=each, kind=Kind.ABSENT, first_score=0)
        for at, each in enumerate(missing)
    )


# --- random opens -----------------------------------------------------------------------------------------


Pairs = set[tuple[int, ...]]


def numbers_of(pairs: Iterable[ProposedPair]) -> Pairs:
    return {each.numbers for each in pairs}


def numbers_by_command(task: PairingTask) -> Pairs:
    return numbers_of(make_pairs(replace(task, method=Method.COMMAND)).pairs)


def numbers_by_floats_before_2026(task: PairingTask) -> Pairs:
    """Pair a round with gacrux, but with a downfloat for every round that a player did not play (A.4.b)."""
    compute = tiebreak.compute_flt

    def with_every_absence(self: tiebreak, tb: Any, cmps: dict[int, Any], rounds: int, rules: str) -> Any:
        absence = {"opponent": 0, "played": True}  # a round with points is a downfloat for gacrux

        def rounds_of(each: dict[str, Any]) -> dict[int, Any]:
            return {at: one if one["played"] else {**one, **absence} for at, one in each["rsts"].items()}

        histories = {number: {**each, "rsts": rounds_of(each)} for number, each in cmps.items()}
        return compute(self, tb, histories, rounds, rules)

    with mock.patch.object(tiebreak, "compute_flt", with_every_absence):
        return numbers_of(each.renumbered(task.start_number) for each in fide.pair(task, ignore_progress))


def are_colours_by_number(
    task: PairingTask, ours: Sequence[ProposedPair], theirs: Pairs, histories: Mapping[int, PlayHistory]
) -> bool:
    """Return whether only colours differ, and the command took the lower number for the higher rank.

    By C.04.3, 1.2 the score decides the rank first.
    """
    if {frozenset(each.numbers) for each in ours} != set(map(frozenset, theirs)):
        return False
    paired_as = {number: int(paired) for paired, number in task.start_numbers.items()}
    for each in ours:
        by_number = sorted(each.numbers, key=lambda number: paired_as.get(number, number))
        by_score = sorted(by_number, key=lambda number: -histories[number].pairing_score)
        if each.numbers not in theirs and (each.rule not in {"E.4", "E.5"} or by_score == by_number):
            return False
    return True


class DrawnOpen:
    """A random open, determined by its number, that is paired and played at the desk."""

    def __init__(self, number: int, by: User) -> None:
        self.dice, self.by = random.Random(number), by
        self.counted: Counter[str] = Counter()
        self.event = create_event(f"drawn-{number}", f"Drawn {number}", "chess", "players", "swiss", by)
        about = {"planned_rounds": self.dice.randint(3, 5), "initial_colour": "white", "state": "live"}
        Event.objects.filter(pk=self.event.pk).update(system="fide-swiss", **about)
        self.event.refresh_from_db()
        Competitor.objects.bulk_create(
            Competitor(event=self.event, number=at, name=f"Player {at}", rating=2600 - 20 * at)
            for at in range(1, self.dice.randint(10, 16))
        )

    def differences(self) -> Iterator[str]:
        """Play the open, and yield a text for each pairing that differs."""
        for number in range(1, self.event.planned_rounds + 1):
            if number in {2, 3} and self.dice.random() < 0.5:
                enter_late(
                    self.event, number, self.by, name=f"Late {number}", rating=self.dice.randint(2200, 2600)
                )
                self.counted["late entries"] += 1
            made = make_proposal(ask_for_proposal(self.event, self.by), self.by)
            Job.objects.all().delete()
            if made.problem:
                yield f"round {number}: {made.problem}"
                return
            self.counted["rounds"] += 1
            yield from self._second_engine(made)
            publish_pairings(self.event.rounds.get(number=number), self.by)
            self._play(delays=True)
        self._play(delays=False)
        document = read(write(stored(self.event).document).encode()).accepted
        if document is None:
            yield "the event file is refused"
            return
        for each in check_document_pairings(self.event, document)[1]:
            if not each.agrees:
                yield difference_text(each, is_team=False)

    def _second_engine(self, made: Proposal) -> Iterator[str]:
        if not settings.PAIRING_COMMAND:
            return
        task = stored_task(made)
        ours, theirs = numbers_of(map(pair_of, made.pairs)), numbers_by_command(task)
        if ours == theirs:
            self.counted["rounds paired in the same way by the command"] += 1
        elif are_colours_by_number(
            task, list(map(pair_of, made.pairs)), theirs, read_histories(self.event, task.round)
        ):
            self.counted["that differ by colours (1.2)"] += 1
        elif theirs == numbers_by_floats_before_2026(task):
            self.counted["that differ by the floats (1.4.3)"] += 1
        elif criterion := self._criterion_of_bye(task.round, ours, theirs):
            self.counted[f"that differ by the bye ({criterion})"] += 1
            yield from self._without_bye(made.round, ours)
        else:
            yield f"round {task.round}: gacrux {sorted(ours - theirs)}, the command {sorted(theirs - ours)}"

    def _criterion_of_bye(self, number: int, ours: Pairs, theirs: Pairs) -> str:
        """Return the criterion of 2026 about the bye that may be the reason; blank if there is none.

        C5 and C9 prefer our player. C8: the same player, but the brackets before leave the player out.
        """
        [[our], [their]] = ([each[0] for each in pairs if len(each) == 1] or [0] for pairs in (ours, theirs))
        histories = read_histories(self.event, number)
        if not {our, their} <= histories.keys():
            return ""
        if our == their:
            return "C8"
        scores = [histories[each].pairing_score for each in (our, their)]
        unplayed = [histories[each].colours.count("-") for each in (our, their)]
        if scores[0] != scores[1]:
            return "C5" if scores[0] < scores[1] else ""
        return "C9" if unplayed[0] < unplayed[1] else ""

    def _without_bye(self, round_: Round, ours: Pairs) -> Iterator[str]:
        """Compare the pairs of a round if the player with our bye is left out."""
        paired = {number for pair in ours for number in pair if len(pair) > 1}
        task = task_of(round_, Method.DUTCH, paired)
        ours, theirs = numbers_of(make_pairs(task).pairs), numbers_by_command(task)
        if theirs not in (ours, numbers_by_floats_before_2026(task)):
            pairs = f"gacrux {sorted(ours - theirs)}, the command {sorted(theirs - ours)}"
            yield f"round {task.round} without the bye: {pairs}"

    def _play(self, *, delays: bool) -> None:
        texts = ("1-0", "½-½", "0-1", *(("p", "j") if delays else ()))
        for row in Pairing.objects.filter(round__event=self.event, kind=Kind.PENDING):
            text = self.dice.choices(texts, (4, 3, 4, 1, 1)[: len(texts)])[0]
            self.counted["postponed and adjourned games"] += text in {"p", "j"} and not row.delayed
            [outcome] = enter(
                self.event, [SubmittedResult(uuid4(), row.pk, None, text, row.version)], self.by
            )
            if outcome.state != SAVED:
                raise ValueError(outcome.message)


def compare_drawn(opens: int) -> bool:
    """Pair random opens, print the differences and the engines, and return whether there are none."""
    call_command("migrate", verbosity=0)
    by, _is_new = User.objects.get_or_create(username="agreement", defaults={"is_superuser": True})
    counted, different = Counter[str](), 0
    for number in range(opens):
        drawn = DrawnOpen(number, by)
        for difference in drawn.differences():
            print(f"drawn open {number}: {difference}")
            different += 1
        counted += drawn.counted
    command = settings.PAIRING_COMMAND
    second = command or "no second one, because PAIRING_COMMAND is not set"
    print(", ".join(f"{count:,} {what}" for what, count in counted.items()), f"in {opens:,} drawn opens.")
    print(
        f"Engines: gacrux and {second}. Proposed pairings, and again from the event file: {different} differ."
    )
    return not different


# --- command ----------------------------------------------------------------------------------------------


def reports_of(data: Path) -> list[Path]:
    """Return the reports of events that were, or may have been, paired by FIDE's rules."""
    found = [path for folder in FOLDERS for path in sorted((data / folder).glob("*.trf"))]
    return [path for path in found if "round_robin" not in path.name]


def compare_report(path: Path, by: User) -> bool:
    """Pair a report again, print the result, and return whether a correct pairing was reproduced."""
    try:
        event = stored_event(path)
        checked = check_document_pairings(event, stored(event).document)[1]
    except (ValueError, EngineError) as refused:
        print(f"{path.name}: refused, {refused}")
        return True
    agreeing = sum(each.agrees for each in checked)
    if agreeing < len(checked):
        first = next(each for each in checked if not each.agrees)
        print(f"{path.name}: {agreeing} of {len(checked)} rounds; {difference_text(first, event.is_team)}")
        return True
    rounds = list(repaired(event, by))
    same = sum(each.is_same for each in rounds)
    print(
        f"{path.name}: {agreeing} of {len(checked)} rounds; proposed again: {same} of {len(rounds)} the same"
    )
    for each in rounds:
        if not each.is_same:
            played, proposed = (sorted(some, key=str) for some in (each.played, each.proposed))
            print(f"  round {each.round}: {played}, proposed {proposed} {each.problem}")
    return same == len(rounds)


def difference_text(checked: CheckedRound, is_team: bool) -> str:
    pairs = [each and "-".join(map(str, each.numbers)) for each in (checked.pair, checked.engine)]
    reason = why_otherwise(checked, is_team=is_team) or "-"
    return f"first in round {checked.round}: played {pairs[0]}, gacrux {pairs[1]} ({reason})"


def compare_pairings(data: Path) -> bool:
    """Pair every report of a folder again, print the results, and return whether all correct ones agree."""
    call_command("migrate", verbosity=0)
    by, _is_new = User.objects.get_or_create(username="agreement")
    compared = [compare_report(path, by) for path in reports_of(data)]
    return all(compared)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.agreement.pairings", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("data", metavar="DATA", nargs="?", type=Path, help="a folder with trf")
    parser.add_argument("--drawn", metavar="N", type=int, default=0, help="random opens")
    options = parser.parse_args()
    if options.data is None and not options.drawn:
        parser.error("name a folder, or --drawn N")
    agreed = options.data is None or compare_pairings(options.data)
    return 0 if (not options.drawn or compare_drawn(options.drawn)) and agreed else 1


if __name__ == "__main__":
    sys.exit(main())
