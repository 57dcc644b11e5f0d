"""The DOI and the licence of an event."""

import pytest
from django.core.exceptions import ValidationError
from pytest_django.fixtures import Settings

from tournaments.event.reuse import (
    LICENCES,
    Licence,
    bare_doi,
    doi_address,
    is_doi,
    known_doi,
    licence_in,
    licence_of,
)

ZENODO = "10.5281/zenodo.1234567"
BY = Licence("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0")


@pytest.mark.parametrize("doi", [ZENODO, "10.1000/182", "10.1000.10/a(b)c;d", "10.17026/DANS-x5?y=1"])
def test_valid_doi(doi: str) -> None:
    assert is_doi(doi)
    assert doi_address(doi) == f"https://doi.org/{doi}"
    known_doi(doi)


@pytest.mark.parametrize(
    "text",
    [
        *("", "zenodo", "10.5281", "10.5281/", "11.5281/x", "10.52/x", "10.5281/a b", "10.5281/<x>"),
        *("10.5281/é", f"https://doi.org/{ZENODO}", "10.5281/" + "x" * 200),
    ],
)
def test_invalid_text(text: str) -> None:
    assert not is_doi(text)
    with pytest.raises(ValidationError, match="is no DOI"):
        known_doi(text)


@pytest.mark.parametrize("before", ["", " ", "doi:", "DOI: ", "https://doi.org/", "http://dx.doi.org/"])
def test_pasted_prefix_is_removed_from_a_doi(before: str) -> None:
    assert bare_doi(f"{before}{ZENODO} ") == ZENODO


@pytest.mark.parametrize("written", ["CC-BY-4.0", "cc by 4.0", "CC BY-4.0", BY.address])
def test_a_licence_that_spdx_knows(written: str) -> None:
    assert licence_in(written) == BY


def test_free_text_licence_is_unchanged() -> None:
    assert licence_in("CC0") == licence_in("CC0-1.0")
    assert licence_in("Free, see https://x.example/terms.") == Licence(
        "Free, see https://x.example/terms.", "https://x.example/terms"
    )
    assert licence_in("Ask us.") == Licence("Ask us.")
    assert not licence_in("")
    assert all(address.startswith("https://") for _name, address in LICENCES.values())


def test_an_event_states_its_own_before_the_site(settings: Settings) -> None:
    assert not licence_of("")
    settings.SITE_LICENCE = "CC-BY-4.0"
    assert licence_of("") == BY
    assert licence_of("Ask us.") == Licence("Ask us.")
