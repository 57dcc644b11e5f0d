"""Colours of the race: distinguishable with every kind of colour vision, and readable as text."""

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

SITE = Path(__file__).parents[3] / "static/css/site.css"

# Machado, Oliveira and Fernandes (2009): severity 1.0, for linear RGB.
VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}
LINES = ("first", "second", "third", "accent", "rule")

Colour = tuple[float, ...]


def linear(code: str) -> Colour:
    parts = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def luminance(colour: Colour) -> float:
    return sum(part * weight for part, weight in zip(colour, (0.2126, 0.7152, 0.0722), strict=True))


def lab(colour: Colour) -> Colour:
    red, green, blue = (min(max(part, 0), 1) for part in colour)
    scaled = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        luminance((red, green, blue)),
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_lines_of_the_race_differ_for_every_colour_vision(scheme: int) -> None:
    css = SITE.read_text()
    codes = {name: re.findall(rf"--{name}: (#\w{{6}});", css)[scheme] for name in (*LINES, "paper")}
    colours = {name: linear(code) for name, code in codes.items()}
    for name in LINES[:-1]:
        darker, lighter = sorted((luminance(colours[name]), luminance(colours["paper"])))
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, name
    for vision, matrix in VISION.items():
        seen = {
            name: lab(tuple(sum(a * b for a, b in zip(row, colours[name], strict=True)) for row in matrix))
            for name in LINES
        }
        for one, other in combinations(LINES, 2):
            # The lines of followed competitors, which have the accent, are also dashed.
            least = 15 if "accent" in (one, other) else 40
            assert dist(seen[one], seen[other]) >= least, (vision, one, other)
