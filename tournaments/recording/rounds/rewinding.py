"""Rewind an event to the backup from before a round (ADR 0021).

What is removed is listed exactly and stored in another backup. Slug, state, accounts, uploads and backups
stay.
"""

from collections import Counter
from dataclasses import dataclass, replace
from hashlib import sha256

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import OVER, OverrideKind
from tournaments.event.document import ChangeEntry, Document, OverrideEntry, RoundEntry
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.description import TableDifferences, table_differences
from tournaments.interchange.imports.differences import Differences, differences
from tournaments.interchange.imports.import_diff import ImportDiff
from tournaments.models import Backup, Change, Event, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.people.hiding.import_filter import HiddenMatches, without_hidden
from tournaments.people.services.linking import link_entries
from tournaments.recording.events.backups import back_up
from tournaments.recording.locking import attribute, lock_event, name_of_user, remove_row
from tournaments.recording.refusal import Refused, required
from tournaments.stored import stored


@dataclass(frozen=True, slots=True)
class Rewind:
    """A planned rewind, and what it removes.

    `then`: the event afterwards. `now`: the current event. `seen`: checksum of `now`, sent back by the
    form. `found`: differences from `now` to `then`. `hidden_matches`: which entries belong to hidden persons.
    """

    backup: Backup
    now: Document
    then: Document
    found: Differences
    seen: str
    hidden_matches: HiddenMatches

    @property
    def rounds(self) -> list[RoundEntry]:
        """Return the rounds that lose their pairings."""
        staying = {each.number for each in self.then.rounds if each.pairings}
        return [each for each in self.now.rounds if each.pairings and each.number not in staying]

    @property
    def results(self) -> int:
        pairings = (pairing for each in self.rounds for pairing in each.pairings)
        return sum(each.second is not None and each.kind != "pending" for each in pairings)

    @property
    def changes(self) -> list[ChangeEntry]:
        return list((Counter(self.now.changes) - Counter(self.then.changes)).elements())

    @property
    def overrides(self) -> list[OverrideEntry]:
        staying = {each.number for each in self.then.overrides}
        return [each for each in self.now.overrides if each.number not in staying]

    @property
    def others(self) -> list[TableDifferences]:
        """Return the other differences by table: earlier rounds, competitors and settings."""
        gone = {each.number for each in self.rounds}
        rest = replace(
            self.found,
            rounds=[each for each in self.found.rounds if each.new],
            pairings=[each for each in self.found.pairings if each.round not in gone],
            overrides=[],
        )
        return table_differences(rest)

    @property
    def is_public(self) -> bool:
        """Return whether readers know any removed data, so that the public record must mention the rewind."""
        readers_saw_round = any(not each.is_draft for each in self.rounds)
        changes_earlier_round = any(
            each.round not in {one.number for one in self.rounds} for each in self.found.pairings
        )
        return readers_saw_round or changes_earlier_round or bool(self.changes or self.overrides)


def rewind_of(round_: Round) -> Rewind:
    """Plan a rewind to before a round. Raise Refused if its backup is missing or damaged."""
    event = round_.event
    if event.state in OVER:
        raise Refused(_("This event is over. An organiser sets it live again before anything goes back."))
    # A round of the schedule exists long before its backup.
    rounds, pairings = past_of(Round).objects.filter(id=round_.pk), past_of(Pairing).objects
    paired = pairings.filter(round_id=round_.pk, history_type="+").order_by("history_id").first()
    opened = paired or rounds.filter(history_type="+").order_by("history_id").first()
    backup = round_.event.backups.filter(at__lte=opened.history_date).first() if opened else None
    now = stored(event).document
    then = read(bytes(backup.file)).document if backup else None
    if backup is None or then is None or sha256(bytes(backup.file)).hexdigest() != backup.sha256:
        raise Refused(
            _("There is no backup from before round %(round)s to go back to.") % {"round": round_.number}
        )
    before = {each.number for each in now.rounds if each.pairings and each.number < round_.number}
    if {each.number for each in then.rounds if each.pairings} != before:
        raise Refused(
            _("Round %(round)s was created together with other rounds, so it has no backup of its own.")
            % {"round": round_.number}
        )
    last = max(each.number for each in now.rounds)
    event_then = replace(
        then.event,
        slug=now.event.slug,
        former_slugs=now.event.former_slugs,
        state=now.event.state,
        planned_rounds=max(then.event.planned_rounds, last),
    )
    # The schedule stays as it is now; rounds that are missing in the backup are drafts then.
    old = {each.number: each for each in then.rounds}
    rounds_then = tuple(
        replace(
            old.get(each.number) or RoundEntry(number=each.number, state="draft"),
            date=each.date,
            time=each.time,
        )
        for each in now.rounds
    )
    then, hidden_matches = without_hidden(replace(then, event=event_then, rounds=rounds_then), event, now)
    seen = sha256(write(now).encode()).hexdigest()
    rewind = Rewind(backup, now, then, differences(now, then), seen, hidden_matches)
    if not rewind.rounds:
        text = _("Round %(round)s has no pairings, so there is nothing to go back from.")
        raise Refused(text % {"round": round_.number})
    return rewind


def go_back(round_: Round, by: User, reason: str, seen: str) -> Event:
    """Rewind the event to before a round, after a backup.

    Raise Refused without a reason, and if the event has changed since `seen`.
    """
    with lock_event(round_.event) as event:
        round_.event = event
        required_reason, rewind = required(reason), rewind_of(round_)
        if rewind.seen != seen:
            raise Refused(_("Another person has made a change. Check again what will be removed."))
        title = _("Back to before round %(round)s") % {"round": round_.number}
        # First, because the transaction removes what the backup stores.
        back_up(event, by, f"{title}: {required_reason}"[:200])
        last = max((each.number for each in rewind.now.overrides), default=0)
        for each in event.rounds.filter(number__gte=round_.number).order_by("-number"):
            remove_row(each, by, f"{title}: {required_reason}")
        event.overrides.filter(number__in=[each.number for each in rewind.overrides]).delete()
        # Log entries have no numbers, so they are matched by content; equal entries are counted.
        going, rows = Counter(rewind.changes), Change.objects.filter(event=event).order_by("-pk")
        for row, entry in zip(rows, reversed(rewind.now.changes), strict=True):
            if going[entry]:
                going[entry] -= 1
                row.delete()
        found = stored(event)
        attribute(found.event, by, f"{title}: {required_reason}")
        rewound = apply(ImportDiff(rewind.then, found, differences(found.document, rewind.then), ()))
        link_entries(rewound, name_of_user(by), rewind.hidden_matches)
        if rewind.is_public:
            numbers = [each.number for each in rewind.rounds]
            rounds = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
            Override.objects.create(
                event=rewound,
                # Above the removed numbers, so that a published number never has another meaning.
                number=last + 1,
                kind=OverrideKind.REWIND,
                by=name_of_user(by),
                reason=required_reason,
                round=round_.number,
                was=f"{rounds} {len(rewind.changes)} {len(rewind.overrides)}",
            )
    return rewound
