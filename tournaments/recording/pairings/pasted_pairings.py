"""Parse typed or pasted pairings: two numbers or names per line, a bye by its key."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.event.choices import Kind
from tournaments.event.numbers import whole_number
from tournaments.event.resultcodes import ResultError, read_round_off
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.recording.pairings.by_hand import Seats, competitors_by_number, seats_at
from tournaments.recording.refusal import Refused

ROUNDS_OFF = {
    Kind.BYE: gettext_lazy("bye"),
    Kind.HALF_BYE: gettext_lazy("half-point bye"),
    Kind.ZERO_BYE: gettext_lazy("zero-point bye"),
    Kind.ABSENT: gettext_lazy("absent"),
}
"""Names of rounds without an opponent."""

HIGHEST_TABLE = 9_999
_NUMBERED = re.compile(r"(\d{1,5})(?:\s++(.*))?")
_TWO_NUMBERS = re.compile(r"(\d++)(?:\s*+[-‐‑‒–—:]|(?=\s))\s*+(\d++)")
_TWO_NAMES = re.compile(r"(.+?)(?<!\s)\s++[-‐‑‒–—:]\s++(.+)", re.DOTALL)
_ROUND_OFF = re.compile(r"(.*\S)\s++(\S++)")
_COUNT = re.compile(r"\d{1,5}")
_UNPAIR = re.compile(r"[×✕*]\s*+(.+)|[xX]\s++(.+)|(.+)[×✕*]|(.+)\s[xX]")
LONGEST_NAMES = 12
_ENGINE_LINE = re.compile(r"(\d{1,5})\s+(\d{1,5})")


@dataclass(frozen=True, slots=True)
class TypedPairing:
    """A typed line. `number` counts from 1. A blank `table` means the next free table."""

    number: int
    first: str
    second: str
    table: str = ""


@dataclass(frozen=True, slots=True)
class ReadPairing:
    """A parsed line. `words`: description of the seats. `fault`: what is wrong with the line.

    `is_stored`: the same pairing exists already, for example if a form is sent twice.
    """

    typed: TypedPairing
    seats: Seats | None = None
    words: str = ""
    fault: str = ""
    is_stored: bool = False


def read_pairings(round_: Round, text: str) -> list[ReadPairing]:
    """Parse a pasted block: `12-7`, `3;12-7` for table 3, `5 bye`. Two queries.

    Names may replace numbers, separated by a tab, a semicolon or a dash between blanks. The output of a
    pairing engine is accepted too: the number of pairings, then `white black` on each line, `9 0` for the
    bye of 9.
    """
    numbered = ((number, line.strip()) for number, line in enumerate(text.splitlines(), start=1))
    lines = [(number, line) for number, line in numbered if line]
    # bbpPairings and JaVaFo write the number of pairings first. A single number is an unfinished name.
    if lines and _COUNT.fullmatch(lines[0][1]) and len(lines) > 1:
        return _read_engine_output(round_, lines)
    seated = read_typed_pairings(round_, [_split_line(number, line) for number, line in lines])
    return [
        ReadPairing(each.typed, fault=fault) if (fault := _ambiguity(line)) else each
        for each, (_number, line) in zip(seated, lines, strict=True)
    ]


def _read_engine_output(round_: Round, lines: Sequence[tuple[int, str]]) -> list[ReadPairing]:
    (at, count), *rest = lines
    odd = next((line for _, line in rest if not _ENGINE_LINE.fullmatch(line)), "")
    seated = read_typed_pairings(round_, [_engine_pairing(number, line) for number, line in rest])
    values = {"count": count, "lines": len(rest), "text": odd}
    if odd:
        fault = _(
            "“%(count)s” is not a pairing. “%(text)s” is not a line of a pairing engine's output either."
        )
    elif int(count) != len(rest):
        fault = _("The output announces %(count)s pairings, but %(lines)s follow. Paste the complete output.")
    else:
        return seated
    return [ReadPairing(TypedPairing(at, count, ""), fault=fault % values), *seated]


def _engine_pairing(number: int, line: str) -> TypedPairing:
    found = _ENGINE_LINE.fullmatch(line)
    if found is None:
        return _split_line(number, line)
    return TypedPairing(number, found[1], found[2] if int(found[2]) else Kind.BYE.value)


def _ambiguity(line: str) -> str:
    found = _ENGINE_LINE.fullmatch(line)
    if found is None or int(found[2]):
        return ""
    return _(
        "“%(text)s” may be a bye or no points. Write “%(who)s bye” or “%(who)s 0bye”, or paste the "
        "complete output of the engine, with the number of pairings in its first line."
    ) % {"text": line, "who": found[1]}


def read_typed_pairings(round_: Round, typed: Sequence[TypedPairing]) -> list[ReadPairing]:
    """Parse lines for free tables of a round. Two queries."""
    hall = _Seats(round_)
    return [hall.seat(each) for each in typed]


def read_command(event: Event, members: Mapping[int, Competitor], text: str) -> Seats:
    """Parse `12 7`, `3;12-7`, `ann bea`, `12 bye`, and `12 ×` or `12 x` to unpair. No query.

    A competitor who is to be unpaired has no opponent and no kind of the round off.
    Raise Refused if the text is none of these or a competitor is not found.
    """
    if parting := _UNPAIR.fullmatch(text.strip()):
        return Seats(find_competitor(members, next(filter(None, parting.groups())).strip()).number)
    if not text.strip():
        raise Refused(_("No players entered. Type two numbers or names, such as 12 7."))
    typed = _split_line(1, text.strip())
    if not typed.second.strip():
        who = number_and_name(find_competitor(members, typed.first))
        raise Refused(
            _("The opponent of %(who)s is missing. Type a second number or name, or bye, or ×.")
            % {"who": who}
        )
    seats = _seats_from_names(event, members, typed)
    return replace(seats, table=_typed_table(typed.table.strip()))


def _typed_table(text: str) -> int | None:
    table = whole_number(text, HIGHEST_TABLE)
    if text and not table:
        raise Refused(_("“%(text)s” is not a table. Type its number, or leave it empty.") % {"text": text})
    return table


def _seats_from_names(event: Event, members: Mapping[int, Competitor], typed: TypedPairing) -> Seats:
    try:
        return new_pairing_of(event, members, typed.first, typed.second)
    except Refused:
        words = f"{typed.first} {typed.second}".split()
        found = list[Seats]()
        # Long names have about five words, and every split is compared with all competitors.
        for at in range(1, min(len(words), LONGEST_NAMES)):
            with suppress(Refused):
                found.append(new_pairing_of(event, members, " ".join(words[:at]), " ".join(words[at:])))
        if len(found) != 1 or typed.first.strip().isdecimal():
            raise
        return found[0]


def new_pairing_of(event: Event, members: Mapping[int, Competitor], first: str, second: str) -> Seats:
    """Return the competitors meant by the two sides. Raise Refused if a side matches none or several."""
    one = find_competitor(members, first)
    if kind := _round_off(event, second):
        return Seats(one.number, None, kind)
    other = find_competitor(members, second)
    if one == other:
        raise Refused(_("%(who)s cannot sit on both sides.") % {"who": number_and_name(one)})
    return Seats(one.number, other.number)


def find_competitor(members: Mapping[int, Competitor], text: str) -> Competitor:
    """Return the competitor with that number, or the only one with that name, code or part of a name."""
    query = fold_text(text)
    if not query:
        raise Refused(_("A player is missing. Type a number or a name for both sides, or bye."))
    # A full name wins over a part of other names: “Jan” is Jan even if a Jansen plays.
    exact = [
        each
        for each in members.values()
        if query in {fold_text(name) for name in (each.name, each.code, number_and_name(each)) if name}
    ]
    found = exact or [each for each in members.values() if query in fold_text(each.name)]
    # A number is a start number, even if a name has digits.
    if query.isdecimal() or (not found and _NUMBERED.fullmatch(query)):
        number, _blank, name = query.partition(" ")
        numbered = members.get(int(number)) if len(number) <= 5 else None
        if numbered is None:
            raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": number})
        if name and name not in fold_text(numbered.name):
            raise Refused(_("Competitor %(number)s is %(name)s.") % {"number": number, "name": numbered.name})
        return numbered
    if not found:
        raise Refused(
            _("“%(text)s” is not a competitor here. Type the number or the name.") % {"text": text.strip()}
        )
    if len(found) > 1:
        # Four names show well enough what to type.
        names = ", ".join(number_and_name(each) for each in found[:4])
        raise Refused(
            _("“%(text)s” may be %(names)s. Type the number.") % {"text": text.strip(), "names": names}
        )
    return found[0]


def number_and_name(competitor: Competitor) -> str:
    return f"{competitor.number} {competitor.name}"


def sides_text(pairing: Pairing) -> tuple[str, str]:
    if pairing.second:
        return number_and_name(pairing.first), number_and_name(pairing.second)
    return number_and_name(pairing.first), str(ROUNDS_OFF[Kind(pairing.kind)])


# --- lines in order ---------------------------------------------------------------------------------------


class _Seats:
    """Occupied seats and tables: those of the round and of the lines before."""

    def __init__(self, round_: Round) -> None:
        self.event, self.members = round_.event, competitors_by_number(round_.event)
        self.rows = {row.table: row for row in round_.pairings.select_related("first", "second")}
        self.tables = set(self.rows)
        self.table_of = {each: row.table for row in self.rows.values() for each in seats_at(row).numbers}

    def seat(self, typed: TypedPairing) -> ReadPairing:
        try:
            seats = new_pairing_of(self.event, self.members, typed.first, typed.second)
            if stored := self._stored(seats, typed.table):
                return ReadPairing(typed, seats, self._words(seats, stored.table), is_stored=True)
            self._refuse_seated(seats)
            table = self._table(typed.table)
        except Refused as fault:
            return ReadPairing(typed, fault=str(fault))
        self.tables.add(table)
        self.table_of |= dict.fromkeys(seats.numbers, table)
        return ReadPairing(typed, replace(seats, table=table), self._words(seats, table))

    def _stored(self, seats: Seats, table: str) -> Pairing | None:
        row = self.rows.get(self.table_of.get(seats.first, 0))
        if row is None or table.strip() not in {"", str(row.table)}:
            return None
        return row if seats_at(row).same_people(seats) else None

    def _refuse_seated(self, seats: Seats) -> None:
        for number in seats.numbers:
            if number in self.table_of:
                values = {"who": number_and_name(self.members[number]), "table": self.table_of[number]}
                raise Refused(_("%(who)s sits at table %(table)s already.") % values)

    def _table(self, text: str) -> int:
        table = _typed_table(text.strip())
        if table is None:
            return max(self.tables, default=0) + 1
        if row := self.rows.get(table):
            values = {"table": table, "who": " – ".join(sides_text(row))}
            raise Refused(_("Table %(table)s is taken: %(who)s. Choose another one.") % values)
        if table in self.tables:
            raise Refused(
                _("Table %(table)s is already used in a line above. Choose another one.") % {"table": table}
            )
        return table

    def _words(self, seats: Seats, table: int) -> str:
        first = number_and_name(self.members[seats.first])
        if seats.second is None:
            off = {"table": table, "first": first, "kind": ROUNDS_OFF[Kind(seats.kind)]}
            return _("Table %(table)s: %(first)s, %(kind)s") % off
        values = {"table": table, "first": first, "second": number_and_name(self.members[seats.second])}
        return _("Table %(table)s: %(first)s against %(second)s") % values


# --- parts of a line --------------------------------------------------------------------------------------


def _split_line(number: int, line: str) -> TypedPairing:
    parts = [part.strip() for part in re.split(r"[;\t]", line)]
    if len(parts) >= 3:
        return TypedPairing(number, parts[1], parts[2], parts[0])
    if len(parts) == 2 and not (parts[0].isdecimal() and _split_pair(parts[1])):
        return TypedPairing(number, parts[0], parts[1])
    pair = _split_pair(parts[-1]) or (parts[-1], "")
    return TypedPairing(number, *pair, parts[0] if len(parts) == 2 else "")


def _split_pair(text: str) -> tuple[str, str] | None:
    # Single blanks, so that the patterns below cannot backtrack over runs of blanks.
    text = " ".join(text.split())
    # Numbers first: `5-7` is two competitors, though it also matches a name with a dash.
    found = _TWO_NUMBERS.fullmatch(text) or _TWO_NAMES.fullmatch(text) or _ROUND_OFF.fullmatch(text)
    return (found[1], found[2]) if found else None


def _round_off(event: Event, text: str) -> str:
    stripped = text.strip()
    names = ((kind, {kind.value, fold_text(str(name))}) for kind, name in ROUNDS_OFF.items())
    kind_named = next((kind for kind, words in names if fold_text(stripped) in words), None)
    # Any number except 0 is a competitor; 0 is read as the points of a bye.
    if kind_named or not stripped or (stripped.isdecimal() and int(stripped[:6])):
        return kind_named or ""
    try:
        return read_round_off(stripped, event).kind
    except ResultError:
        return ""


def fold_text(text: str) -> str:
    """Return the text in lower case, without diacritics and with single blanks."""
    # Arbiters type Muller for Müller and Łukasz from a sheet without diacritics.
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(
        "".join(character for character in decomposed if not unicodedata.combining(character)).split()
    )
