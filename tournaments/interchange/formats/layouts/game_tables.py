"""The competitors and games of a file of games with tags, for events of players and of teams."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, groupby

from tournaments.event.choices import PairingColours
from tournaments.event.finding import Finding, Place, error, objection, warning
from tournaments.event.moves import MOST_SIGNS, moves_of
from tournaments.event.numbers import score_text
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.game_texts import GameText
from tournaments.interchange.formats.layouts.layout import LayoutReading, table_of_fields, table_of_rows
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.tagged_games import (
    IN_BRACKETS,
    GamePlayer,
    PlayedGame,
    TagReader,
    day_of_tag,
    in_rounds_of_one_game,
)
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.headings import COMPETITORS, MappedTable
from tournaments.interchange.formats.tables.listed_games import GameList, ListedGame, ListedSide
from tournaments.pairing.berger import berger

# written in place of the opponent in a bye
NOBODY = frozenset({"bye", "spielfrei", "dummy", "free", "vrij", "exempt", "freilos", "no opponent"})

FORFEITS = frozenset({"+-", "-+", "--"})

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_PLACE_AND_CODE = re.compile(r"(.+?),?(?<!\s)\s++\(?([A-Z]{3})\)?")
PLACED_TAGS = frozenset({
    "Event", "Site", "Date", "EventDate", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
    "WhiteRating", "BlackRating", "WhiteTitle", "BlackTitle", "WhiteFideId", "BlackFideId", "WhiteTeam",
    "BlackTeam", "Board",
})  # fmt: skip
"""Tags that fields of the event contain, if the values are equal."""

_GAMES_PER_MISSING = 5  # a round robin with more missing games is taken for a Swiss tournament

FIELDS_OF_PLAYERS = ("name", "title", "rating", "code", "fide_id", "club", "city")
FIELDS_OF_TEAMS = ("name", "player", "player_title", "player_rating", "fide_id")


class TaggedGames:
    """Lists the competitors and games of an event from its games with tags."""

    def __init__(
        self, games: Sequence[GameText], tally: ReadingTally, *, of_draughts: bool, findings: list[Finding]
    ) -> None:
        self.tally, self.of_draughts, self.findings = tally, of_draughts, findings
        self.name, self.has_made_rounds = "", False
        tags = TagReader(games, findings)
        self.games = [tags.played(each) for each in games]
        self.players = tags.players
        self.is_team = _are_of_teams(self.games)

    def reading(self, name: str, discipline: str) -> LayoutReading:
        self.name = name
        games = self._with_rounds(self._in_rounds())
        self.games = list(
            self._once_each(games if self.is_team else in_rounds_of_one_game(games, self.findings))
        )
        entrants, mapping = self._teams() if self.is_team else self._entrants()
        listed = tuple(self._matches() if self.is_team else self._meetings())
        with_moves = sum(each.text.has_moves for each in self.games)
        self.tally.read("games", len(self.games))
        self.tally.read("games with moves", with_moves)
        return LayoutReading(
            tables=((replace(entrants, is_of_sides=True), mapping),),
            outline=self._outline(name, discipline),
            findings=tuple(self.findings),
            account=self.tally.account(),
            games=GameList(listed, has_moves=True, has_made_rounds=self.has_made_rounds),
        )

    # --- all games ----------------------------------------------------------------------------------------

    def _in_rounds(self) -> list[PlayedGame]:
        if any(each.round for each in self.games):
            return self.games
        if timed := rounds_by_time(self.games):
            rounds = max(each.round for each in timed)
            text = f"No game has a round; the {rounds} rounds follow from the times of the games."
            self.findings.append(warning("rounds-by-time", Place(), text))
            return timed
        days = {
            day: at
            for at, day in enumerate(sorted({each.date for each in self.games if len(each.date) == 10}), 1)
        }
        once = Counter(
            (each.date, name) for each in self.games for name in (each.white.name, each.black.name)
        )
        if not days or any(len(each.date) < 10 for each in self.games) or max(once.values()) > 1:
            return self.games if self.is_team else self._in_made_rounds()
        text = f"No game has a round; each of the {len(days)} days is read as a round. Check the rounds."
        self.findings.append(warning("rounds-by-day", Place(), text))
        return [replace(each, round=days[each.date]) for each in self.games]

    def _in_made_rounds(self) -> list[PlayedGame]:
        pairs: dict[frozenset[str], list[PlayedGame]] = defaultdict(list)
        for each in self.games:
            pairs[frozenset({each.white.name, each.black.name})].append(each)
        names = list(dict.fromkeys(side.name for each in self.games for side in (each.white, each.black)))
        cycles, all_pairs = max(map(len, pairs.values()), default=0), list(combinations(names, 2))
        missing = [each for each in all_pairs for _ in range(cycles - len(pairs[frozenset(each)]))]
        is_complete = len(pairs) == len(all_pairs) > 0
        self.has_made_rounds = is_complete and len(missing) * _GAMES_PER_MISSING <= len(self.games)
        if not self.has_made_rounds:
            return self.games
        if missing:
            shown = "; ".join(f"{white} – {black}" for white, black in missing[:3])
            text = f"A round robin without {len(missing)} of its games? Missing: {shown}. Answer yes or no."
            self.findings.append(objection("missing-games", Place(), text))
        return [
            replace(games.pop(0), round=number)
            for number, meetings in enumerate(berger(len(names)) * cycles, start=1)
            for first, second in meetings
            if second is not None and (games := pairs[frozenset({names[first - 1], names[second - 1]})])
        ]

    def _with_rounds(self, games: Sequence[PlayedGame]) -> list[PlayedGame]:
        without = [each for each in games if not each.round]
        if not without:
            return list(games)
        place = Place(f"line {without[0].text.line}")
        if len(without) == len(games):
            text = "No game has a round, and the dates do not show it. Add the tag Round."
            self.findings.append(error("no-round", place, text))
        else:
            text = f"{len(without)} games have no round, and are left out. Add their tag Round."
            self.findings.append(objection("no-round", place, text))
        for each in without:
            self.tally.unread("games", f"{each.white.name} – {each.black.name}")
        return [each for each in games if each.round]

    def _once_each(self, games: Iterable[PlayedGame]) -> Iterator[PlayedGame]:
        seen: dict[tuple[int, frozenset[str]], PlayedGame] = {}
        for each in games:
            pair = (each.round, frozenset({each.white.name.casefold(), each.black.name.casefold()}))
            first = seen.setdefault(pair, each)
            if first is each:
                yield each
                continue
            self.tally.unread("games", f"{each.white.name} – {each.black.name}")
            is_same = (first.white, first.result, first.text.movetext) == (
                each.white,
                each.result,
                each.text.movetext,
            )
            text = (
                f"{each.white.name} and {each.black.name} have a game in round {each.round} already, in line "
                f"{first.text.line}. The first is read."
            )
            place = Place(f"line {each.text.line}")
            self.findings.append((warning if is_same else objection)("game-twice", place, text))

    def _ordered(self) -> list[PlayedGame]:
        return sorted(self.games, key=lambda each: (each.round, each.match, each.board or 10**6))

    # --- events of players --------------------------------------------------------------------------------

    def _entrants(self) -> MappedTable:
        rows = (
            (self._lines.get(each.name, 0), {field: getattr(each, field) for field in FIELDS_OF_PLAYERS})
            for each in self.players.values()
            if each.name.casefold() not in NOBODY
        )
        return table_of_fields(COMPETITORS, FIELDS_OF_PLAYERS, rows)

    @cached_property
    def _lines(self) -> dict[str, int]:
        sides = ((side.name, each.text.line) for each in self.games for side in (each.white, each.black))
        return dict(reversed([*sides]))

    def _meetings(self) -> Iterator[ListedGame]:
        boards = Counter((each.round, each.board) for each in self.games)
        for each in self._ordered():
            sides = [each.white.name, each.black.name]
            result = each.result
            if sides[0].casefold() in NOBODY:
                sides.reverse()
                result = {"0-1": "1-0", "-+": "+-", "0-2": "2-0"}.get(result, result)
            if sides[1].casefold() in NOBODY:
                listed = self._listed(each, ListedSide(sides[0]), ListedSide())
                yield replace(listed, result="bye" if result else "")
                continue
            listed = self._listed(each, *map(ListedSide, sides))
            yield replace(
                listed,
                result=result,
                table=each.board if each.board and boards[each.round, each.board] == 1 else None,
                white="" if each.has_colours else PairingColours.UNKNOWN.value,
                moves=self._moves(each),
            )

    def _listed(self, game: PlayedGame, first: ListedSide, second: ListedSide) -> ListedGame:
        date = game.date if len(game.date) == 10 and not self.has_made_rounds else ""
        return ListedGame(line=game.text.line, round=game.round, date=date, first=first, second=second)

    def _moves(self, game: PlayedGame) -> str:
        text = game.text
        tags = {
            name: value
            for name, value in text.tags.items()
            if name not in PLACED_TAGS or self._differs(game, name)
        }
        moves = moves_of(tags, text.movetext if text.has_moves else "") if tags or text.has_moves else ""
        if why := fault_of_moves(moves):
            message = f"The moves are left out: {why}. The game is read without them."
            self.findings.append(warning("moves-left-out", Place(f"line {text.line}"), message))
            self.tally.unread("games with moves", f"line {text.line}")
            return ""
        return moves

    def _differs(self, game: PlayedGame, name: str) -> bool:
        side, text = name[:5], game.text.tag(name)
        of_event = {"Event": self.name, "Site": self._site}
        if text and name in of_event:
            return text != of_event[name]
        if name == "Round":
            # Each game of a match has its own round here, so the tag retains the round of the file.
            return text.partition(".")[0].isdecimal() and text.partition(".")[0] != str(game.round)
        if text and name == "Date":
            return game.date != self._days.get(game.round)
        if not text or side not in {"White", "Black"}:
            return False
        named = game.white if side == "White" else game.black
        key = named.name.casefold()
        player = self.players.get(key) or named
        field = {"": "name", "Elo": "rating", "Rating": "rating", "Title": "title", "FideId": "fide_id"}.get(
            name[5:]
        )
        if field is None:
            return False
        known = str(getattr(player, field))
        return text != known and (bool(name[5:]) or IN_BRACKETS.sub(r"\1", text) != known)

    # --- events of teams ----------------------------------------------------------------------------------

    def _teams(self) -> MappedTable:
        members: dict[str, dict[str, tuple[str, GamePlayer]]] = defaultdict(dict)
        for each in self._ordered():
            for side in (each.white, each.black):
                if side.name.casefold() not in NOBODY:
                    player = self.players.get(side.name.casefold()) or side
                    members[side.team.casefold()].setdefault(side.name, (side.team, player))
        rows = [
            GridRow(
                self._lines.get(player.name, 0),
                ("" if at else name, player.name, player.title, player.rating, player.fide_id),
            )
            for team in members.values()
            for at, (name, player) in enumerate(team.values())
        ]
        return table_of_rows(COMPETITORS, FIELDS_OF_TEAMS, rows)

    def _matches(self) -> Iterator[ListedGame]:
        names = {side.team.casefold(): side.team for each in self.games for side in (each.white, each.black)}
        matches: dict[tuple[int, frozenset[str]], list[PlayedGame]] = defaultdict(list)
        for each in self._ordered():
            matches[each.round, each.teams].append(each)
        boards = max(map(len, matches.values()), default=0)
        for round_, of_round in groupby(matches.items(), key=lambda pair: pair[0][0]):
            for table, (_, games) in enumerate(of_round, start=1):
                yield from self._match(round_, table, games, boards, names)

    def _match(
        self, round_: int, table: int, games: list[PlayedGame], boards: int, names: dict[str, str]
    ) -> Iterator[ListedGame]:
        first = games[0].white.team.casefold()
        second = games[0].black.team.casefold()
        sums, is_open = [0, 0], False
        listed_boards = []
        board_numbers = [each.board for each in games]
        numbers = (
            board_numbers
            if len(set(board_numbers)) == len(board_numbers) and all(board_numbers)
            else range(1, len(games) + 1)
        )
        for board, each in zip(numbers, games, strict=True):
            is_first = each.white.team.casefold() == first
            sides = (each.white.name, each.black.name) if is_first else (each.black.name, each.white.name)
            result = each.result if is_first else turned_result(each.result)
            white = ("first" if is_first else "second") if each.has_colours else ""
            points = _points_of_mark(result)
            is_open |= points is None
            sums = [own + more for own, more in zip(sums, points or (0, 0), strict=True)]
            listed = self._listed(
                each, ListedSide(names[first], player=sides[0]), ListedSide(names[second], player=sides[1])
            )
            moves = self._moves(each)
            listed_boards.append(replace(listed, result=result, board=board, white=white, moves=moves))
        if len(games) < boards:
            match = f"{names[first]} – {names[second]} in round {round_}"
            text = f"{len(games)} of {boards} boards of {match} are in the file."
            place = Place(f"line {games[0].text.line}")
            self.findings.append(
                objection("boards-missing-in-file", place, f"{text} The others do not count.")
            )
        total = "" if is_open else score_text(*sums)
        by_default = {each.result for each in listed_boards}
        if len(by_default) == 1 and by_default <= FORFEITS:
            total = by_default.pop()
        listed = self._listed(games[0], ListedSide(names[first]), ListedSide(names[second]))
        yield replace(listed, result=total, table=table)
        yield from listed_boards

    # --- event --------------------------------------------------------------------------------------------

    @cached_property
    def _site(self) -> str:
        site = _most_frequent([each.text.tag("Site") for each in self.games])
        alike = sum(each.text.tag("Site") == site for each in self.games)
        return "" if "://" in site and alike < 2 else site

    @cached_property
    def _days(self) -> dict[int, str]:
        return dict(reversed([(each.round, each.date) for each in self._ordered() if len(each.date) == 10]))

    def _outline(self, name: str, discipline: str) -> EventOutline:
        first = self.games[0].text if self.games else GameText(1)
        where = f"the tags from line {first.line} on"
        days = sorted(each.date for each in self.games if len(each.date) == 10)
        years = sorted({each.date[:4] for each in self.games if each.date})
        site = self._site
        outline = EventOutline().with_fact("name", name, f"line {first.line}")
        if "://" in site:
            outline = outline.with_more("sources", site, where)
        elif found := _PLACE_AND_CODE.fullmatch(site):
            outline = outline.with_fact("place", found[1], where).with_fact("country", found[2], where)
        else:
            outline = outline.with_fact("place", site, where)
        started = day_of_tag(first.tag("EventDate"))
        facts = {
            "start": started or (days[0] if days else years[0] if years else ""),
            "end": days[-1] if days else years[-1] if years else "",
            "discipline": discipline,
            "entrants": "teams" if self.is_team else "players",
            "boards": str(self._boards()) if self.is_team else "",
            "scoring": self._scoring(),
            "time_control": _most_frequent([each.text.tag("TimeControl") for each in self.games]),
        }
        return outline.with_facts(facts, where)

    def _boards(self) -> int:
        matches = Counter((each.round, each.teams) for each in self.games)
        return max(max(matches.values(), default=0), *(each.board for each in self.games if each.match), 0)

    def _scoring(self) -> str:
        results = {each.result for each in self.games}
        if results & {"2-0", "0-2", "1-1"}:
            return "2-1-0"
        return "1-½-0" if not self.of_draughts or "1/2-1/2" in results else ""


# --- helpers ----------------------------------------------------------------------------------------------


def _are_of_teams(games: Sequence[PlayedGame]) -> bool:
    if not games or any(not (each.white.team and each.black.team) for each in games):
        return False
    if any(each.white.team.casefold() == each.black.team.casefold() for each in games):
        return False
    opponents: dict[tuple[int, str], set[frozenset[str]]] = defaultdict(set)
    for each in games:
        for team in each.teams:
            opponents[each.round, team].add(each.teams)
    matches = {(each.round, each.teams) for each in games}
    return all(len(each) == 1 for each in opponents.values()) and len(games) >= 2 * len(matches)


def rounds_by_time(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Return the games in the rounds that follow from their times, [] if some have none.

    A player's second game begins a round. If this gives far more rounds than a player has games, as in an
    arena, a game is in the first round after those of its players.
    """
    if any(len(each.date) < 10 or not each.text.tag("UTCTime") for each in games):
        return []
    last, own, count = dict[str, int](), dict[str, int](), Counter[str]()
    together, apart, now = list[PlayedGame](), list[PlayedGame](), 1
    for game in sorted(games, key=lambda each: (each.date, each.text.tag("UTCTime"))):
        players = [each.name.casefold() for each in (game.white, game.black)]
        now += now in map(last.get, players)
        free = 1 + max(own.get(each, 0) for each in players)
        count.update(players)
        last |= dict.fromkeys(players, now)
        own |= dict.fromkeys(players, free)
        together.append(replace(game, round=now))
        apart.append(replace(game, round=free))
    return together if now <= 1 + max(count.values(), default=0) else apart


def _most_frequent(texts: Sequence[str]) -> str:
    counted = Counter(filter(None, texts)).most_common(1)
    return counted[0][0] if counted else ""


def fault_of_moves(moves: str) -> str:
    """Return why these moves cannot be stored, blank if they can."""
    if _CONTROLS.search(moves):
        return "they contain characters that are not allowed in a text"
    return f"they are longer than {MOST_SIGNS} characters" if len(moves) > MOST_SIGNS else ""


def turned_result(result: str) -> str:
    if result in {"+-", "-+"}:
        return result[::-1]
    first, dash, second = result.partition("-")
    return f"{second}-{first}" if dash and second else result


def _points_of_mark(result: str) -> tuple[int, int] | None:
    if result in FORFEITS:
        return 2 * (result[0] == "+"), 2 * (result[1] == "+")
    values = {"0": 0, "1/2": 1, "1": 2, "2": 4}
    first, _, second = result.partition("-")
    return (values[first], values[second]) if first in values and second in values else None
