"""What players sent, beside the lines of the results screen: shown, and taken only by whoever sits there."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from tournaments.admin.results.sheet import BoardRow, key_of
from tournaments.event.choices import PairingSide
from tournaments.models import ResultSent, Round
from tournaments.recording.playersentry import AGREED, DIFFERENT, SentByPlayers, newest_in, sent_in
from tournaments.recording.sheets import ResultLine

TEMPLATE = "admin/results_sent.html"


@dataclass(frozen=True, slots=True)
class SentBeside:
    """What came for a line, as it stands beside it; `takes` are the results that a press enters there."""

    key: str
    line: ResultLine
    came: SentByPlayers

    @property
    def is_agreed(self) -> bool:
        """Say whether “take all” enters its result: all has come that it takes, and nothing stands yet."""
        return self.line.is_missing and self.came.state == AGREED

    @property
    def differs(self) -> bool:
        """Say whether the sides differ from each other, or from the result that stands."""
        stands = self.line.text
        return self.came.state == DIFFERENT or (bool(stands) and self.came.texts != [stands])

    @property
    def takes(self) -> list[str]:
        """Return the results that can be taken: none once one stands."""
        return self.came.texts if self.line.is_missing else []

    @property
    def senders(self) -> list[tuple[ResultSent, str]]:
        """Return what each side sent, and in a word who it was."""
        return [(each, self._word(each.side)) for each in self.came.sent]

    def _word(self, side: str) -> str:
        if not side:
            return _("Somebody at the board")
        if not self.line.white:
            return _("left") if side == PairingSide.FIRST else _("right")
        return _("White") if side == self.line.white else _("Black")


def sent_beside(round_: Round, rows: Iterable[BoardRow]) -> dict[str, SentBeside]:
    """Return what players sent for these lines, by the name of the line; one query at most."""
    return {each.key: each for each in _beside(round_, [row.line for row in rows])}


def sent_news(round_: Round, lines: Iterable[ResultLine]) -> dict[str, str]:
    """Return the HTML that stands beside the lines for which something came, by the name of the line."""
    return {
        each.key: render_to_string(TEMPLATE, {"sent": each}).strip() for each in _beside(round_, list(lines))
    }


def with_newest(revision: str, round_: Round) -> str:
    """Return the revision as the page asks with it: what players send raises none of the event's own."""
    newest = newest_in(round_)
    return f"{revision}-{newest}" if newest else revision


def _beside(round_: Round, lines: list[ResultLine]) -> list[SentBeside]:
    came = {} if round_.is_draft else sent_in(round_)
    if not came:
        return []
    by_line = ((line, came.get((line.pairing.pk, line.board or 0))) for line in lines)
    return [SentBeside(key_of(line), line, found) for line, found in by_line if found]
