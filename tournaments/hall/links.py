"""Signed URLs of the hall: each opens the form of a team or of a game.

The URL is a secret key, so it is not logged (`config.trace.redaction`), and pages opened by it send no
referrer to other sites (`tournaments.hall.answers`).
"""

from typing import NamedTuple

import segno
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.event.choices import PairingSide
from tournaments.models import CaptainLink, Pairing
from tournaments.recording.results.from_players import may_send

GAME, CAPTAIN = "tournaments.hall.game", "tournaments.hall.captain"
"""The salts, so that a token for a game opens no line-up."""

SIDES = {"": "", PairingSide.FIRST.value: "f", PairingSide.SECOND.value: "s"}


class GameToken(NamedTuple):
    """The game and side of a URL: primary keys of event, pairing and competitors; `board`: 0 for none.

    The competitors are included, so that a URL is no longer valid if the pairing is changed.
    """

    event: int
    round: int
    pairing: int
    board: int
    first: int
    second: int
    side: str


# --- writing ----------------------------------------------------------------------------------------------


def entry_address(
    request: HttpRequest, pairing: Pairing, board: int | None = None, side: str | None = None
) -> str:
    """Return the URL at which players send the result of a game; blank if they cannot. No query.

    `pairing`: with its round and event loaded. `board`: the board of a match. `side`: the side that gets the
    URL, None for both, which is blank if both sides must agree.
    """
    round_ = pairing.round
    is_game = pairing.second_id is not None and bool(board) == round_.event.is_team
    if not is_game or pairing.second_id is None or not may_send(round_.event, side or ""):
        return ""
    keys = (round_.event_id, round_.number, pairing.pk, board or 0, pairing.first_id, pairing.second_id)
    token = Signer(salt=GAME).sign(".".join([*map(str, keys), SIDES[side or ""]]))
    return request.build_absolute_uri(reverse("hall-game", args=[token]))


def entry_addresses(
    request: HttpRequest, pairing: Pairing, board: int | None = None
) -> list[tuple[str, str]]:
    """Return (side, URL) for each URL on the slip of a game. No query.

    The side is blank if one side is sufficient. The list is empty if players cannot send results.
    """
    if shared := entry_address(request, pairing, board):
        return [("", shared)]
    sides = [(side.value, entry_address(request, pairing, board, side.value)) for side in PairingSide]
    return [(side, address) for side, address in sides if address]


def captain_address(request: HttpRequest, link: CaptainLink) -> str:
    token = Signer(salt=CAPTAIN).sign(f"{link.pk}.{link.key}")
    return request.build_absolute_uri(reverse("hall-line-up", args=[token]))


def qr_code(address: str, scale: int = 3) -> SafeString:
    """Return a URL as a QR code: an inline SVG element, black on white also in dark mode."""
    # A fixed mask: comparing all eight takes three times as long, and a hall prints five hundred slips.
    drawn = segno.make(address, error="m", micro=False, mask=3, boost_error=False)
    svg = drawn.svg_inline(scale=scale, border=4, light="white", svgclass="qr", lineclass=None, omitsize=True)
    return mark_safe(svg)  # noqa: S308 - squares drawn from bits; no text of anybody is in it


# --- reading ----------------------------------------------------------------------------------------------


def game_token(token: str) -> GameToken | None:
    """Return the content of a game's token; None if the signature is not valid."""
    parts = _signed(token, GAME).split(".")
    sides = {sign: side for side, sign in SIDES.items()}
    if len(parts) != len(GameToken._fields) or parts[-1] not in sides:
        return None
    event, number, pairing, board, first, second = map(int, parts[:-1])
    return GameToken(event, number, pairing, board, first, second, sides[parts[-1]])


def captain_token(token: str) -> tuple[int, str] | None:
    """Return the primary key of a captain's link and its random key; None if the signature is not valid."""
    link, _, key = _signed(token, CAPTAIN).partition(".")
    return (int(link), key) if key else None


def _signed(token: str, salt: str) -> str:
    """Return the signed text; blank if the signature is not valid. No query."""
    try:
        return Signer(salt=salt).unsign(token)
    except BadSignature:
        return ""
