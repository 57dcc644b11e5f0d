"""Back to before a round: the event as its backup from then has it, in its place (ADR 0021).

What goes is told exactly and kept in a backup of its own; address, state, accounts, uploads and backups stay.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import OVER, OverrideKind
from tournaments.event.document import ChangeEntry, Document, OverrideEntry, RoundEntry
from tournaments.formats.json.reader import read
from tournaments.formats.json.writer import write
from tournaments.imports.applying import apply
from tournaments.imports.description import TableDifferences, sections
from tournaments.imports.differences import Differences, differences
from tournaments.imports.proposal import Proposal
from tournaments.models import Backup, Change, Event, Override, Round
from tournaments.models.versioned import past_of
from tournaments.people.incoming import without_hidden
from tournaments.people.telling import Telling
from tournaments.recording.backups import back_up
from tournaments.recording.people.linking import link_entries
from tournaments.recording.refusal import Refused, required
from tournaments.recording.turns import attribute, in_turn, name_of, remove
from tournaments.stored import stored


@dataclass(frozen=True, slots=True)
class Rewind:
    """The way back to before a round, and what goes on it.

    `then` is the event as it would be, `now` as it is, and `seen` a checksum of that, which says what was
    looked at. `found` leads from now to then, `telling` says which entries are those of hidden persons.
    """

    backup: Backup
    now: Document
    then: Document
    found: Differences
    seen: str
    telling: Telling

    @property
    def rounds(self) -> list[RoundEntry]:
        """Return the rounds that go."""
        staying = {each.number for each in self.then.rounds}
        return [each for each in self.now.rounds if each.number not in staying]

    @property
    def results(self) -> int:
        """Return how many pairings of two that go have a result."""
        pairings = (pairing for each in self.rounds for pairing in each.pairings)
        return sum(each.second is not None and each.kind != "pending" for each in pairings)

    @property
    def changes(self) -> list[ChangeEntry]:
        """Return the corrections that go from the public log."""
        return list((Counter(self.now.changes) - Counter(self.then.changes)).elements())

    @property
    def overrides(self) -> list[OverrideEntry]:
        """Return the rulings that go."""
        staying = {each.number for each in self.then.overrides}
        return [each for each in self.now.overrides if each.number not in staying]

    @property
    def others(self) -> list[TableDifferences]:
        """Return what changes besides, table by table: of earlier rounds, competitors and settings."""
        gone = {each.number for each in self.rounds}
        rest = replace(
            self.found,
            rounds=[each for each in self.found.rounds if each.new],
            pairings=[each for each in self.found.pairings if each.round not in gone],
            overrides=[],
        )
        return sections(rest)

    @property
    def is_public(self) -> bool:
        """Say whether readers know of anything that goes: then the public record tells of it."""
        known = any(not each.is_draft for each in self.rounds)
        earlier = any(each.round in {one.number for one in self.then.rounds} for each in self.found.pairings)
        return known or earlier or bool(self.changes or self.overrides)


def rewind_of(round_: Round) -> Rewind:
    """Return the way back to before a round. Refused where no backup from then is kept, or it is damaged."""
    event = round_.event
    if event.state in OVER:
        raise Refused(_("This event is over. An organiser sets it live again before anything goes back."))
    backup = _backup_before(round_)
    now = stored(event).document
    then = read(bytes(backup.file)).document if backup else None
    if backup is None or then is None or sha256(bytes(backup.file)).hexdigest() != backup.sha256:
        raise Refused(
            _("There is no backup from before round %(round)s to go back to.") % {"round": round_.number}
        )
    before = {each.number for each in now.rounds if each.number < round_.number}
    if {each.number for each in then.rounds} != before:
        raise Refused(
            _("Round %(round)s was made together with others: there is no backup from before it alone.")
            % {"round": round_.number}
        )
    event_then = replace(
        then.event, slug=now.event.slug, former_slugs=now.event.former_slugs, state=now.event.state
    )
    then, telling = without_hidden(replace(then, event=event_then), event, now)
    seen = sha256(write(now).encode()).hexdigest()
    return Rewind(backup, now, then, differences(now, then), seen, telling)


def go_back(round_: Round, by: User, reason: str, seen: str) -> Event:
    """Make the event what it was before a round was opened; a backup of what goes is kept first.

    Refused without a reason, and where the event is not as it was `seen` any more.
    """
    with in_turn(round_.event) as event:
        round_.event = event
        because, rewind = required(reason), rewind_of(round_)
        if rewind.seen != seen:
            raise Refused(_("Somebody has changed something meanwhile. Look again at what goes."))
        title = _("Back to before round %(round)s") % {"round": round_.number}
        # First of all: the same transaction takes away what it holds.
        back_up(event, by, f"{title}: {because}"[:200])
        last = max((each.number for each in rewind.now.overrides), default=0)
        for each in event.rounds.filter(number__gte=round_.number).order_by("-number"):
            remove(each, by, f"{title}: {because}")
        _remove_rulings(event, rewind)
        rewound = _as_it_was(event, rewind, by, f"{title}: {because}")
        if rewind.is_public:
            numbers = [each.number for each in rewind.rounds]
            Override.objects.create(
                event=rewound,
                # Above those that go: a number that readers were told never means something else.
                number=last + 1,
                kind=OverrideKind.REWIND,
                by=name_of(by),
                reason=because,
                round=round_.number,
                was=_was(numbers, rewind),
            )
    return rewound


def _backup_before(round_: Round) -> Backup | None:
    """Return the backup that was kept when the round was opened; None where an import brought the round."""
    opened = past_of(Round).objects.filter(id=round_.pk, history_type="+").order_by("history_id").first()
    return round_.event.backups.filter(at__lte=opened.history_date).first() if opened else None


def _remove_rulings(event: Event, rewind: Rewind) -> None:
    """Take the rulings and corrections out that are younger than the backup: an import never does."""
    event.overrides.filter(number__in=[each.number for each in rewind.overrides]).delete()
    # The log has no numbers, so the entries are told by what they say; equal ones are counted.
    going, rows = Counter(rewind.changes), Change.objects.filter(event=event).order_by("-pk")
    entries = reversed(rewind.now.changes)
    for row, entry in zip(rows, entries, strict=True):
        if going[entry]:
            going[entry] -= 1
            row.delete()


def _as_it_was(event: Event, rewind: Rewind, by: User, reason: str) -> Event:
    found, then = stored(event), rewind.then
    attribute(found.event, by, reason)
    event = apply(Proposal(then, found, differences(found.document, then), ()))
    link_entries(event, name_of(by), rewind.telling)
    return event


def _was(numbers: Sequence[int], rewind: Rewind) -> str:
    """Return which rounds went, and how many corrections and rulings with them, for the public record."""
    rounds = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
    return f"{rounds} {len(rewind.changes)} {len(rewind.overrides)}"
