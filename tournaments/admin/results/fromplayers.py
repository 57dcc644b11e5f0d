"""Results sent by players, next to the lines of the results screen.

They count after an arbiter takes them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.admin.results.sheet import line_key
from tournaments.event.choices import PairingSide
from tournaments.models import ResultSent, Round
from tournaments.recording.results.from_players import AGREED, DIFFERENT, SentByPlayers, newest_in, sent_in
from tournaments.recording.results.sheets import ResultLine


@dataclass(frozen=True, slots=True)
class SentForLine:
    """What players sent for a line. `takes`: results that a button enters."""

    key: str
    line: ResultLine
    came: SentByPlayers

    @property
    def is_agreed(self) -> bool:
        """Return whether “take all” enters the result: the sides agree, and the line has no result yet."""
        return self.line.is_missing and self.came.state == AGREED

    @property
    def differs(self) -> bool:
        stored = self.line.text
        return self.came.state == DIFFERENT or (bool(stored) and self.came.texts != [stored])

    @property
    def takes(self) -> list[str]:
        return self.came.texts if self.line.is_missing else []

    @property
    def senders(self) -> list[tuple[ResultSent, str]]:
        return [(each, self._sender_label(each.side)) for each in self.came.sent]

    def _sender_label(self, side: str) -> str:
        if not side:
            return _("Unnamed player")
        if not self.line.white:
            return _("left") if side == PairingSide.FIRST else _("right")
        return _("White") if side == self.line.white else _("Black")


def sent_by_line(round_: Round, lines: Iterable[ResultLine]) -> dict[str, SentForLine]:
    """Return what players sent for these lines, by key of the line, with at most a single query."""
    sent = {} if round_.is_draft else sent_in(round_)
    keyed = ((line_key(line), line, sent.get((line.pairing.pk, line.board or 0))) for line in lines)
    return {key: SentForLine(key, line, result) for key, line, result in keyed if result}


def with_newest(revision: str, round_: Round) -> str:
    """Return the revision with the newest sent result, which is not part of the event's revision."""
    newest = newest_in(round_)
    return f"{revision}-{newest}" if newest else revision
