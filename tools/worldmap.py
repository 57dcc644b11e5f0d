"""Generate the world map of the site from Natural Earth: `python -m tools.worldmap FOLDER`.

FOLDER is the unpacked npm package `world-atlas` 2.0.2 (ISC licence), which contains the boundaries of Natural
Earth 4.1 (public domain) as TopoJSON. The output is `standings/charts/world.json`: a path for each country
that is large enough to be visible, a point for every country, and a path for all other land. Borders are
those of the source and imply no position on disputed areas.

The projection is Equal Earth, which preserves areas; coordinates are integers.
"""

import json
import sys
from collections.abc import Iterator
from itertools import pairwise
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Any

from babel.core import get_global

OUT = Path(__file__).resolve().parent.parent / "standings" / "charts" / "world.json"
WIDTH = 1000
SOUTH, NORTH = -56.0, 84.0
"""Latitudes of the cropped map, without Antarctica and the uninhabited north."""
CENTRE = 10.0
"""The central meridian. With this value Asia is not cut at the edge."""
TOLERANCE = 0.75
"""Maximum distance, in units of the map, between a simplified line and the original."""
SMALL = 14
"""A country with a smaller area, in square units, is a point."""
EQUAL_EARTH = (1.340264, -0.081106, 0.000893, 0.003796)
WITHOUT_NUMBER = {"Kosovo": "xk"}
NATIONS = {"gb-eng": (-1.4, 52.6), "gb-sct": (-4.2, 56.9), "gb-wls": (-3.8, 52.2), "gb-nir": (-6.7, 54.6)}
"""Points, as longitude and latitude, for federations of parts of a country in the source."""

Point = tuple[float, float]
Line = list[Point]


def main() -> None:
    """Write the map and print its size."""
    folder = Path(sys.argv[1])
    coarse, fine = (_countries(folder / f"countries-{scale}.json") for scale in ("110m", "10m"))
    paths, points, land = {}, {}, []
    for key, rings in coarse.items():
        drawn = [ring for ring in (_path(ring) for ring in rings) if ring]
        if key.isalpha() and len(key) == 2 and sum(map(_area, rings)) >= SMALL and drawn:
            paths[key] = "".join(drawn)
        elif not (key.isalpha() and len(key) == 2):
            land += drawn
    for key, rings in fine.items():
        if key.isalpha() and len(key) == 2:
            largest = max(rings, key=_area)
            points[key] = _whole(_middle(largest))
    for key, (longitude, latitude) in NATIONS.items():
        points[key] = _whole(_fitted(*_projected(longitude, latitude)))
    made = {
        "source": "Natural Earth 4.1, public domain, by world-atlas 2.0.2 (ISC)",
        "width": WIDTH,
        "height": _whole(_fitted(*_projected(0, SOUTH)))[1],
        "land": "".join(land),
        "paths": dict(sorted(paths.items())),
        "points": dict(sorted(points.items())),
    }
    OUT.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{OUT.name}: {OUT.stat().st_size} bytes, {len(paths)} countries, {len(points)} points")


# --- topology ---------------------------------------------------------------------------------------------


def _countries(file: Path) -> dict[str, list[Line]]:
    """Return the outer rings of each country in units, by ISO code, or by name if it has no code."""
    topology = json.loads(file.read_text(encoding="utf-8"))
    arcs = [_simplified(list(_arc(topology, arc))) for arc in topology["arcs"]]
    aliases = get_global("territory_aliases")
    found: dict[str, list[Line]] = {}
    for shape in topology["objects"]["countries"]["geometries"]:
        name, number = shape["properties"]["name"], shape.get("id")
        if name == "Antarctica":
            continue
        code = (aliases.get(number) or [""])[0].lower() if number else WITHOUT_NUMBER.get(name, "")
        found.setdefault(code or name, []).extend(_rings(shape, arcs))
    return found


def _arc(topology: dict[str, Any], arc: list[list[int]]) -> Iterator[Point]:
    (scale_x, scale_y), (left, low) = topology["transform"]["scale"], topology["transform"]["translate"]
    x = y = 0
    for right, up in arc:
        x, y = x + right, y + up
        yield x * scale_x + left, y * scale_y + low


