"""Other programs that read our reports: FIDE's checker of pairings, and py4swiss."""

import subprocess
import sys
from pathlib import Path

from py4swiss.trf import TrfParser

LONGEST = 300
"""Seconds that a program gets."""


def differences(report: Path, *options: str) -> list[str]:
    """Return the differences from the pairings of gacrux, by round.

    Raise AssertionError if it cannot read the report.
    """
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-i", str(report), "-b", "utf-8", "-c", "-dT"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, timeout=LONGEST, check=False)
    assert "Check: " in run.stdout, run.stdout + run.stderr
    found, round_ = list[str](), ""
    for line in run.stdout.splitlines():
        if "Round #" in line:
            round_ = line.strip("= ")
        elif line.strip() and not line.startswith("Check:"):
            found.append(f"{round_}: {line.strip()}")
    assert ("Check: True" in run.stdout) == (not found), run.stdout
    return found


def points_read_by_py4swiss(report: Path) -> dict[int, int]:
    """Return ten times the points of each player, by start number, as py4swiss reads the report."""
    trf = TrfParser.parse(report)
    return {each.starting_number: each.points_times_ten for each in trf.player_sections}
