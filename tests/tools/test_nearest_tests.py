"""Selection of tests by `make check`."""

from itertools import count
from unittest.mock import patch

import pytest

from tools.nearest_tests import ROOT, SAMPLE, SHARED, TimeLimit, nearest_tests


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("standings/engine/terms.py", "tests/engine/test_terms.py"),
        (
            "tournaments/recording/results/sheets.py",
            "tests/tournaments/recording/results/test_submissions.py",
        ),
        ("tournaments/admin/pairings/publishing.py", "tests/desk/test_pairings.py"),
        ("tournaments/migrations/0058_release_1_0.py", "tests/tournaments/upgrading/test_upgrading.py"),
        ("config/trace/mails.py", "tests/trace/test_mails.py"),
        ("tests/engine/test_scoring.py", "tests/engine/test_scoring.py"),
        (
            "tests/tournaments/interchange/formats/samples.py",
            "tests/tournaments/interchange/formats/layouts/test_fuzz.py",
        ),
        ("static/js/live.js", "tests/js"),
        ("docs/privacy.md", "tests/tournaments/people/test_privacy_page.py"),
        ("templates/standings/statistics.html", "tests/standings/pages/test_page_list.py"),
        ("locale/nl/LC_MESSAGES/django.po", "tests/standings/test_translation.py"),
    ],
)
def test_changed_file_has_its_nearest_tests(changed: str, test: str) -> None:
    assert test in nearest_tests([changed])


def test_file_that_all_tests_share_has_a_short_list_of_tests() -> None:
    assert nearest_tests(["tests/conftest.py", "config/settings.py"]) == list(SAMPLE)


def test_lists_name_files_that_exist() -> None:
    assert [name for name in (*SAMPLE, *SHARED) if not (ROOT / name).exists()] == []


def test_changed_tests_come_first() -> None:
    found = nearest_tests(["config/trace/mails.py", "tests/engine/test_scoring.py"])
    assert found[0] == "tests/engine/test_scoring.py"


def test_no_test_begins_after_the_time_limit() -> None:
    limit = TimeLimit(seconds=2)
    with patch("tools.nearest_tests.time.monotonic", side_effect=count()):
        limit.pytest_collection_finish()
        assert [limit.pytest_runtest_protocol() for _ in range(3)] == [None, True, True]
    assert limit.left_out == 2
