"""Players, date, board and result from the tags of a game, with a single spelling of each player."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tournaments.event.dates import iso_date
from tournaments.event.finding import Finding, Place, objection, warning
from tournaments.interchange.formats.layouts.game_texts import GameText
from tournaments.interchange.formats.layouts.own_games import NO_COLOURS, NOT_KNOWN
from tournaments.interchange.formats.tables.result_rows import spelled_result

_RESULTS = {"1-0", "0-1", "1/2-1/2", "2-0", "1-1", "0-2", "0-0"}
_SPELLINGS = dict.fromkeys(("½-½", "0.5-0.5", "½:½", "="), "1/2-1/2") | {"1:0": "1-0", "0:1": "0-1"}
_FORFEITS = {"+:-": "+-", "-:+": "-+", "-:-": "--", "+/-": "+-", "-/+": "-+", "+--": "+-", "--+": "-+"}
_FORFEITS |= {"+-": "+-", "-+": "-+"}
_BY_FORFEIT = ("F", "F)", "f", "f)")  # after a result, as in `0–1 (F)`
_UNPLAYED = ("forfeit", "walkover", "default", "unplayed", "w/o")
_ROUND = re.compile(r"\s*(\d{1,4})(?:[.,:](\d{1,4}))?(?:[.,:](\d{1,4}))?\s*")
# a result without a mark is in a comment (standings.downloads.gamefiles)
_COMMENTED = re.compile(r"\{([^{}]{1,200})\} \*")
IN_BRACKETS = re.compile(r"^(.*\S)\s*+\(([^()]++)\)")  # a name with the player's code or city after it

_CODE = re.compile(r"[A-Z]{3}")
_TEAM_CODE = re.compile(r"[A-Z]{3}\d?")


@dataclass(frozen=True, slots=True)
class GamePlayer:
    """A player in a game; blank if the tags have no value."""

    name: str
    title: str = ""
    rating: str = ""
    fide_id: str = ""
    team: str = ""
    code: str = ""
    city: str = ""

    @property
    def club(self) -> str:
        """Return the team of a player in an event of players, "" if the team is the country."""
        return "" if self.team == self.code else self.team


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with interpreted tags. `round` and `board` are 0 if unknown."""

    text: GameText
    white: GamePlayer
    black: GamePlayer
    round: int
    board: int
    match: int
    date: str
    result: str

    @property
    def has_colours(self) -> bool:
        """Return whether colours are known. A file of this site has a comment if they are unknown."""
        return f"{NO_COLOURS}}}" not in self.text.movetext

    @property
    def teams(self) -> frozenset[str]:
        return frozenset({self.white.team.casefold(), self.black.team.casefold()})


class TagReader:
    """Reads the tags of games. It combines what all games have about a player."""

    def __init__(self, games: Sequence[GameText], findings: list[Finding]) -> None:
        self.findings = findings
        self.players: dict[str, GamePlayer] = {}
        self._by_id: dict[str, str] = {}
        self._has_codes = _have_codes(games)

    def played(self, text: GameText) -> PlayedGame:
        found = _ROUND.fullmatch(text.tag("Round"))
        round_, second, third = (int(each or 0) for each in found.groups()) if found else (0, 0, 0)
        board = text.tag("Board")
        return PlayedGame(
            text=text,
            white=self._side(text, "White"),
            black=self._side(text, "Black"),
            round=round_,
            board=int(board[:4]) if board.isdecimal() else third or second,
            match=second if third else 0,
            date=day_of_tag(text.tag("Date", "UTCDate")),
            result=self._result(text),
        )

    def _side(self, text: GameText, side: str) -> GamePlayer:
        name, code, city = text.tag(side), "", ""
        team = text.tag(f"{side}Team")
        if self._has_codes:
            name, _, code = name.rpartition(" ")
            team = code
        elif found := IN_BRACKETS.fullmatch(name):
            name = found[1]
            code, city = (found[2], "") if _CODE.fullmatch(found[2]) else ("", found[2])
        code = code or text.tag(f"{side}Fed", f"{side}Federation", f"{side}Country")
        rating = text.tag(f"{side}Elo", f"{side}Rating")
        fide_id = text.tag(f"{side}FideId", f"{side}FideID")
        player = GamePlayer(
            name=name,
            title=text.tag(f"{side}Title").upper()[:8],
            rating=rating if rating.isdecimal() and int(rating[:9]) else "",
            fide_id=fide_id if fide_id.isdecimal() and int(fide_id[:18]) else "",
            team=team,
            code=code if _CODE.fullmatch(code) else "",
            city=city,
        )
        key = self._by_id.get(player.fide_id, "") if player.fide_id else ""
        key = key or name.casefold()
        known = self.players.get(key)
        combined = player if known is None else _merged_player(known, player)
        self.players[key] = combined
        if combined.fide_id:
            self._by_id.setdefault(combined.fide_id, key)
        return GamePlayer(combined.name, team=player.team)

    def _result(self, text: GameText) -> str:
        said = text.tags.get("Result", "").replace(" ", "")
        said = spelled_result(said) if said.endswith(_BY_FORFEIT) else _SPELLINGS.get(said, said)
        end = _SPELLINGS.get(text.end, text.end)
        place = Place(f"line {text.line}")
        if said in _RESULTS and end in _RESULTS and said != end:
            message = (
                f"The tag has {said}, but the moves end with {end}. The tag is used; correct one of the two."
            )
            self.findings.append(objection("two-results", place, message))
        if said not in _RESULTS and said not in _FORFEITS:
            if said.strip("?*-"):
                message = (
                    f"“{said}” is not a known result; {end or 'none'} is used, from the end of the moves."
                )
                self.findings.append(objection("no-result", place, message))
            said = end if end in _RESULTS else ""
        if not said and (comment := _COMMENTED.fullmatch(text.movetext)):
            if comment[1] == "- -":
                return "--"
            if comment[1][0].isdecimal() or NOT_KNOWN in comment[1]:
                message = (
                    f"“{comment[1]}” in the comment is not read as a result. Import the CSV or the event "
                    "file (JSON) instead, or write the result by hand."
                )
                self.findings.append(objection("no-result", place, message))
        termination = text.tag("Termination").casefold()
        if any(word in termination for word in _UNPLAYED) and "time" not in termination:
            return {"1-0": "+-", "2-0": "+-", "0-1": "-+", "0-2": "-+", "0-0": "--"}.get(said, said)
        return _FORFEITS.get(said, said)


