"""Notes of pairings, such as decisions of the arbiter, on the results screen."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from tournaments.admin.frame import refusal_of, who
from tournaments.admin.results.sheet import PairingRows
from tournaments.event.numbers import whole_number
from tournaments.models import Pairing, Round
from tournaments.recording.pairings.by_hand import annotate


@dataclass(frozen=True, slots=True)
class PairingNote:
    """The note of a pairing: as stored, or as typed with the reason why it is not saved."""

    pairing: Pairing
    text: str
    fault: str = ""

    @property
    def title(self) -> str:
        sides = (self.pairing.first, self.pairing.second)
        names = " – ".join(side.name for side in sides if side)
        return _("Note of table %(table)s: %(names)s") % {"table": self.pairing.table, "names": names}


def write_note(request: HttpRequest, round_: Round) -> PairingNote:
    """Store the posted note. If that fails, the returned note has a fault.

    A note is only overwritten if it was shown. The version cannot tell, because every result increases it.
    """
    key = whole_number(request.POST["note"]) or 0
    pairing = round_.pairings.select_related("first", "second").filter(pk=key).first()
    if pairing is None:
        raise Http404
    pairing.round = round_
    text, shown = (request.POST.get(f"{name}-{key}", "") for name in ("note", "shown"))
    # Compared by line, because browsers send other line endings.
    seen = pairing.version if shown.splitlines() == pairing.note.splitlines() else 0
    return PairingNote(pairing, text, refusal_of(lambda: annotate(pairing, text, seen, who(request))))


def notes_of(tables: Iterable[PairingRows], refused: PairingNote | None = None) -> Iterator[PairingNote]:
    for table in tables:
        is_refused = refused is not None and refused.pairing.pk == table.pairing.pk
        yield refused if refused and is_refused else PairingNote(table.pairing, table.pairing.note)
