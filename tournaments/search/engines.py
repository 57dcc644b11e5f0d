"""Full-text search in SQLite (FTS5) and PostgreSQL: entries with a word or prefix.

Neither database tokenizes or ranks: `tournaments.search.folding` creates the words, and both find the same
entries (ADR 0039). A migration creates the tables, which follow the entries automatically.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.db import connection

FTS = "tournaments_searchtext"
"""SQLite's full-text table, which reads the texts from the entries."""

FIND = "crosstable_find"
"""PostgreSQL's function that queries the index."""


class Engine(NamedTuple):
    """Queries of a database: SQL that returns keys in one text, and the syntax for words."""

    keys: str
    quoted: Callable[[str], str]
    begins: str
    either: str
    installed: Sequence[str]
    removed: Sequence[str]

    def query(self, words: Sequence[str], *, begins: bool = False) -> str:
        end = self.begins if begins else ""
        return self.either.join(self.quoted(word) + end for word in words)


def _quoted_for_sqlite(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"'


def _quoted_for_postgresql(word: str) -> str:
    doubled = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


ENTRIES = "tournaments_searchentry"

OPTIONS = """detail=none, columnsize=0, tokenize="ascii tokenchars '_=^~+<'\""""

VECTOR = "GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED"

# A function, because it needs settings: the planner underestimates a sequential scan, since texts are stored
# out of line.
FINDING = f"""
CREATE FUNCTION {FIND}(asked tsquery) RETURNS text LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$ BEGIN
RETURN (SELECT string_agg(key::text, ',') FROM {ENTRIES} WHERE vector @@ asked); END $$
"""

SQLITE = Engine(
    keys=f"SELECT group_concat(rowid) FROM {FTS} WHERE {FTS} MATCH %s",
    quoted=_quoted_for_sqlite,
    begins="*",
    either=" OR ",
    installed=(
        # Only words without positions: the matching line is found in the entry.
        f"CREATE VIRTUAL TABLE {FTS} USING fts5(words, content='{ENTRIES}', content_rowid='key', {OPTIONS})",
    ),
    removed=(f"DROP TABLE IF EXISTS {FTS}",),
)

POSTGRESQL = Engine(
    keys=f"SELECT {FIND}(%s::tsquery)",
    quoted=_quoted_for_postgresql,
    begins=":*",
    either=" | ",
    installed=(
        # Without parser and dictionary, which would split words in another way than SQLite.
        f"ALTER TABLE {ENTRIES} ADD COLUMN vector tsvector {VECTOR}",
        # Without a pending list, which every search would have to scan.
        f"CREATE INDEX search_words ON {ENTRIES} USING gin (vector) WITH (fastupdate = off)",
        # Texts are stored out of line, so that a search with thousands of matches reads only keys.
        f"ALTER TABLE {ENTRIES} SET (toast_tuple_target = 128)",
        FINDING,
    ),
    removed=(
        f"DROP FUNCTION IF EXISTS {FIND}(tsquery)",
        "DROP INDEX IF EXISTS search_words",
        f"ALTER TABLE {ENTRIES} DROP COLUMN IF EXISTS vector",
    ),
)

ENGINES = {"sqlite": SQLITE, "postgresql": POSTGRESQL}


def engine() -> Engine:
    return ENGINES[connection.vendor]
