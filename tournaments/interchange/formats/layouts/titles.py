"""Facts about an event from the lines around a table: title, dates, `Federation : Russia ( RUS )`."""

import re
from collections.abc import Collection, Iterable, Iterator

from tournaments.event.dates import iso_date
from tournaments.event.federations import code_of_name, federation
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.outline import MANY_LINES, EventOutline
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.heading_words import ROUND
from tournaments.interchange.formats.tables.headings import MappedTable

KEYS: dict[str, str] = {
    "name": (
        "tournament event eventsummary competition competitionname turnier toernooi tournoi torneo турнир"
        " name"
    ),
    "place": "place location town city местопроведения site venue ort plaats lieu lugar luogo место miejsce",
    "country": "federation country land pays país paese федерация страна föderation fédération federación",
    "start": "start startdate begin beginn von aanvang début inicio",
    "end": "end enddate ende bis einde fin",
    "dates": "date dates eventdate eventdates datum data fecha дата",
    "rounds": (
        "numberofrounds rounds rondes runden rondas rundenanzahl anzahlrunden anzahlderrunden"
        " númeroderondas númeroderodadas nombrederondes aantalronden aantalrondes numerodituri numeroturni"
        " liczbarund početkol количествотуров числотуров"
    ),
    "time_control": "timecontrol bedenkzeit tempo speeltempo cadence ritmo",
    "chief_arbiter": "chiefarbiter chieftd hauptschiedsrichter hoofdarbiter arbitreprincipal arbiter referee",
    "deputy_arbiters": "deputyarbiter deputychiefarbiter arbiters",
    "organiser": "organizer organizers organiser organisers organizers ausrichter organisator veranstalter",
    "sources": "source link url website homepage",
    "schedule": (
        "tournamenttype turniermodus turnierart turniertyp toernooivorm toernooitype system pairingsystem"
        " tipodetorneo tipoditorneo typedetournoi typturnieju typturnaje типтурнира видтурнира"
    ),
}
"""Keys before a colon, without blanks, by fact. `dates` are a start, or a start and an end."""

_OF_WORD = {word: fact for fact, words in KEYS.items() for word in words.split()}
_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_PAIR = re.compile(r"([^\W\d_][\w\s.()/-]{1,30}?)\s*(?:[:;]|-\s+-)\s*(\S.*)")
_CODE_IN_BRACKETS = re.compile(r"\(\s*([A-Z]{3})\s*\)")
_PARTED_DAYS = re.compile(
    r"(?<!\s)(?:\s++(?:to|thru|till|until|bis|tot|t/m|au|a|al|do|по|-|–)\s++|\s*+[–/]\s*+(?=\d{4}[-./]))",
    re.IGNORECASE,
)
_SCHEDULES = (
    ("double-round-robin", re.compile(r"double|doppel|dubbel|двухкруг", re.IGNORECASE)),
    ("round-robin", re.compile(r"round.?robin|berger|rundenturnier|rond|круг", re.IGNORECASE)),
    (
        "swiss",
        re.compile(
            r"swiss|schweizer|zwitsers|suisse|sui[zç]o|svizzer|szwajcar|švýcar|швейцар", re.IGNORECASE
        ),
    ),
)
_OF_TEAMS = re.compile(
    r"\bteam|mannschaft|équipe|\bequipe|\bequipo|squadr|drużyn|družst|команд|\bploeg|takım", re.IGNORECASE
)
_DISCIPLINES = (
    ("frisian", re.compile(r"\bfrisian draughts|\bfrysk|\bfries (?:dammen|kamp)", re.IGNORECASE)),
    ("draughts-64", re.compile(r"\b64.?(?:squares|velden|клет)|шашки-64", re.IGNORECASE)),
    ("draughts-100", re.compile(
        r"\bfmjd\b|\bkndb\b|toernooibase|draughts|\bdam(?:men|jeu|kampioen|toernooi)|шашк|warcab",
        re.IGNORECASE,
    )),
    ("chess", re.compile(
        r"chess|schach|schaak|schaken|échecs|ajedrez|scacchi|шахмат|szach|\buscf\b", re.IGNORECASE
    )),
)  # fmt: skip
_NO_NAME = re.compile(
    r"final (?:rank|stand|table|cross|list|classif)|finale?\b$"
    r"|(?:current|starting|player|team|board)s? ?(?:rank|list|stand|pairing|cross|composition|line)"
    r"|(?:team|spieler|mannschafts)(?:auslosung|paarung)|pairing|paarung|indeling|emparejamiento"
    r"|(?:start|end)?(?:rank|rang|stand)(?:ings?|s|liste|en)?\b|(?:cross|kreuz|kruis)[ -]?tab"
    r"|(?:end|schluss)(?:stand|tabelle|rangliste|ranking)|list(?:e|a|ado)?\b|(?:after|nach|na|po|после) .*\d"
    r"|(?:round|ronde|runde|ronda|rodada|turno|runda|тур)\b|tournament table|fill in|game ?file|program"
    r"|you find|from the tournament|uit de toernooi|aus der turnier|de la base|da base|dal database|extrait"
    r"|z bazy|z turnaj|из базы|generated|page|date|last update|die seite wurde|laatste|última|ultimo|dernière"
    r"|ostatni|последн|poslední|son (?:sıra|günce)|blokrooster|annotation|anmerkung|anotaci|note|tie.?break"
    r"|eind(?:stand|rangschikking|klassement)(?: na\b.*)?$"
    r"|cuadro|clasificaci|classement|classifica|wyniki|tabel|tableau|grille|итогов|положени|таблица|konečn|pořadí",
    re.IGNORECASE,
)
"""Beginnings of lines that name a list or a program, not an event."""

