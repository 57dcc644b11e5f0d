"""Lines without a field in an event: stored with it, and written back (ADR 0029).

Of a record that is also generated, only the columns without a field are stored. They are laid over the
generated record.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from tournaments.event.document import Document, EventEntry
from tournaments.interchange.formats.trf.comments import START
from tournaments.interchange.formats.trf.identities import fide_id_of_columns, is_national, sex_of
from tournaments.interchange.formats.trf.records import PlayerRecord, TeamRecord
from tournaments.interchange.formats.trf.report_lines import COMMENT, ReportLine, whole
from tournaments.interchange.formats.trf.settings import Settings
from tournaments.interchange.formats.trf.tie_breaks import TAGS, are_outdated, are_said
from tournaments.interchange.formats.trf.tournament_lines import said_by_fields, text_at_columns, usual_lines

COVERED = frozenset((
    "001", "012", "013", "022", "032", "042", "052", "062", "072", "082", "102", "112", "122", "132", "142",
    "152", "162", "222", "240", "250", "260", "300", "310", "320", "330", "362", "801", "802", "XXC", "XXP",
    "XXR", "XXS",
))  # fmt: skip
"""Tags of records that are in fields or repeat others: generated, not preserved."""

PARTLY = frozenset({"001", "310"})  # tags of records that are preserved in part

# tags of records that end with a list of competitors, and the columns before the list
LISTING = {"XXP": 3, "260": 11, "299": 22, "013": 36}

_LISTED = re.compile("(?<! ) ++[0-9]++(?= |$)")
Numbers = Mapping[int, int]


def preserved_lines(
    lines: Iterable[ReportLine],
    settings: Settings,
    players: Iterable[PlayerRecord],
    teams: Iterable[TeamRecord],
    renumbered: Numbers,
    event: EventEntry,
    in_fields: Collection[int] = (),
) -> tuple[str, ...]:
    """Return the lines of a file without fields.

    `renumbered`: new numbers of teams' players. `in_fields`: lines that are in fields, whatever their tag.
    """
    # Records that were not read completely are preserved unchanged, so that no data is lost.
    odd = {line.number for line in (*settings.odd_points, *settings.not_taken)}
    covered = COVERED if event.is_team else COVERED - {"013"}
    usual = usual_lines(event)
    whole_lines = [
        _renumbered_line(line, renumbered)
        for line in lines
        if not line.text.startswith(START)
        and line.text not in usual
        and line.number not in in_fields
        and (line.tag not in covered or line.number in odd)
        and not (line.tag in TAGS and are_said(line.text, event))
    ]
    comments, records, others = _sorted_out(whole_lines)
    in_part = [_player_columns(each, renumbered, is_team=event.is_team) for each in players]
    in_part += [
        text_at_columns("310", ((4, f"{each.number:3d}"), (47, each.strength.rjust(6)))) for each in teams
    ]
    return (
        *comments,
        *sorted(records, key=section),
        *others,
        *sorted(each for each in in_part if len(each) > 8),
    )


def _player_columns(player: PlayerRecord, renumbered: Numbers, *, is_team: bool) -> str:
    number = renumbered.get(player.number, player.number)
    sex = "" if sex_of(player.sex) else player.sex
    fide_id = (
        ""
        if fide_id_of_columns(player.fide_id) or not player.fide_id.strip("0")
        else player.fide_id.rjust(11)
    )
    code = player.federation if is_team else ""
    return text_at_columns("001", ((4, f"{number:4d}"), (9, sex), (53, code), (57, fide_id)))


def _renumbered_line(line: ReportLine, renumbered: Numbers) -> str:
    number = whole(line.text[4:8]) if is_national(line.tag) else None
    if number is None or number not in renumbered:
        return line.text
    return f"{line.text[:4]}{renumbered[number]:4d}{line.text[8:]}"


def renumbered_lines(lines: Iterable[str], numbers: Numbers, *, is_team: bool) -> list[str]:
    """Return the preserved lines of an event whose competitors get other numbers.

    In a team event these are the numbers of the teams; players are numbered by their position.
    """
    return [_of_competitor(line, numbers, is_team=is_team) for line in lines]


def _of_competitor(text: str, numbers: Numbers, *, is_team: bool) -> str:
    tag = ReportLine(0, text).tag
    if tag in LISTING:
        return _renumbered_from(text, LISTING[tag], numbers)
    # The number of `XXA` is followed by points, which look like numbers.
    if tag == "XXA":
        return _renumbered_from(text[:8], 3, numbers) + text[8:]
    if is_team:
        end, names = 7, tag == "310"
    else:
        end, names = 8, tag == "001" or is_national(tag)
    number = whole(text[4:end]) if names else None
    if number is None or number not in numbers:
        return text
    return f"{text[:4]}{numbers[number]:{end - 4}d}{text[end:]}"


def _renumbered_from(text: str, start: int, numbers: Numbers) -> str:
    def new(found: re.Match[str]) -> str:
        number = int(found[0])
        return f" {numbers[number]}".rjust(len(found[0])) if number in numbers else found[0]

    return text[:start] + _LISTED.sub(new, text[start:])


# --- writing ----------------------------------------------------------------------------------------------


def laid_over(lines: Sequence[str], preserved: Sequence[str]) -> list[str]:
    """Return the records, with preserved columns where they are blank."""
    partial = {line[:7] if line[:3] == "310" else line[:8]: line for line in preserved if line[:3] in PARTLY}
    laid = []
    for line in lines:
        under = partial.get(line[:7] if line[:3] == "310" else line[:8], "")
        # A column of the generated record is never replaced.
        pairs = zip(line.ljust(len(under)), under.ljust(len(line)), strict=True)
        laid.append("".join(own if own != " " else other for own, other in pairs).rstrip() if under else line)
    return laid


def preserved_of(document: Document) -> tuple[list[str], list[str], list[str]]:
    """Return the preserved lines of an event: comments, records, and lines without a tag."""
    comments, records, others = _sorted_out(document.event.trf)
    # Older events have lines instead of these fields until the fields are filled.
    said = said_by_fields(document.event)
    kept = [line for line in records if line[:3] not in PARTLY | said]
    return (
        comments,
        [line for line in kept if line[:3] not in TAGS or not are_outdated(line, document.event)],
        others,
    )


def _sorted_out(lines: Iterable[str]) -> tuple[list[str], list[str], list[str]]:
    comments: list[str] = []
    records: list[str] = []
    others: list[str] = []
    for text in lines:
        tag = ReportLine(0, text).tag
        is_record = bool(tag) and (tag.isdigit() or (tag.isalpha() and tag.isupper()))
        (comments if text.startswith(COMMENT) else records if is_record else others).append(text)
    return comments, records, others


def section(line: str) -> tuple[int, str]:
    """Return the sort key of a record: tournament, players, teams, others."""
    tag = line[:3]
    if tag.isdigit() and tag.endswith("2") and tag < "800":
        return 0, tag
    if tag.startswith("XX"):
        return 1, ""
    if tag == "001":
        return 2, ""
    return (3, "") if is_national(tag) else (4, "") if tag in {"013", "310"} else (5, tag)
