"""SQLite's FTS5 and PostgreSQL's full text, asked the same: which entries have a word, or one that begins so.

Neither takes a text apart or ranks: words are made by `tournaments.search.folding`, and both find the same
entries (ADR 0039). The tables are made by a migration, and follow the entries by themselves.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.db import connection

FTS = "tournaments_searchtext"
"""SQLite's table of words, which reads their texts from the entries."""

FIND = "crosstable_find"
"""PostgreSQL's function that asks the index."""


class Engine(NamedTuple):
    """How a database is asked: by SQL that returns keys in one text, and its own signs for the words."""

    keys: str
    quoted: Callable[[str], str]
    begins: str
    either: str
    installed: Sequence[str]
    removed: Sequence[str]

    def query(self, words: Sequence[str], *, begins: bool = False) -> str:
        """Return the query for any of these words, or for words that begin so."""
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

# A function, for its settings: with the texts beside the rows the table looks as if it were quickly read.
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
        # Words only, no places of words: which line has them is read in the entry.
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
        # As they are, with no parser and no dictionary, which would take words apart otherwise than SQLite.
        f"ALTER TABLE {ENTRIES} ADD COLUMN vector tsvector {VECTOR}",
        # Without a list of what is pending, which every search would read through.
        f"CREATE INDEX search_words ON {ENTRIES} USING gin (vector) WITH (fastupdate = off)",
        # The texts beside the rows: a search that finds thousands of entries reads keys alone.
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
    """Return the engine of the database."""
    return ENGINES[connection.vendor]
