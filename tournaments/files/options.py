"""What a file does not say of itself, and whoever imports it may: shared by previews and commands."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.dates import ORDERS
from tournaments.files.encodings import ENCODINGS


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a file is to be read; a blank is found out from the file, or asked.

    `encoding` is a key of ENCODINGS; `dates` is the order of day, month and year, one of ORDERS.
    """

    encoding: str = ""
    dates: str = ""


AS_FOUND = ReadingOptions()


def options_of(chosen: Mapping[str, Any]) -> ReadingOptions:
    """Return the options of a form or of a command; what is no choice is left blank."""
    encoding, dates = chosen.get("encoding") or "", chosen.get("dates") or ""
    return ReadingOptions(encoding if encoding in ENCODINGS else "", dates if dates in ORDERS else "")


def add_reading_options(parser: ArgumentParser) -> None:
    """Let a command be told how a file is to be read."""
    parser.add_argument(
        "--encoding",
        choices=list(ENCODINGS),
        default="",
        help="How the text is encoded; else it is found out.",
    )
    parser.add_argument(
        "--dates",
        choices=list(ORDERS),
        default="",
        help="The order of dates such as 07/08/2005; else it is asked.",
    )
