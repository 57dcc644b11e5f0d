"""Names, federations and titles of a person or team, as recorded or else as in the events."""

from collections.abc import Collection

from standings.careers.overevents import Career
from standings.careers.totals import federations_in
from tournaments.people.public import PublicPerson, PublicSpan


def written_ways(known: Collection[str], career: Career) -> list[str]:
    """Return the other spellings of the name in the events, in order."""
    return [each for each in dict.fromkeys(each.name for each in career) if each not in known]


def federations_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the federations of a person, those of the events if none are recorded."""
    if about.federations:
        return about.federations
    spans = ((each.code, str(each.first or ""), str(each.last or "")) for each in federations_in(career))
    return tuple(PublicSpan(*each) for each in spans)


def titles_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the titles of a person; if none are recorded, that of the last event with a title."""
    titles = [each.title for each in career if each.title]
    return about.titles or ((PublicSpan(titles[-1]),) if titles else ())