_OF_STANDINGS = re.compile(
    r"rank|stand|ställ|klas|class?if|classe|tab|rang|placering|pořadí|poradie|sıra|таблиц|положен|мест|plasman|sorrend"
    r"|végeredmény|wyniki|result|résultat|uitslag|ergebnis|výsled",
    re.IGNORECASE,
)
_OF_THE_END = re.compile(
    r"\b(?:final|eind|end(?:st|t|r|k|e)|schlu(?:ss|ß)|slut|sonuç|son\b|definiti)"
    r"|końcow|итог|окончат|konečn|végső|végeredmény|konač",
    re.IGNORECASE,
)
_INTERIM = re.compile(
    r"(?i)\b(?:current|interim|provis|partial|zwischen|aktuel|vorläuf|tussen|voorlop|actue?l|par[cz]ial|attual"
    r"|bieżąc|průběž|текущ|промежут|предварит)"
)
_OF_THE_START = re.compile(r"\b(?:start|seed|inscri|ranking inicial|başlangıç|стартов)", re.IGNORECASE)
_ROUNDS = r"r(?:ou?|u)nd|ronda|ronde|rodad|turn[oi]\b|to?ur(?:s|u|a|dan|ach)?\b|kol[aoeu]?\b|omg|fordul|тур"
_AFTER = re.compile(
    rf"\b(\d{{1,2}})(?:\.|[ªº°]|st|nd|rd|th|e|de)? ?(?:{_ROUNDS})|(?:{_ROUNDS})\w{{0,4}}\.? (\d{{1,2}})\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(r"\b(\d{1,2})\.? (?:of|von|van|sur|de|di|из|z|av) (\d{1,2})\b", re.IGNORECASE)

_OF_A_LIST = re.compile(
    r"(?<![\s,:–-])[\s,:–-]++"
    r"(?:cross.?table|kreuztabelle|kruistabel|(?:final )?(?:ranking|standings)|table|grille am.{0,60})\s*+$",
    re.IGNORECASE,
)
"""The text after the name of an event in the title of a table."""

_LONGEST_NAME = 200
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_SEASON = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)\s*[/–-]\s*(?:\d\d){1,2}(?![\d-])")


def titles_of(tables: Iterable[MappedTable]) -> list[GridRow]:
    """Return the rows around the tables: titles, remarks, and blocks without a heading."""
    rows: list[GridRow] = []
    for table, mapping in tables:
        is_block = table.heading is None and not mapping.role
        if not table.is_left_out:
            rows += table.grid.rows if is_block else table.outside
    return rows


def outline_of_titles(rows: Iterable[GridRow]) -> EventOutline:
    """Return the facts in the rows around a table. A row counts as read if all of it was used."""
    outline = EventOutline()
    for row in rows:
        where = f"row {row.number}"
        filled = [cell for cell in row.cells if cell]
        found = list(_facts_of_title(filled, has_name=bool(outline.name)))
        for name, value in found:
            put = outline.with_more if name in MANY_LINES else outline.with_fact
            outline = put(name, value, where)
        outline = outline.with_fact("discipline", discipline_in(" ".join(filled)), where)
        if found and len(filled) <= 2:
            outline = outline.completed_by(EventOutline(titles=(row,)))
    return outline.with_fact("start", year_in(outline.name), f"{outline.places.get('name', '')}, in the name")


