"""The suggested time zone: by country or by a city that names a zone, and blank if ambiguous."""

import pytest

from tournaments.event.dates import is_time_zone
from tournaments.recording.events.timezones import propose_time_zone


@pytest.mark.parametrize(
    ("country", "place", "zone"),
    [
        ("NED", "Leiden", "Europe/Amsterdam"),
        ("NED", "", "Europe/Amsterdam"),
        ("ENG", "Hastings", "Europe/London"),
        ("GEO", "Batumi", "Asia/Tbilisi"),
        ("ESP", "Sitges", "Europe/Madrid"),
        ("ESP", "Ceuta", "Africa/Ceuta"),
        ("GER", "Dortmund", "Europe/Berlin"),
        ("BRA", "São Paulo", "America/Sao_Paulo"),
        ("USA", "New York", "America/New_York"),
        ("USA", "Saint Louis", ""),  # several zones
        ("RUS", "Moscow", "Europe/Moscow"),
        ("RUS", "Khanty-Mansiysk", ""),
        ("", "Tbilisi", "Asia/Tbilisi"),
        ("", "Leiden", ""),
        ("", "", ""),
        ("XXX", "London", ""),  # an unknown country: no zone fits both
    ],
)
def test_zone_of_country_and_place(country: str, place: str, zone: str) -> None:
    assert propose_time_zone(country, place) == zone
    assert not zone or is_time_zone(zone)
