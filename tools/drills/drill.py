"""Definition and execution of drills."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from tools.drills import faults
from tools.drills.site import Prepared, Site, Surroundings

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BOTH = (SQLITE, POSTGRESQL)


class DrillError(AssertionError):
    """A drill failed; the message is the reason."""


@dataclass
class Outcome:
    """The result of a drill.

    `sent`: results sent by arbiters, each counted once. `acknowledged`: results for which the site confirmed
    that they are saved. `lost`: acknowledged results that are not in the database afterwards. `recovered`:
    seconds from the end of the fault until all requests succeeded, None if none failed. `remarks`: lines for
    the report, such as latencies and numbers of responses by status.
    """

    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    recovered: float | None = None
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Drill:
    """A fault and its function; `surroundings` is the environment of the site."""

    name: str
    title: str
    database: str
    run: Callable[[Any], Outcome]
    surroundings: Surroundings
    kind: type[Site] = Site

    @property
    def label(self) -> str:
        return f"{self.name}-{self.database}"

    def outcome(self, prepared: Prepared, *, short: bool) -> Outcome:
        """Run the drill on a new site. Raise DrillError if a result was lost."""
        with self.kind(prepared, self.database, self.surroundings, short=short) as site:
            outcome = self.run(site)
        if outcome.lost:
            raise DrillError(f"{outcome.lost} of {outcome.acknowledged} acknowledged results are lost")
        return outcome


_DRILLS: list[Drill] = []


def drill(
    title: str,
    *databases: str,
    nginx: bool = False,
    environment: dict[str, str] | None = None,
    kind: type[Site] = Site,
) -> Callable[[Callable[[Any], Outcome]], Callable[[Any], Outcome]]:
    """Return a decorator that registers a drill, once for each of the databases.

    `nginx`: put the shipped nginx in front. `environment`: additional variables of the site, in which
    {folder} is replaced with the folder of the drill. `kind`: of the site.
    """

    def register(run: Callable[[Any], Outcome]) -> Callable[[Any], Outcome]:
        around = Surroundings(nginx, environment or {})
        _DRILLS.extend(
            Drill(run.__name__, title, database, run, around, kind) for database in databases or BOTH
        )
        return run

    return register


def all_drills() -> list[Drill]:
    for module in iter_modules(faults.__path__):
        import_module(f"tools.drills.faults.{module.name}")
    return list(_DRILLS)


def chosen(names: list[str]) -> Iterator[Drill]:
    """Yield the drills with these names or labels, or all drills if there are none.

    Raise ValueError for an unknown name.
    """
    known = all_drills()
    unknown = set(names) - {each.name for each in known} - {each.label for each in known}
    if unknown:
        raise ValueError(f"no such drill: {', '.join(sorted(unknown))}")
    yield from (each for each in known if not names or {each.name, each.label} & set(names))
