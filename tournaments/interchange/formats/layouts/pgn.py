"""PGN and PDN: games with tags and moves, read as competitors and results; moves are stored unchanged."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tournaments.event.finding import Place, error
from tournaments.event.moves import TAG
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.game_tables import TaggedGames
from tournaments.interchange.formats.layouts.game_texts import GameText, split_into_games
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.tagged_games import PlayedGame, TagReader
from tournaments.interchange.formats.tables.groups import chosen_part

MOST_GAMES = 6_000  # twice the largest olympiad; an event file has no room for more games with moves

UNNAMED = "without a name"
_ROUND_IN_NAME = re.compile(
    r"^\W*+(?:round|rd)\W*+\d++(?>(?:\.\d++)*)\W*+"
    r"|(?<![\s,:|-])[\s,:|-]*+\b(?:round|rd)\W*+\d++.*$",
    re.IGNORECASE,
)
_RESULT_OF_DRAUGHTS = re.compile(r"[20]-[02]|1-1")
_GAME_TYPES = {"20": "draughts-100", "25": "draughts-64", "40": "frisian"}


def _first_tags(file: LayoutFile) -> list[tuple[str, int]]:
    if "[" not in file.text[:20_000]:
        return []
    found: dict[str, int] = {}
    for number, line in enumerate(file.lines[:400], start=1):
        for name, _ in TAG.findall(line):
            found.setdefault(name, number)
    return list(found.items())


def _is_of_draughts(file: LayoutFile) -> bool:
    results = [text for line in file.lines[:4000] for name, text in TAG.findall(line) if name == "Result"]
    return (
        file.name.casefold().endswith(".pdn")
        or any(name == "GameType" for name, _ in _first_tags(file))
        or any(_RESULT_OF_DRAUGHTS.fullmatch(each) and each != "0-0" for each in results)
    )


def _recognise_games(file: LayoutFile, *, of_draughts: bool) -> Signs:
    heads = _first_tags(file)
    names = {name for name, _ in heads}
    if not {"White", "Black"} <= names or _is_of_draughts(file) != of_draughts:
        return ()
    signs = [f"the tag {name} in line {line}" for name, line in heads if name in {"White", "Black"}]
    signs += [f"the tag {name} in line {line}" for name, line in heads if name in {"Result", "GameType"}]
    return tuple(signs)


def _read_games(file: LayoutFile, *, of_draughts: bool) -> LayoutReading:
    tally = ReadingTally()
    games, others = split_into_games(file.lines)
    for _, line in others:
        tally.unread("lines", line)
    games = list(_with_players(games, tally))
    findings = list(file.text_findings)
    if len(games) > MOST_GAMES:
        text = f"{len(games)} games; at most {MOST_GAMES} are read. Cut the file, an event each."
        findings.append(error("too-many-games", Place(), text))
        games = []
    elif not games:
        text = "No game has the players of White and Black. Choose another layout, or correct the tags."
        findings.append(error("no-games", Place(), text))
    names = Counter(map(_event_of, games))
    at, part_findings = chosen_part(list(names), list(names.values()), file.options.part, "games")
    findings += part_findings
    if at is None:
        return LayoutReading(findings=tuple(findings), account=tally.account())
    name = list(names)[at]
    chosen = []
    for each in games:
        if _event_of(each) == name:
            chosen.append(each)
            tally.read("lines", each.lines)
        else:
            tally.unread("lines", f'[Event "{each.tag("Event")}"]', each.lines)
            tally.unread("games", _both_players(each))
    tagged = TaggedGames(chosen, tally, of_draughts=of_draughts, findings=findings)
    return tagged.reading("" if name == UNNAMED else name, _discipline(chosen, of_draughts))


def games_of_feed(content: bytes) -> list[PlayedGame]:
    """Return the games of players in a PGN or PDN file, of any events."""
    games, _ = split_into_games(LayoutFile("feed.pgn", content).text.splitlines())
    tags = TagReader(games, [])
    return [tags.played(each) for each in _with_players(games, ReadingTally())]


def _event_of(game: GameText) -> str:
    event = game.tag("BroadcastName") or game.tag("Event")
    families = (game.tag(side).partition(",")[0].casefold() for side in ("White", "Black"))
    # Some files name both players here, so each game would be an event of its own.
    is_of_game = all(each in event.casefold() for each in families)
    return UNNAMED if is_of_game else _ROUND_IN_NAME.sub("", event).strip() or UNNAMED


def _with_players(games: Sequence[GameText], tally: ReadingTally) -> Iterator[GameText]:
    for each in games:
        if each.tag("White") and each.tag("Black"):
            yield each
        else:
            tally.unread("games", f"line {each.line}")
            tally.unread("lines", _both_players(each), each.lines)


def _both_players(game: GameText) -> str:
    return f"{game.tags.get('White', '?')} – {game.tags.get('Black', '?')}"


def _discipline(games: Sequence[GameText], of_draughts: bool) -> str:
    if not of_draughts:
        return "chess"
    types = {each.tag("GameType").partition(",")[0] for each in games} - {""}
    return _GAME_TYPES.get(types.pop(), "") if len(types) == 1 else ""


PGN = Layout(
    code="pgn",
    name="PGN, games of chess with their moves",
    endings=(".pgn", ".txt"),
    recognise=lambda file: _recognise_games(file, of_draughts=False),
    read=lambda file: _read_games(file, of_draughts=False),
)
PDN = Layout(
    code="pdn",
    name="PDN, games of draughts with their moves",
    endings=(".pdn", ".txt"),
    recognise=lambda file: _recognise_games(file, of_draughts=True),
    read=lambda file: _read_games(file, of_draughts=True),
)