def outline_of_standings(rows: Iterable[GridRow], known: EventOutline, *, has_points: bool) -> EventOutline:
    """Return whether places without games are a final table, and the rounds that its title names.

    `known`: other facts of the file. The fact `results` remains blank if the file does not decide it.
    """
    after, total, where, is_final = "", known.rounds, "places without games", False
    for row in rows:
        text = " ".join(row.cells)
        if not _OF_STANDINGS.search(text):
            continue
        where = f"row {row.number}"
        if _OF_THE_START.search(text):
            return EventOutline().with_fact("results", "later", where)
        is_final = is_final or _OF_THE_END.search(text) is not None
        has_points = has_points and not _INTERIM.search(text)
        if part := _OF_ALL.search(text):
            after, total = part.groups()
        elif found := _AFTER.search(text):
            after = found[1] or found[2]
    is_whole = after == total if after and total else is_final or (has_points and not after)
    outline = EventOutline().with_fact("rounds", total or after, where)
    return outline.with_fact("results", "unknown", where) if is_whole else outline.without("results", where)


def count_titles(titles: Iterable[GridRow], read: Collection[GridRow], tally: ReadingTally) -> None:
    for row in titles:
        if row in read:
            tally.read("lines")
        else:
            tally.unread("lines", " ".join(filter(None, row.cells)))


def discipline_in(text: str) -> str:
    """Return the discipline that a text names, "" if it names none, or chess and another one."""
    found = [code for code, sign in _DISCIPLINES if sign.search(text)]
    return "" if not found or ("chess" in found and len(found) > 1) else found[0]


def year_in(text: str) -> str:
    """Return the year in a text, the first of a season such as 2019/2020; "" for several years."""
    if found := _SEASON.search(text):
        return found[1]
    years = set(_YEAR.findall(text))
    return years.pop() if len(years) == 1 else ""


def _facts_of_title(filled: list[str], *, has_name: bool) -> Iterator[tuple[str, str]]:
    text = " ".join(filled)
    for url in _URL.findall(text):
        yield "sources", url.rstrip(".,;" if "(" in url else ".,;)")
    key, value = _key_and_value(filled)
    fact = _OF_WORD.get(re.sub(r"[\s._()/-]+", "", key.casefold()), "")
    if fact:
        yield from _facts_of_key(fact, value)
    elif days := _days(text):
        yield from days
    elif not has_name and filled and _may_be_name(filled[0]):
        yield "name", _OF_A_LIST.sub("", filled[0])[:_LONGEST_NAME]


def _key_and_value(filled: list[str]) -> tuple[str, str]:
    if len(filled) == 2 and ":" not in filled[0].rstrip(": "):
        return filled[0].rstrip(": "), filled[1]
    found = _PAIR.fullmatch(" ".join(filled))
    return (found[1], found[2]) if found else ("", "")


def _facts_of_key(fact: str, value: str) -> Iterator[tuple[str, str]]:
    if fact in {"dates", "start", "end"}:
        days = _days(value)
        yield from days[:1] if fact != "end" else [("end", day) for _, day in days[:1]]
        yield from days[1:]
    elif fact == "country":
        code = _CODE_IN_BRACKETS.search(value)
        yield "country", code[1] if code else (value if federation(value) else code_of_name(value) or "")
    elif fact == "schedule":
        yield "schedule", next((code for code, sign in _SCHEDULES if sign.search(value)), "")
        yield "entrants", "teams" if _OF_TEAMS.search(value) else ""
    elif fact == "rounds":
        yield "rounds", value if value.isdecimal() else ""
    else:
        yield fact, value


def _days(text: str) -> list[tuple[str, str]]:
    days = [iso_date(part) for part in _PARTED_DAYS.split(text.strip(), maxsplit=1)]
    return list(zip(("start", "end"), days, strict=False)) if all(days) else []


def _may_be_name(text: str) -> bool:
    letters = sum(sign.isalpha() for sign in text)
    return letters > 2 and not (_URL.search(text) or _NO_NAME.match(text) or ROUND.fullmatch(text))
