"""The titles of players that imported files can give."""

from tournaments.event.finding import Finding, Place, warning

TITLES = frozenset({
    "GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "AGM", "AIM", "AFM", "ACM", "HGM", "WHGM",  # FIDE
    "NM", "WNM", "LM", "WLM", "SM",  # national federations
    "SIM", "CCM", "CCE", "LGM", "LIM",  # ICCF
    "GMI", "GMIF", "MI", "MIF", "MF", "MFF", "CMF", "CMFF", "GMN", "MN",  # FMJD
})  # fmt: skip


def read_title(text: str, place: Place, findings: list[Finding]) -> str:
    """Return a known title in capitals; "" and a warning, once for each text, if it is not known."""
    title = text.strip().upper()
    if not title or title in TITLES:
        return title
    found = warning("unknown-title", place, f"“{text}” is no known title, so it was left out.")
    if all((each.code, each.message) != (found.code, found.message) for each in findings):
        findings.append(found)
    return ""
