"""The proposed time zone: by the country, by a city that names a zone, and none if several are possible."""

import pytest

from tournaments.event.dates import is_time_zone
from tournaments.recording.timezones import propose_time_zone


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
        ("XXX", "London", ""),  # no country that is known: nothing fits both
    ],
)
def test_zone_of_country_and_place(country: str, place: str, zone: str) -> None:
    assert propose_time_zone(country, place) == zone
    assert not zone or is_time_zone(zone)