def _have_codes(games: Sequence[GameText]) -> bool:
    if any(each.tag("WhiteTeam", "BlackTeam") for each in games):
        return False
    codes = [[name.rpartition(" ")[2] for name in (each.tag("White"), each.tag("Black"))] for each in games]
    meets = all(_TEAM_CODE.fullmatch(white) and _TEAM_CODE.fullmatch(black) for white, black in codes)
    return meets and len(games) > 1 and all(white != black for white, black in codes)


def _merged_player(known: GamePlayer, player: GamePlayer) -> GamePlayer:
    values = (getattr(known, name) or getattr(player, name) for name in GamePlayer.__slots__)
    return GamePlayer(*values)


def day_of_tag(text: str) -> str:
    """Return an ISO date or a year, "" for other texts."""
    parts = [part for part in text.replace("/", ".").replace("-", ".").split(".") if part.strip("?")]
    if len(parts) in {1, 2}:
        return parts[0] if re.fullmatch(r"\d{4}", parts[0]) else ""
    return iso_date("-".join(parts))


# --- several games of two players in a round ---------------------------------------------------------------


def in_rounds_of_one_game(games: Sequence[PlayedGame], findings: list[Finding]) -> list[PlayedGame]:
    """Return the games, with a round for each game of a match if a round consists of matches.

    A round does if at least half of its pairs have several games, with alternating colours or different
    numbers. A game that the file repeats is no match.
    """
    by_round: dict[int, dict[frozenset[str], list[PlayedGame]]] = defaultdict(lambda: defaultdict(list))
    for each in games:
        pair = frozenset({each.white.name.casefold(), each.black.name.casefold()})
        by_round[each.round][pair].append(each)
    lengths = {number: _length_of_matches(list(pairs.values())) for number, pairs in by_round.items()}
    if max(lengths.values(), default=1) < 2:
        return list(games)
    offsets, more = {}, 0
    for number in sorted(by_round):
        offsets[number] = more
        more += lengths[number] - 1
    found = []
    for number, pairs in by_round.items():
        for of_pair in pairs.values():
            found += _in_further_rounds(of_pair, number + offsets[number], is_match=lengths[number] > 1)
    longer = sorted(number for number, length in lengths.items() if length > 1)
    first = longer[0]
    text = (
        f"In {len(longer)} rounds the same two have several games, {lengths[first]} in round {first}. Each "
        f"of these has a round of its own, {len(by_round) + more} together; the tags keep the file's numbers."
    )
    findings.append(warning("rounds-by-game", Place(), text))
    order = {id(each.text): at for at, each in enumerate(games)}
    return sorted(found, key=lambda each: order[id(each.text)])


def _length_of_matches(pairs: Sequence[Sequence[PlayedGame]]) -> int:
    several = [each for each in pairs if len(each) > 1]
    if not several or 2 * len(several) < len(pairs) or not all(map(_is_match, several)):
        return 1
    return max(map(len, several))


def _is_match(games: Sequence[PlayedGame]) -> bool:
    numbers = [each.board for each in games]
    alternate = all(
        one.white.name.casefold() != other.white.name.casefold() for one, other in pairwise(games)
    )
    return alternate or (all(numbers) and len(set(numbers)) == len(numbers))


def _in_further_rounds(games: Sequence[PlayedGame], first: int, *, is_match: bool) -> list[PlayedGame]:
    if not is_match:
        return [replace(each, round=first) for each in games]
    numbers = Counter(each.board for each in games)
    is_numbered = len(games) > 1 and 0 not in numbers and max(numbers.values()) == 1
    ordered = sorted(games, key=lambda each: each.board) if is_numbered else games
    # The second number of the tag was the game, not a board.
    return [
        replace(each, round=first + at, board=0 if is_numbered else each.board)
        for at, each in enumerate(ordered)
    ]
