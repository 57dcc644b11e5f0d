"""Signed addresses of the hall: each opens one form, for one team or one game, and nothing else.

An address is as good as a key, so no log holds it (`config.trace.redaction`), and no page that it opens
tells another site where it was (`tournaments.hall.answers`).
"""

from typing import NamedTuple

import segno
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.event.choices import PairingSide
from tournaments.models import CaptainLink, Pairing
from tournaments.recording.playersentry import may_send

GAME, CAPTAIN = "tournaments.hall.game", "tournaments.hall.captain"
"""Salts: what is signed for a game opens no line-up."""

SIDES = {"": "", PairingSide.FIRST.value: "f", PairingSide.SECOND.value: "s"}


class GameToken(NamedTuple):
    """The game and side that an address is for: keys of event, pairing and competitors; `board` 0 for none.

    The competitors are in it, so that an address dies with the pairing that it was printed for.
    """

    event: int
    round: int
    pairing: int
    board: int
    first: int
    second: int
    side: str


class CaptainToken(NamedTuple):
    """The link of a captain, by its key in the database and the one at random that it holds."""

    link: int
    key: str


# --- made -------------------------------------------------------------------------------------------------


def entry_address(
    request: HttpRequest, pairing: Pairing, board: int | None = None, side: str | None = None
) -> str:
    """Return the address at which players send the result of a game; blank where they cannot.

    `pairing` comes with its round and event. `board` is that of a match; `side` the one whose link it is,
    None for both, which is blank where both sides must agree. No query.
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
    """Return what the slip of a game prints: each side that has a link of its own, and its address.

    One link, of the blank side, where one side suffices; none where players send nothing. No query.
    """
    if shared := entry_address(request, pairing, board):
        return [("", shared)]
    sides = [(side.value, entry_address(request, pairing, board, side.value)) for side in PairingSide]
    return [(side, address) for side, address in sides if address]


def captain_address(request: HttpRequest, link: CaptainLink) -> str:
    """Return the address at which a captain sends line-ups."""
    token = Signer(salt=CAPTAIN).sign(f"{link.pk}.{link.key}")
    return request.build_absolute_uri(reverse("hall-line-up", args=[token]))


def qr_code(address: str, scale: int = 3) -> SafeString:
    """Return an address as a QR code: an SVG element of the page, black on white in dark colours too."""
    # One mask: to compare all eight takes three times as long, and a hall has five hundred slips at once.
    drawn = segno.make(address, error="m", micro=False, mask=3, boost_error=False)
    svg = drawn.svg_inline(scale=scale, border=4, light="white", svgclass="qr", lineclass=None, omitsize=True)
    return mark_safe(svg)  # noqa: S308 - squares drawn from bits; no text of anybody is in it


# --- read -------------------------------------------------------------------------------------------------


def game_token(token: str) -> GameToken | None:
    """Return what a token of a game says; None where we have not signed it."""
    parts = _signed(token, GAME).split(".")
    sides = {sign: side for side, sign in SIDES.items()}
    if len(parts) != len(GameToken._fields) or parts[-1] not in sides:
        return None
    event, number, pairing, board, first, second = map(int, parts[:-1])
    return GameToken(event, number, pairing, board, first, second, sides[parts[-1]])


def captain_token(token: str) -> CaptainToken | None:
    """Return what a token of a captain says; None where we have not signed it."""
    link, _, key = _signed(token, CAPTAIN).partition(".")
    return CaptainToken(int(link), key) if key else None


def _signed(token: str, salt: str) -> str:
    """Return the text that was signed; blank where its signature is none of ours. No query, so no cost."""
    try:
        return Signer(salt=salt).unsign(token)
    except BadSignature:
        return ""
