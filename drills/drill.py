"""What a drill is, and how one is run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules

import drills.faults
from drills.site import Prepared, Site, Surroundings

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BOTH = (SQLITE, POSTGRESQL)


class DrillError(AssertionError):
    """Raised by a drill in which something happened that must not, in words."""


@dataclass
class Outcome:
    """The account of a drill.

    `sent` are the results that arbiters sent, each once, `acknowledged` those that the site said are saved,
    `lost` those of them that the database does not hold afterwards. `recovered` are the seconds from the end
    of the fault until everything answered again, None where it never stopped. `remarks` are lines for people:
    latencies, answers by status.
    """

    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    recovered: float | None = None
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Drill:
    """A fault, and the function that tries it on a site; `surroundings` are what the site stands in."""

    name: str
    title: str
    database: str
    run: Callable[[Site], Outcome]
    surroundings: Surroundings

    @property
    def label(self) -> str:
        """Return the name with its database, which tells one row from another."""
        return f"{self.name}-{self.database}"

    def outcome(self, prepared: Prepared, *, short: bool) -> Outcome:
        """Run it on a new site and return its outcome. Raise DrillError where a result was lost."""
        with Site(prepared, self.database, self.surroundings, short=short) as site:
            outcome = self.run(site)
        if outcome.lost:
            raise DrillError(f"{outcome.lost} of {outcome.acknowledged} acknowledged results are lost")
        return outcome


_DRILLS: list[Drill] = []


def drill(
    title: str, *databases: str, nginx: bool = False, environment: dict[str, str] | None = None
) -> Callable[[Callable[[Site], Outcome]], Callable[[Site], Outcome]]:
    """Return a decorator that takes a function in among the drills, once for each of the databases.

    `nginx` puts the shipped nginx in front, `environment` is added to the site's, where {folder} stands for
    the folder of the drill.
    """

    def register(run: Callable[[Site], Outcome]) -> Callable[[Site], Outcome]:
        around = Surroundings(nginx, environment or {})
        _DRILLS.extend(Drill(run.__name__, title, database, run, around) for database in databases or BOTH)
        return run

    return register


def all_drills() -> list[Drill]:
    """Return every drill there is, in the order of their modules."""
    for module in iter_modules(drills.faults.__path__):
        import_module(f"drills.faults.{module.name}")
    return list(_DRILLS)


def chosen(names: list[str]) -> Iterator[Drill]:
    """Yield the drills of these names or labels; of no names, all. Raise ValueError for a name of none."""
    known = all_drills()
    unknown = set(names) - {each.name for each in known} - {each.label for each in known}
    if unknown:
        raise ValueError(f"no such drill: {', '.join(sorted(unknown))}")
    yield from (each for each in known if not names or {each.name, each.label} & set(names))