def _rings(shape: dict[str, Any], arcs: list[Line]) -> Iterator[Line]:
    """Return the rings of a shape in units. Holes are ignored, because the country inside is drawn on top."""
    polygons = {"Polygon": [shape.get("arcs", [])], "MultiPolygon": shape.get("arcs", [])}
    for polygon in polygons.get(shape["type"], []):
        ring: Line = []
        for index in polygon[0]:
            part = arcs[index] if index >= 0 else arcs[~index][::-1]
            ring += part[1:] if ring else part
        yield [_fitted(*_projected(*point)) for point in _in_one_piece(ring)]


def _in_one_piece(ring: Line) -> Line:
    """Continue the longitudes of a ring that crosses the edge of the source's map."""
    longitudes = [ring[0][0]]
    for longitude, _latitude in ring[1:]:
        turns = round((longitudes[-1] - longitude) / 360)
        longitudes.append(longitude + 360 * turns)
    middle = (min(longitudes) + max(longitudes)) / 2
    shift = 360 * round((CENTRE - middle) / 360)
    return [(each + shift, latitude) for each, (_, latitude) in zip(longitudes, ring, strict=True)]


# --- geometry -----------------------------------------------------------------------------------------------


def _projected(longitude: float, latitude: float) -> Point:
    """Return the Equal Earth projection of a point; y increases upwards."""
    a1, a2, a3, a4 = EQUAL_EARTH
    theta = asin(sqrt(3) / 2 * sin(radians(max(SOUTH, min(NORTH, latitude)))))
    slope = a1 + 3 * a2 * theta**2 + theta**6 * (7 * a3 + 9 * a4 * theta**2)
    height = theta * (a1 + a2 * theta**2 + theta**6 * (a3 + a4 * theta**2))
    return 2 * sqrt(3) * radians(longitude - CENTRE) * cos(theta) / (3 * slope), height


HALF = 2 * sqrt(3) * radians(180) / (3 * EQUAL_EARTH[0])
TOP = _projected(0, NORTH)[1]


def _fitted(x: float, y: float) -> Point:
    """Return a projected point in units from the top left."""
    return (x + HALF) * WIDTH / (2 * HALF), (TOP - y) * WIDTH / (2 * HALF)


def _simplified(line: Line) -> Line:
    """Simplify a line. Its ends are fixed, because neighbours meet there."""
    if len(line) < 3:
        return line
    first, *between, last = (_fitted(*_projected(*point)) for point in line)
    distances = [_distance(point, first, last) for point in between]
    farthest = max(range(len(distances)), key=distances.__getitem__) + 1
    if distances[farthest - 1] <= TOLERANCE:
        return [line[0], line[-1]]
    return _simplified(line[: farthest + 1])[:-1] + _simplified(line[farthest:])


def _distance(point: Point, start: Point, end: Point) -> float:
    (x, y), (x1, y1), (x2, y2) = point, start, end
    length = sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)
    if not length:
        return sqrt((x - x1) ** 2 + (y - y1) ** 2)
    return abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length


def _area(ring: Line) -> float:
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(ring))) / 2


def _middle(ring: Line) -> Point:
    """Return the centre of the bounding box."""
    across, upward = zip(*ring, strict=True)
    return (min(across) + max(across)) / 2, (min(upward) + max(upward)) / 2


def _whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _path(ring: Line) -> str:
    """Return a ring as an SVG path with relative integer steps; blank if no step remains."""
    points = [_whole(point) for point in ring]
    points = [point for at, point in enumerate(points) if not at or point != points[at - 1]]
    if len(points) < 4:
        return ""
    steps = ((x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(points[:-1]))
    moves = "".join(f"{x}{y}" if y < 0 else f"{x} {y}" for x, y in _separated(steps))
    return f"M{points[0][0]} {points[0][1]}l{moves}z"


def _separated(steps: Iterator[tuple[int, int]]) -> Iterator[tuple[str, int]]:
    """Return horizontal steps as text, with a separating space before each unsigned step except the first."""
    for at, (x, y) in enumerate(steps):
        yield f"{'' if x < 0 or not at else ' '}{x}", y


if __name__ == "__main__":
    main()
