"""Choice of an event in a file with several."""

from collections.abc import Sequence

from tournaments.event.finding import Finding, Place, error, warning

_MOST_NAMED = 8


def chosen_part(
    names: Sequence[str], sizes: Sequence[int], wanted: str, what: str
) -> tuple[int | None, tuple[Finding, ...]]:
    """Return the part of a file to be read, from 0, and findings that name the other parts.

    The part is the `wanted` one, by number or name, else the largest; None with an error if no part has that
    name. `what`: the members of a part for users, such as `games`.
    """
    if len(names) < 2 and not wanted:
        return (0, ()) if names else (None, ())
    listed = [
        f"{at} “{name}” ({size} {what})" for at, (name, size) in enumerate(zip(names, sizes, strict=True), 1)
    ]
    more = f", and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    all_named = "; ".join(listed[:_MOST_NAMED]) + more
    if not wanted:
        at = max(range(len(names)), key=lambda each: (sizes[each], -each))
        text = f"The file holds {len(names)} events: {all_named}. “{names[at]}” is read; choose by number."
        return at, (warning("several-events", Place(), text),)
    called = [at for at, name in enumerate(names) if name.casefold() == wanted.strip().casefold()]
    if not called and wanted.strip().isdecimal() and 0 < int(wanted[:9]) <= len(names):
        called = [int(wanted) - 1]
    if not called:
        text = f"The file holds no event “{wanted}”: {all_named}. Choose one of these by its number."
        return None, (error("unknown-part", Place(), text),)
    return called[0], ()
