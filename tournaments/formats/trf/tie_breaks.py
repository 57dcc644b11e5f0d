"""The records `202` and `212`: the tie-breaks of an event by FIDE's codes, read into its criteria and back.

`212` is the list that makes the standings, `202` what breaks ties behind the score. Read, a list ends at the
first code that is unknown; written, at the first criterion that has no code. What follows it would part
competitors whom that one parts otherwise.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from standings.engine import SYSTEMS, UnknownCriterionError, get_criterion
from tournaments.event.document import EventEntry
from tournaments.event.finding import Finding, warning
from tournaments.event.rules import Rules
from tournaments.formats.log import Log
from tournaments.formats.trf.report_lines import ReportLine

STANDINGS, TIES = "212", "202"
TAGS = (STANDINGS, TIES)

CODES = {"total-score": "PTS", "match-points": "MPTS", "game-points": "GPTS"}
"""Our criteria that are one of FIDE's by another name."""

SCORES = frozenset(CODES.values())

_BETWEEN_CODES = re.compile("[,; ]+")
_UNRATED = re.compile("/U([1-9][0-9]{0,3})(?![0-9])", re.IGNORECASE)  # of FIDE's engine: ARO/U1400
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class TieBreaks:
    """The tie-breaks of a record: as criteria, and its codes that are applied and that are not.

    `tag` is that of the record; `unrated` the rating that codes give to who has none, blank where they give
    none.
    """

    tag: str = STANDINGS
    criteria: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    unrated: str = ""

    def behind(self, score: str) -> "TieBreaks":
        """Return the same with that score first, unless they have one."""
        # Nobody ranks by tie-breaks alone: a list without any score is one behind it, too.
        has_score = self.criteria[:1] in ((score,), ("PTS",))
        if self.tag == STANDINGS:
            has_score = bool(SCORES.intersection(self.criteria))
        return self if has_score else replace(self, criteria=tuple(dict.fromkeys((score, *self.criteria))))


def tie_breaks_of(records: Mapping[str, Sequence[ReportLine]], score: str, log: Log) -> TieBreaks:
    """Return the tie-breaks of the records; none where there is no such record.

    `score` is the code of the score that decides first, which `202` leaves out.
    """
    lines = [line for tag in TAGS for line in records.get(tag, ()) if line.text[4:].strip()]
    if not lines:
        return TieBreaks()
    first, *others = [_read(each.text).behind(score) for each in lines]
    if first.others:
        log.findings.append(_not_applied(lines[0], first.others))
    for line, other in zip(lines[1:], others, strict=True):
        if other.criteria != first.criteria:
            text = f"Line {lines[0].number} lists other tie-breaks, which count. Take one of the two out."
            log.findings.append(warning("tie-breaks-differ", line.place, text))
    return first


def _read(text: str) -> TieBreaks:
    """Return what a record of tie-breaks says."""
    unrated = _UNRATED.search(text)
    codes = tuple(code for code in _BETWEEN_CODES.split(_UNRATED.sub("", text[4:].strip())) if code)
    criteria = [*takewhile(bool, map(_criterion, codes))]
    applied, others = codes[: len(criteria)], codes[len(criteria) :]
    listed = tuple(dict.fromkeys(criteria))
    return TieBreaks(text[:3], listed, applied, others, unrated[1] if unrated else "")


def _criterion(code: str) -> str:
    """Return the code as it is stored, blank where it is none of FIDE's."""
    try:
        found = get_criterion(code)
    except UnknownCriterionError:
        return ""
    return found.code if found.is_fide else ""


def _not_applied(line: ReportLine, others: Sequence[str]) -> Finding:
    code, *behind = others
    nor = f", nor {', '.join(behind)} behind it" if behind else ""
    text = (
        f"The tie-break “{code}” is not applied{nor}: {_reason(code)} Those whom the criteria before it "
        "leave level share a place, and may differ from the ranks of the file."
    )
    return warning("unknown-tie-break", line.place, text)


def _reason(code: str) -> str:
    """Say why a code is none: that of the grammar where it knows the name."""
    try:
        get_criterion(code)
    except UnknownCriterionError as unknown:
        reason = str(unknown)
        if len(reason) <= _LONGEST_REASON:
            return reason
    return "it is no code of FIDE's."


# --- writing ----------------------------------------------------------------------------------------------


def tie_break_lines(event: EventEntry) -> Iterator[str]:
    """Yield `202` and `212` for the criteria of an event, down to the first that FIDE has no code for."""
    codes = _codes(event)
    if codes:
        behind = codes[1:] if codes[0] in SCORES else []
        if behind:
            yield f"{TIES} {','.join(behind)}"
        yield f"{STANDINGS} {','.join(codes)}"


def _codes(event: EventEntry) -> list[str]:
    """Return the codes that the list of an event begins with; none where no criterion is FIDE's."""
    if event.system not in SYSTEMS:
        return []
    listed = Rules.of(event).ranking_system.criteria
    codes = [*takewhile(bool, (_criterion(each) or CODES.get(each, "") for each in listed))]
    return codes if any(map(_criterion, listed[: len(codes)])) else []


def are_said(text: str, event: EventEntry) -> bool:
    """Say whether the records that are written for the event say all that one of tie-breaks does."""
    read = _read(text)
    return _is_list_of(read, event) and not (read.others or read.unrated)


def are_outdated(text: str, event: EventEntry) -> bool:
    """Say whether a preserved record of tie-breaks is not of the list that the event has by now."""
    return bool(_codes(event)) and not _is_list_of(_read(text), event)


def _is_list_of(tie_breaks: TieBreaks, event: EventEntry) -> bool:
    codes = _codes(event)
    return bool(codes) and tie_breaks.behind(codes[0]).criteria == tuple(codes)
