"""Make proposals again from what is kept of them, and say where another one comes out."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Proposal
from tournaments.pairing.engine import EngineError
from tournaments.recording.proposals import made_again


class Command(BaseCommand):
    """Hold proposals against what their engine makes of the same input now."""

    help = "Makes proposals of pairings again from the input that is kept with them, and compares."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the events to look at."""
        parser.add_argument("slugs", nargs="*", help="events by their addresses; all of them without any")

    def handle(self, *slugs: str, **options: Any) -> None:
        """Compare every proposal that gave pairs; CommandError where one is not made again."""
        made = Proposal.objects.exclude(pairs=[]).exclude(input="")
        found = made.select_related("round__event").order_by("pk")
        if wanted := options["slugs"]:
            found = found.filter(round__event__slug__in=wanted)
        others = 0
        for proposal in found:
            where = f"{proposal.round.event.slug}, round {proposal.round.number}, {proposal}"
            try:
                is_same = made_again(proposal)
            except EngineError as fault:
                is_same, where = False, f"{where} ({fault.reason})"
            others += not is_same
            self.stdout.write(f"{'the same' if is_same else 'ANOTHER '}  {where}")
        if others:
            raise CommandError(f"{others} of {len(found)} proposals are not made again.")
