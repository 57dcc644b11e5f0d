"""Prints the pages under `/criteria/` as one Markdown document."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from standings.criteria import descriptions
from standings.criteria.examples import TEAMS, TOURNAMENTS, Tournament
from standings.criteria.explanations import ValueTerm
from standings.engine import get_criterion
from standings.texts import CriterionTexts

HEAD = """# Criteria

A ranking system applies its criteria in order: each criterion orders the competitors who are still tied. The
engine computes every value of the examples. The site has the same text under `/criteria/`."""


class Command(BaseCommand):
    """`manage.py criteria [--out FILE]`."""

    help = "Print what every criterion, ranking system and unplayed policy is, or write it to a file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, metavar="FILE", help="write to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        document = "\n\n".join(_document()) + "\n"
        if options["out"]:
            options["out"].write_text(document, encoding="utf-8")
        else:
            self.stdout.write(document, ending="")


def _document() -> Iterator[str]:
    yield HEAD
    yield "\n".join(_contents())
    yield _list(f"**{name}**: {what}" for name, what in descriptions.SOURCES)
    for book in descriptions.rule_books():
        yield f'<a id="book-{book.code}"></a>\n\n## {book.name}'
        for name, criteria in book.families:
            yield f"### {name}"
            for criterion in criteria:
                yield from _criterion(descriptions.page_of(criterion.code))
    yield from _systems()
    yield "## Unplayed rounds"
    for policy in descriptions.policies():
        yield f'<a id="unplayed-{policy.code}"></a>\n\n### {policy.name}'
        yield _list(f"{what}: {sentence}" for what, sentence in policy.sentences)
    yield "## The example tournaments"
    for tournament in TOURNAMENTS:
        yield from _tournament(tournament)


def _contents() -> Iterator[str]:
    for book in descriptions.rule_books():
        yield f"- [{book.name}](#book-{book.code})"
        for name, criteria in book.families:
            yield f"  - {name}: {', '.join(map(_link, criteria))}"
    yield "- [Ranking systems](#ranking-systems)"
    yield "- [Unplayed rounds](#unplayed-rounds)"
    yield "- [The example tournaments](#the-example-tournaments)"


# --- criteria ---------------------------------------------------------------------------------------------


def _criterion(page: descriptions.CriterionPage) -> Iterator[str]:
    criterion = page.criterion
    yield f'<a id="{criterion.code}"></a>\n\n#### {criterion.name} ({criterion.abbr})'
    yield criterion.rule
    properties = [
        ("Code", f"`{criterion.code}`"),
        ("Source", criterion.source),
        *page.properties,
        _seats(page),
    ]
    yield _list(f"{name}: {text}" for name, text in properties)
    if page.modifiers:
        yield "What can be added to its code:"
        yield _list(f"`{modifier.criterion.abbr}`: {modifier.does}" for modifier in page.modifiers)
    yield from _sheet(page)
    yield from _unplayed(page.unplayed)


def _seats(page: descriptions.CriterionPage) -> tuple[str, str]:
    seats = (f"[{seat.system.name}](#system-{seat.system.code}) ({seat.words})" for seat in page.seats)
    return "Used in", ", ".join(seats) or "no ranking system by default; an arbiter can choose it"


def _sheet(page: descriptions.CriterionPage) -> Iterator[str]:
    tournament, sheet = page.tournament, page.sheet
    example = f"Example: in [{tournament.name}](#drawn-{tournament.code}), {sheet.name} has {sheet.value}."
    yield f"{example} {page.tie}".strip()
    heads = [*sheet.heads, "working", sheet.unit, "note"]
    totals = [[f"**{total.name}**", "", total.sum, f"**{total.figure}**", ""] for total in sheet.totals]
    yield _table(heads, [*map(_cells, sheet.terms), *totals], right=(0, 2, 3))


def _cells(line: ValueTerm) -> list[str]:
    working, amount = ((f"~~{text}~~" if line.cut and text else text) for text in (line.working, line.amount))
    return [line.round, line.against, working, amount, line.note]


def _unplayed(unplayed: descriptions.Unplayed) -> Iterator[str]:
    where = f" In [{TEAMS.name}](#drawn-{TEAMS.code}):" if unplayed.rows else ""
    yield f"Unplayed rounds: {unplayed.words}{where}"
    if unplayed.rows:
        heads = ["a round", *(name for name, _ in unplayed.heads)]
        yield _table(heads, [[what, *cells] for what, cells in unplayed.rows])


# --- systems and policies ---------------------------------------------------------------------------------


def _systems() -> Iterator[str]:
    yield "## Ranking systems"
    rows = [
        [
            f'<a id="system-{words.system.code}"></a>{words.system.name}',
            f"`{words.system.code}`",
            words.freedom,
            ", ".join(map(_link, words.criteria)),
            f"[{words.policy}](#unplayed-{words.system.unplayed.code})",
        ]
        for words in descriptions.systems()
    ]
    yield _table(["system", "code", "list", "criteria in order", "unplayed rounds"], rows)


def _tournament(tournament: Tournament) -> Iterator[str]:
    yield f'<a id="drawn-{tournament.code}"></a>\n\n### {tournament.name}'
    yield str(tournament.about)
    heads = ["name", "rating", *map(str, tournament.rounds), "total"]
    rows = [
        [line.name, line.rating, *(cell.text for cell in line.cells), line.total] for line in tournament.rows
    ]
    yield _table(heads, rows)


def _link(criterion: CriterionTexts) -> str:
    return f"[{criterion.name}](#{get_criterion(criterion.code).plain_code})"


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _table(heads: list[str], rows: list[list[str]], right: tuple[int, ...] = ()) -> str:
    """Return a Markdown table without the columns that are empty in every row."""
    columns = [at for at in range(len(heads)) if any(row[at] for row in rows)]
    rule = ["--:" if at in right else "---" for at in range(len(heads))]
    return "\n".join("| " + " | ".join(row[at] for at in columns) + " |" for row in (heads, rule, *rows))
