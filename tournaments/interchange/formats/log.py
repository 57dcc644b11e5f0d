"""The findings of a file that is being read, with their places."""

from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from tournaments.event.choices import TITLES
from tournaments.event.finding import TOO_MANY, Finding, Place, error, warning
from tournaments.event.schema import FileObject, adapter_of
from tournaments.event.values import Fault, faults_of

_MOST_FINDINGS = 1000
_SEATS = {"rounds": "number", "pairings": "table"}

AnyObject = TypeVar("AnyObject", bound=FileObject)


class Log:
    """The findings so far. Their number is limited because of memory."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def add(self, code: str, place: Place, message: str) -> None:
        if len(self.findings) < _MOST_FINDINGS:
            self.findings.append(error(code, place, message))
        elif len(self.findings) == _MOST_FINDINGS:
            text = f"There are more than {_MOST_FINDINGS} findings; the others are not listed."
            self.findings.append(error(TOO_MANY, Place(), text))


def read_object(of: type[AnyObject], value: Any, place: Place, log: Log) -> AnyObject | None:
    """Return the entry of an object in an event file; None with findings in the log if it is invalid."""
    try:
        entry: AnyObject = adapter_of(cast("Any", of)).validate_python(value)
    except ValidationError as refused:
        for fault in faults_of(refused):
            message = fault.message
            if fault.code == "empty-text":
                message = message.replace("{key}", str(fault.loc[-1]))
            log.add(fault.code, _place_of(fault, value, place), message)
        return None
    return entry


def _place_of(fault: Fault, value: Any, place: Place) -> Place:
    for key, index in pairwise((*fault.loc, "")):
        if isinstance(key, int):
            continue
        value = value.get(key)
        if not isinstance(index, int):
            place = place.key(key)
            continue
        value, place = value[index], place.item(key, index)
        seat = value.get(_SEATS.get(key)) if isinstance(value, dict) else None
        if isinstance(seat, int):
            place = replace(place, table=seat) if key == "pairings" else replace(place, round=seat)
    return place


def read_title(text: str, place: Place, findings: list[Finding]) -> str:
    """Return a known title in capitals; "" and a warning, once for each text, if it is not known."""
    title = text.strip().upper()
    if not title or title in TITLES:
        return title
    found = warning("unknown-title", place, f"“{text}” is no known title, so it was left out.")
    if all((each.code, each.message) != (found.code, found.message) for each in findings):
        findings.append(found)
    return ""
