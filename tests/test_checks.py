"""What `check --deploy` refuses: production settings that would fail silently."""

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from config.checks import SOCKET, check_proxies

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("proxies", "socket", "refused"),
    [
        (None, "", ["crosstable.E001"]),
        (0, "", []),
        (0, "/run/crosstable/http.sock", ["crosstable.E002"]),
        (1, "/run/crosstable/http.sock", []),
        (None, "/run/crosstable/http.sock", ["crosstable.E001"]),
    ],
)
def test_addresses_of_logins_must_come_from_somewhere(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, proxies: int | None, socket: str, refused: list[str]
) -> None:
    settings.PROXIES = proxies
    monkeypatch.setenv(SOCKET, socket)

    assert [found.id for found in check_proxies()] == refused


def test_the_shipped_unit_passes_the_check() -> None:
    unit = (ROOT / "deploy" / "crosstable.service").read_text()

    assert f"{SOCKET}=" in unit
    assert "--uds" not in unit
    assert "PROXIES=1" in unit
