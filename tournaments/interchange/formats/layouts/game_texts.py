"""A PGN or PDN file as games: tags, movetext and lines.

Moves are not parsed, so the text of a game is unchanged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tournaments.event.moves import TAG, unescape_tag

_TAGS_ONLY = re.compile(rf"\s*(?:{TAG.pattern}\s*)+(?:[;%].*)?")
_NEW_GAME = re.compile(r'\s*\[\s*(?:Event|White|Site|GameType)\s*"')
_END = re.compile(r"(?:^|\s)(1-0|0-1|1/2-1/2|½-½|2-0|1-1|0-2|0-0|\*)\s*$")
_NO_MOVES = re.compile(r"\s*+(?:\*|(?:[012½+-]|1/2)\s*[-–:/]\s*(?:[012½+-]|1/2)\s*+\(?[Ff]?\)?)?\s*+")
_END_OF_MOVES = 400
_COMMENTS = re.compile(r"\{[^}]*\}|;[^\n]*")


@dataclass
class GameText:
    """The tags and the movetext of a game, and the line at which it begins."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    lines: int = 0

    @cached_property
    def movetext(self) -> str:
        return "\n".join(self.moves).strip("\n")

    @cached_property
    def end(self) -> str:
        """Return the result mark after the moves, "" if there is none."""
        # Enough for the mark and a comment after it, because movetexts are long.
        found = _END.search(_COMMENTS.sub(" ", self.movetext[-_END_OF_MOVES:]))
        return found[1] if found else ""

    @cached_property
    def has_moves(self) -> bool:
        return _NO_MOVES.fullmatch(self.movetext) is None

    def tag(self, *names: str) -> str:
        """Return the first of these tags with a value. `?`, `-` and `*` are no values."""
        texts = (" ".join(self.tags.get(name, "").split()) for name in names)
        return next((text for text in texts if text.strip("?-.* ")), "")


def split_into_games(lines: Sequence[str]) -> tuple[list[GameText], list[tuple[int, str]]]:
    games, others = list[GameText](), list[tuple[int, str]]()
    in_comment = False
    for number, line in enumerate(lines, start=1):
        is_tag = _TAGS_ONLY.fullmatch(line) is not None
        # A comment that is never closed must not contain the games after it.
        if in_comment and not (is_tag and _NEW_GAME.match(line)):
            in_comment = _comment_continues(line, in_comment=True)
            games[-1].moves.append(line)
            games[-1].lines += bool(line.strip())
        elif is_tag:
            in_comment = False
            if not games or games[-1].moves or _repeats(games[-1], line):
                games.append(GameText(number))
            games[-1].tags |= {
                name: unescape_tag(text) for name, text in TAG.findall(line) if name not in games[-1].tags
            }
            games[-1].lines += 1
        elif not line.strip():
            if games and games[-1].moves:
                games[-1].moves.append(line)
        elif not games:
            others.append((number, line))
        else:
            games[-1].moves.append(line)
            games[-1].lines += 1
            in_comment = _comment_continues(line, in_comment=False)
    return games, others


def _repeats(game: GameText, line: str) -> bool:
    names = [name for name, _ in TAG.findall(line)]
    return any(name in game.tags and name in {"Event", "White"} for name in names)


def _comment_continues(line: str, *, in_comment: bool) -> bool:
    if line.startswith("%") and not in_comment:
        return False
    at, rest = 0, -2
    while True:
        if in_comment:
            at = line.find("}", at) + 1
            if not at:
                return True
            in_comment = False
        begins = line.find("{", at)
        # Search all comments before the next semicolon at once, and never again if there is no semicolon.
        rest = line.find(";", at) if rest == -2 or 0 <= rest < at else rest
        # A semicolon begins a comment up to the end of the line.
        if begins < 0 or 0 <= rest < begins:
            return False
        in_comment, at = True, begins + 1
