"""Records `299`: points that differ from the scoring, and bonus and penalty points.

A record with a letter gives the points of a result, in a round of a competitor or in general. A record
without a letter is a bonus or penalty, which counts from its round on; those of round 999 count only in the
final standings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.event.document import EventEntry, PairingEntry, PointsAdjustment
from tournaments.event.finding import warning
from tournaments.event.scores import own_match_points, pairing_fault
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.trf.cells import CODE_ALONE, DECIDED, FULL_POINT
from tournaments.interchange.formats.trf.report_lines import ReportLine, reported_half_points, whole

FINAL_ROUND = 999
_CODES = frozenset("WDLFHZ+-")


@dataclass(frozen=True, slots=True)
class AbnormalPoints:
    """A record, in half-points of the report.

    `code`: blank for a bonus or penalty. `round`: 0 for all rounds. `numbers`: empty for all competitors.
    """

    line: ReportLine
    code: str
    match: int | None
    game: int | None
    round: int
    numbers: tuple[int, ...]

    @property
    def is_of_a_result(self) -> bool:
        """Return whether the record names a round and a result of a competitor."""
        return bool(self.code and self.round and self.numbers)

    def concerns(self, round_: int, number: int, code: str) -> bool:
        """Return whether the record gives the points of a result. `round_` is from 1."""
        if self.round not in {0, round_} or (self.numbers and number not in self.numbers):
            return False
        # If a single result is named, the record also decides its code.
        return self.is_of_a_result or self.code == code


@dataclass
class AbnormalRecords:
    """All records `299` of a report.

    `in_fields`: the lines whose contents are in fields.
    """

    listed: list[AbnormalPoints] = field(default_factory=list)
    log: Log = field(default_factory=Log)
    win: int = 2  # half-points of a win in the report
    in_fields: set[int] = field(default_factory=set)
    applied: set[int] = field(default_factory=set)  # numbers of lines

    # --- results ------------------------------------------------------------------------------------------

    def awarded(self, event: EventEntry, round_: int, pairings: Iterable[PairingEntry]) -> list[PairingEntry]:
        if not any(each.code for each in self.listed):
            return [*pairings]
        return [self._pairing(event, round_, each) for each in pairings]

    def _pairing(self, event: EventEntry, round_: int, pairing: PairingEntry) -> PairingEntry:
        for side, (number, code) in enumerate(zip(pairing.numbers, _codes_of(pairing), strict=False)):
            for each in self.listed:
                if each.code and code and each.concerns(round_, number, code):
                    pairing = self._given(event, pairing, side, each)
        return pairing

    def _given(
        self, event: EventEntry, pairing: PairingEntry, side: int, record: AbnormalPoints
    ) -> PairingEntry:
        game = self._scaled(event, record.game)
        # The score of a match is that of its boards, which have their own points.
        is_of_boards = bool(pairing.games)
        own = (pairing.first_score, pairing.second_score)[side]
        match = record.match if event.is_team else None
        found = _with_abnormal_points(event, pairing, side, None if is_of_boards else game, match)
        if found is None or (is_of_boards and game not in {None, own}):
            self._refuse(record)
        elif event.is_team and record.is_of_a_result:
            self.in_fields.add(record.line.number)
        self.applied.add(record.line.number)
        return found or pairing

    def tell_unapplied(self) -> None:
        for each in self.listed:
            if each.is_of_a_result and each.line.number not in self.applied:
                self._refuse(each)

    def _scaled(self, event: EventEntry, points: int | None) -> int | None:
        if points is None:
            return None
        scaled = abs(points) * event.game_win // self.win
        return scaled if points >= 0 else -scaled

    # --- bonus and penalty points -------------------------------------------------------------------------

    def adjustments(
        self, event: EventEntry, numbers: Iterable[int]
    ) -> Mapping[int, tuple[PointsAdjustment, ...]]:
        """Return bonus and penalty points by number of the competitor."""
        found: dict[int, tuple[PointsAdjustment, ...]] = dict.fromkeys(numbers, ())
        for each in self.listed:
            if each.code:
                continue
            match = (each.match or 0) if event.is_team else 0
            game = self._scaled(event, each.game) or 0
            is_final = each.round == FINAL_ROUND
            is_within = is_final or each.round <= event.planned_rounds
            if not (match or game) or not each.numbers or not is_within or set(each.numbers) - found.keys():
                self._refuse(each)
                continue
            points = PointsAdjustment(
                round=0 if is_final else each.round, game=game, match=match, final=is_final, reason=""
            )
            for number in each.numbers:
                found[number] += (points,)
            self.in_fields.add(each.line.number)
        return found

    def beside_results(self, number: int) -> tuple[int, int]:
        """Return game points and match points of bonuses and penalties, in half-points of the report."""
        own = [each for each in self.listed if not each.code and number in each.numbers]
        return sum(each.game or 0 for each in own), sum(each.match or 0 for each in own)

    def _refuse(self, record: AbnormalPoints) -> None:
        text = "These points are not supported; the line is kept. Correct the results by hand."
        finding = warning("points-not-counted", record.line.place, text)
        if finding not in self.log.findings:
            self.log.findings.append(finding)
        self.in_fields.discard(record.line.number)


def abnormal_of(lines: Sequence[ReportLine], win: int, log: Log) -> AbnormalRecords:
    """Return the records `299`, with a warning for invalid ones. `win`: half-points of a win."""
    records = AbnormalRecords(log=log, win=win)
    for line in lines:
        text = line.text
        code, round_ = text[4:5].strip().upper(), whole(text[19:22]) if text[19:22].strip() else 0
        numbers = [whole(text[at : at + 4]) for at in range(23, len(text), 5) if text[at : at + 4].strip()]
        match, game = reported_half_points(text[7:11]), reported_half_points(text[13:17])
        if (code and code not in _CODES) or round_ is None or None in numbers or match is game is None:
            text = "This record of points cannot be read; the line is kept but does not count. Correct it."
            log.findings.append(warning("points-not-counted", line.place, text))
            continue
        known = tuple(each for each in numbers if each)
        records.listed.append(AbnormalPoints(line, code, match, game, round_, known))
    return records


def _codes_of(pairing: PairingEntry) -> Iterator[str]:
    scores = pairing.first_score, pairing.second_score
    for own, other in (scores, scores[::-1]):
        if pairing.second is None:
            yield "F" if pairing.note == FULL_POINT else CODE_ALONE.get(pairing.kind, "")
        elif own is None or other is None:
            yield ""
        elif pairing.kind == "forfeit":
            yield "+" if own > other else "-"
        else:
            yield "W" if own > other else "D" if own == other else "L"


def _with_abnormal_points(
    event: EventEntry, pairing: PairingEntry, side: int, game: int | None, match: int | None
) -> PairingEntry | None:
    # None as points: unchanged; as the result: impossible
    scores = [pairing.first_score, pairing.second_score]
    given = [pairing.first_match_points, pairing.second_match_points]
    note = pairing.note
    if game is not None and game != scores[side]:
        scores[side] = game
        # A sum of points other than that of a game is a decision of the arbiter.
        note = note if event.is_team or pairing.second is None else note or DECIDED
    points: tuple[int | None, int | None] = (None, None)
    if event.is_team:
        given[side] = given[side] if match is None else match
        points = own_match_points(event, pairing.kind, (scores[0], scores[1]), (given[0], given[1]))
    awarded = replace(
        pairing,
        first_score=scores[0],
        second_score=scores[1],
        first_match_points=points[0],
        second_match_points=points[1],
        note=note,
    )
    is_too_much = match is not None and not 0 <= match <= event.match_win
    is_too_little = min(each for each in scores if each is not None) < 0
    return None if is_too_much or is_too_little or pairing_fault(event, awarded, note) else awarded
