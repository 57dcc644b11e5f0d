"""The stored moves of a game: tags without a field of their own, then the movetext."""

import re
from collections.abc import Mapping
from itertools import takewhile

from tournaments.event.choices import TITLES
from tournaments.event.hiddensigns import holds_contact

MOST_SIGNS = 50_000
"""The maximum length of a game. A game of 200 moves with clocks and evaluations has some 15,000."""

TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
"""A tag of PGN or PDN. In its text, quotation marks and backslashes are escaped with a backslash."""


def unescape_tag(tag_text: str) -> str:
    return re.sub(r"\\(.)", r"\1", tag_text)


def tag_line(name: str, text: str) -> str:
    """Return a tag as a line of PGN or PDN: `[ECO "C20"]`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def moves_of(tags: Mapping[str, str], movetext: str) -> str:
    """Return the moves in the stored form: further tags by name, then the movetext."""
    lines = "\n".join(tag_line(name, text) for name, text in tags.items())
    return f"{lines}\n\n{movetext}" if lines else movetext


def parted(moves: str) -> tuple[str, str]:
    """Return the tag lines at the beginning, and the movetext after them; either may be blank."""
    lines = moves.split("\n")
    count = len([*takewhile(TAG.fullmatch, lines)])
    if not count or any(lines[count : count + 1]):  # a blank line ends the tags
        return "", moves
    return "\n".join(lines[:count]), "\n".join(lines[count + 1 :])


# --- the grammar of movetext ------------------------------------------------------------------------------

CHESS_MARKS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
DRAUGHTS_MARKS = CHESS_MARKS | {"2-0", "0-2", "1-1", "0-0"}
"""The result marks that end a movetext; in some chess programs `0-0` is castling."""

_FOREIGN = frozenset({"2-0", "0-2", "1-1", "½-½"})
_DECIDED = frozenset({"1-0", "0-1", "1/2-1/2"})
_PART = re.compile(r"\{[^}]*+\}?|;[^\n]*+|^%[^\n]*+|[()]|[^\s(){};]++", re.MULTILINE)
_SAID = ("{", ";", "%")
_TAG_BEGINS = re.compile(r'\[\s*+[A-Za-z0-9_]++\s*+"')
_TAG_LINE = re.compile(r'^[ \t]*+\[[ \t]*+[A-Za-z0-9_]++[ \t]*+"', re.MULTILINE)


def fault_of_movetext(movetext: str) -> str:
    """Return why readers would find several games in a movetext, as a sentence; blank if they would not."""
    # Also in a comment: many programs start a new game at each tag line.
    plain = _PART.sub(lambda part: " " if part[0].startswith(_SAID) else part[0], movetext)
    if _TAG_LINE.search(movetext) or _TAG_BEGINS.search(plain):
        return "There is a tag inside the moves, where readers expect another game. Remove it."
    spoken = [part for part in _main_line(movetext) if not part.startswith(_SAID)]
    if any(part in _DECIDED for part in spoken[:-1]):
        return "There is a result inside the moves, where readers expect the end of the game. Remove it."
    return ""


def legal_movetext(movetext: str, result: str, marks: frozenset[str]) -> str:
    """Return a movetext that ends with a result mark and has no open comment; blank if it has a fault.

    A legal movetext is unchanged. A missing mark is that of `result`.
    """
    if fault_of_movetext(movetext):
        return ""
    text = movetext.rstrip()
    parts = [*_PART.finditer(text)]
    if not parts:
        return ""
    last = parts[-1]
    if last[0].startswith("{") and not last[0].endswith("}"):
        text += "}"
    spoken = [part for part in parts if not part[0].startswith(_SAID)]
    if spoken and spoken[-1][0] in marks:
        return text
    if spoken and spoken[-1][0] in _FOREIGN:
        start, end = spoken[-1].span()
        return f"{text[:start]}{result}{text[end:]}"
    # A comment to the end of the line would include the mark.
    return f"{text}\n{result}" if last[0].startswith((";", "%")) else f"{text} {result}"


def _main_line(movetext: str) -> list[str]:
    depth, found = 0, []
    for part in _PART.findall(movetext):
        if part in {"(", ")"}:
            depth = max(0, depth + (1 if part == "(" else -1))
        elif not depth:
            found.append(part)
    return found


def last_move(moves: str) -> tuple[str, str]:
    """Return the last move (`23... Nf6`) and the clocks of White and Black (`0:41 – 0:38`), or blanks."""
    plies, clocks = list[str](), dict[bool, str]()
    for part in _main_line(parted(moves)[1]):
        if plies and (found := _CLOCK_COMMAND.findall(part)):
            clocks[len(plies) % 2 == 1] = found[-1]  # of White after each move by White
        elif _WORD.fullmatch(part) and part not in CHESS_MARKS | _FOREIGN:
            word = _NUMBER.sub("", part)
            plies += [word] if word.strip("!?") and word[0] != "$" else []
    is_white = len(plies) % 2 == 1
    move = f"{(len(plies) + 1) // 2}{'.' if is_white else '...'} {plies[-1]}" if plies else ""
    return move, f"{clocks[True]} – {clocks[False]}" if len(clocks) == 2 else ""


# --- publication ------------------------------------------------------------------------------------------

_DAY = r"[\d?]{4}\.[\d?]{1,2}\.[\d?]{1,2}"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:\.\d{1,3})?)?"
_MOVES_IN_TIME = r"(?:\d{1,3}/)?\d{1,5}(?:\+\d{1,3})?"
_WORDS = r"[A-Za-z][A-Za-z /_-]{0,39}"
_PUBLIC_TAGS = {
    name: re.compile(pattern)
    for names, pattern in {
        "ECO": r"[A-E]\d\d[a-z0-9/]{0,4}",
        "NIC": r"[A-Z]{2} \d{1,2}(?:\.\d{1,2}){0,4}",
        "FEN": r"[1-8KQRBNPkqrbnp/~]{15,90}(?: [wb-]| [KQkqA-Ha-h]{1,4}| [a-h][1-8]| \d{1,3}){0,6}"
        r"|[WB?](?::[WB](?:K?\d{1,2}(?:-K?\d{1,2})?(?:,|\.|(?=:|$))){0,50}){1,2}\.?",
        "SetUp": "[01]",
        "PlyCount EventRounds EventCategory WhiteElo BlackElo WhiteRating BlackRating": r"\d{1,4}",
        "WhiteRatingDiff BlackRatingDiff": r"[+-]?\d{1,3}",
        "WhiteFideId BlackFideId WhiteFideID BlackFideID": r"\d{1,12}",
        "WhiteTitle BlackTitle": "|".join(sorted(TITLES)),
        "WhiteClock BlackClock Time UTCTime": _CLOCK,
        "Date EventDate UTCDate SourceDate": _DAY,
        "Round Board": r"\d{1,3}(?:\.\d{1,3}){0,2}",
        "Result": r"[012][-:][012]|1/2-1/2|\*",
        "TimeControl": rf"{_MOVES_IN_TIME}(?::{_MOVES_IN_TIME}){{0,3}}|\*\d{{1,4}}|[-?]",
        "GameType": r"\d{1,2}(?:,[A-Z0-9]{1,3}){0,6}",
        "Termination Variant Mode EventType WhiteType BlackType": _WORDS,
    }.items()
    for name in names.split()
}
"""The tags of PGN and PDN that are stored and published, with the pattern of their texts."""

_PUBLIC_TEXTS = frozenset({
    "Event", "Site", "White", "Black", "WhiteTeam", "BlackTeam", "Opening", "Variation", "SubVariation",
})  # fmt: skip
"""Tags of names, which are also public unless they contain an e-mail address or a telephone number."""

_CLOCK_COMMAND = re.compile(rf"\[%clk ({_CLOCK})\]")
_NUMBER = re.compile(r"^(?:\d{1,3}(?=\.))?\.{0,3}")
_NUMBER_AFTER_COMMENT = re.compile(r"(?<![()])\s\d{1,3}\.{3}\s?")
_COMMAND = re.compile(
    rf"\[%(?:clk|emt|egt) {_CLOCK}\]|\[%eval (?:#?[+-]?\d{{1,3}}(?:\.\d{{1,2}})?)(?:,\d{{1,3}})?\]"
)
"""Commands of programs in comments: clocks and evaluations."""

_PIECE, _SQUARE = "[A-Za-zА-Я\u2654-\u265f]", "[a-h][1-8]"
_WORD = re.compile(
    r"(?:\d{1,3}\.{0,3}|\.{1,3})?"  # the number of the move
    r"(?:"
    rf"{_PIECE}?[a-h]?[1-8]?[x:×-]?{_SQUARE}(?:=?{_PIECE})?(?:[+#]{{1,2}})?"
    rf"|{_SQUARE}(?:[x:-]{_SQUARE}){{1,12}}|[A-Z]@{_SQUARE}[+#]?"
    r"|[O0o]-[O0o](?:-[O0o])?[+#]?"
    r"|\d{1,2}-\d{1,2}|\d{1,2}(?:[x:×]\d{1,2}){1,20}"
    r"|[KQRBNP]{1,3}[1-8]?[x-][KQRBNP]{1,3}[1-8]?(?:ch|dis|[+#])?"  # descriptive: P-K4
    r"|--|e\.p\."
    r")?"
    r"(?:[!?]{1,2}|[+=±∓∞⩲⩱-]{1,2})?(?:\$\d{1,3})?"
    r"|[012]-[012]|1/2-1/2|½-½|\*|[()]"
)
"""A move of chess or draughts with its number and signs, or the mark of a result."""


def publishable_moves(moves: str) -> str:
    """Return the moves without free text, which may be private: known tags, moves, clocks and evaluations.

    Moves without other content are returned unchanged.
    """
    tags, movetext = parted(moves)
    lines = [line for line in tags.split("\n") if line and all(_is_public(*tag) for tag in TAG.findall(line))]
    public = _PART.sub(_publishable_part, movetext)
    if public != movetext:
        public = "\n".join(" ".join(line.split()) for line in public.split("\n")).strip("\n")
    return "\n".join([*lines, "", public]) if lines else public


def moves_without_clocks(moves: str) -> str:
    tags, movetext = parted(publishable_moves(moves))
    # The comments of publishable moves have clocks and evaluations only.
    plain = _PART.sub(lambda part: "" if part[0].startswith("{") else part[0], movetext)
    plain = "\n".join(filter(None, (" ".join(line.split()) for line in plain.split("\n"))))
    plain = _NUMBER_AFTER_COMMENT.sub(" ", plain)
    return f"{tags}\n\n{plain}" if tags else plain


def _is_public(name: str, tag_text: str) -> bool:
    text = unescape_tag(tag_text)
    if name in _PUBLIC_TEXTS:
        return not holds_contact(text)
    return name in _PUBLIC_TAGS and _PUBLIC_TAGS[name].fullmatch(text) is not None


def _publishable_part(part: re.Match[str]) -> str:
    text = part[0]
    if text.startswith("{"):
        commands = _COMMAND.findall(text)
        if text.endswith("}") and not _COMMAND.sub("", text[1:-1]).strip():
            return text if commands else ""
        return f"{{{' '.join(commands)}}}" if commands else ""
    return text if _WORD.fullmatch(text) else ""
