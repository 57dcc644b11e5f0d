"""Names, federations and titles of a person or a team: as recorded, and else as the events tell them."""

from collections.abc import Collection

from standings.careers.overevents import Career
from standings.careers.totals import federations_in
from tournaments.people.public import PublicPerson, PublicSpan


def written_ways(known: Collection[str], career: Career) -> list[str]:
    """Return every way in which events have the name, in their order, that is none of the known ones."""
    return [each for each in dict.fromkeys(each.name for each in career) if each not in known]


def federations_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the federations of a person; as the events recorded them where the person's record has none."""
    if about.federations:
        return about.federations
    spans = ((each.code, str(each.first or ""), str(each.last or "")) for each in federations_in(career))
    return tuple(PublicSpan(*each) for each in spans)


def titles_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the titles of a person; where the record has none, the one of the last event that has one."""
    titles = [each.title for each in career if each.title]
    return about.titles or ((PublicSpan(titles[-1]),) if titles else ())
