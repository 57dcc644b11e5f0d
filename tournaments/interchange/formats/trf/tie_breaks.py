"""Records `202` and `212`: the tie-breaks of an event in FIDE's codes, read and written.

`212` is the complete list of the standings, `202` the tie-breaks after the score. Reading ends at the first
unknown code, writing at the first criterion without a code, because later criteria would then separate other
competitors.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from standings.engine import SYSTEMS, UnknownCriterionError, get_criterion
from tournaments.event.document import EventEntry
from tournaments.event.finding import Finding, warning
from tournaments.event.rules import Rules
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.trf.report_lines import ReportLine

STANDINGS, TIES = "212", "202"
TAGS = (STANDINGS, TIES)

# criteria of this site that FIDE has by another name
CODES = {"total-score": "PTS", "match-points": "MPTS", "game-points": "GPTS"}

SCORES = frozenset(CODES.values())

_BETWEEN_CODES = re.compile("[,; ]+")
_UNRATED = re.compile("/U([1-9][0-9]{0,3})(?![0-9])", re.IGNORECASE)  # of FIDE's engine: ARO/U1400
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class TieBreaks:
    """The tie-breaks of a record: as criteria, with the codes that are used and unused.

    `tag`: of the record. `unrated`: the rating for unrated opponents in codes, or blank.
    """

    tag: str = STANDINGS
    criteria: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    unrated: str = ""

    def behind(self, score: str) -> "TieBreaks":
        """Return the tie-breaks with the score first, unless they have a score."""
        # A list without a score follows the score, because tie-breaks need one.
        has_score = self.criteria[:1] in ((score,), ("PTS",))
        if self.tag == STANDINGS:
            has_score = bool(SCORES.intersection(self.criteria))
        return self if has_score else replace(self, criteria=tuple(dict.fromkeys((score, *self.criteria))))


def tie_breaks_of(records: Mapping[str, Sequence[ReportLine]], score: str, log: Log) -> TieBreaks:
    """Return the tie-breaks of the records, empty without such a record.

    `score`: the code of the primary score, which `202` does not have.
    """
    lines = [line for tag in TAGS for line in records.get(tag, ()) if line.text[4:].strip()]
    if not lines:
        return TieBreaks()
    first, *others = [_read_tie_breaks(each.text).behind(score) for each in lines]
    if first.others:
        log.findings.append(_not_applied(lines[0], first.others))
    for line, other in zip(lines[1:], others, strict=True):
        if other.criteria != first.criteria:
            text = f"Line {lines[0].number} lists other tie-breaks, which count. Remove one of the two."
            log.findings.append(warning("tie-breaks-differ", line.place, text))
    return first


def _read_tie_breaks(text: str) -> TieBreaks:
    unrated = _UNRATED.search(text)
    codes = tuple(code for code in _BETWEEN_CODES.split(_UNRATED.sub("", text[4:].strip())) if code)
    criteria = [*takewhile(bool, map(_criterion_of_code, codes))]
    applied, others = codes[: len(criteria)], codes[len(criteria) :]
    listed = tuple(dict.fromkeys(criteria))
    return TieBreaks(text[:3], listed, applied, others, unrated[1] if unrated else "")


def _criterion_of_code(code: str) -> str:
    try:
        found = get_criterion(code)
    except UnknownCriterionError:
        return ""
    return found.code if found.is_fide else ""


def _not_applied(line: ReportLine, others: Sequence[str]) -> Finding:
    code, *behind = others
    reason = "it is no code of FIDE's."
    try:
        get_criterion(code)
    except UnknownCriterionError as unknown:
        reason = str(unknown) if len(str(unknown)) <= _LONGEST_REASON else reason
    nor = f", nor {', '.join(behind)} behind it" if behind else ""
    text = (
        f"The tie-break “{code}” is not applied{nor}: {reason} Those whom the criteria before it "
        "leave level share a place, and may differ from the ranks of the file."
    )
    return warning("unknown-tie-break", line.place, text)


# --- writing ----------------------------------------------------------------------------------------------


def tie_break_lines(event: EventEntry) -> Iterator[str]:
    """Yield `202` and `212` for the criteria of an event, up to the first without a code of FIDE."""
    codes = _codes_of_criteria(event)
    if codes:
        behind = codes[1:] if codes[0] in SCORES else []
        if behind:
            yield f"{TIES} {','.join(behind)}"
        yield f"{STANDINGS} {','.join(codes)}"


def _codes_of_criteria(event: EventEntry) -> list[str]:
    if event.system not in SYSTEMS:
        return []
    listed = Rules.of(event).ranking_system.criteria
    codes = [*takewhile(bool, (_criterion_of_code(each) or CODES.get(each, "") for each in listed))]
    return codes if any(map(_criterion_of_code, listed[: len(codes)])) else []


def are_said(text: str, event: EventEntry) -> bool:
    """Return whether the generated records contain all of a record of tie-breaks."""
    read = _read_tie_breaks(text)
    return _is_list_of(read, event) and not (read.others or read.unrated)


def are_outdated(text: str, event: EventEntry) -> bool:
    """Return whether a preserved record of tie-breaks differs from the current list of the event."""
    return bool(_codes_of_criteria(event)) and not _is_list_of(_read_tie_breaks(text), event)


def _is_list_of(tie_breaks: TieBreaks, event: EventEntry) -> bool:
    codes = _codes_of_criteria(event)
    return bool(codes) and tie_breaks.behind(codes[0]).criteria == tuple(codes)
