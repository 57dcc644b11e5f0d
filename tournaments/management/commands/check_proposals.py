"""Check that stored pairing drafts can be reproduced from their stored input."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Proposal
from tournaments.pairing.engine import EngineError
from tournaments.recording.pairings.drafts import is_reproducible


class Command(BaseCommand):
    """Compare pairing drafts with what their engine computes from the same input now."""

    help = "Repeats stored pairing proposals from their input, and compares the results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="events by their addresses; all of them without any")

    def handle(self, *slugs: str, **options: Any) -> None:
        """Raise CommandError if a draft with pairings cannot be reproduced."""
        made = Proposal.objects.exclude(pairs=[]).exclude(input="")
        found = made.select_related("round__event").order_by("pk")
        if wanted := options["slugs"]:
            found = found.filter(round__event__slug__in=wanted)
        others = 0
        for proposal in found:
            where = f"{proposal.round.event.slug}, round {proposal.round.number}, {proposal}"
            try:
                is_same = is_reproducible(proposal)
            except EngineError as fault:
                is_same, where = False, f"{where} ({fault.reason})"
            others += not is_same
            self.stdout.write(f"{'the same' if is_same else 'ANOTHER '}  {where}")
        if others:
            raise CommandError(f"{others} of {len(found)} proposals are not made again.")
