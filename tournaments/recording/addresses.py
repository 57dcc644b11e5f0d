"""Addresses of events: made of what they are called."""

from django.utils.text import slugify

LONGEST_ADDRESS = 80


def address_for(name: str, start: str) -> str:
    """An address made of the name, and of the year unless that is in it; blank where no letter is Latin."""
    base, year = slugify(name), start[:4]
    parts = [base[: LONGEST_ADDRESS - len(year) - 1].strip("-"), year if year not in base else ""]
    return "-".join(part for part in parts if part) if base else ""
