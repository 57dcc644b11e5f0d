"""Every drill in its short form: the site as production runs it survives each fault without a loss."""

import os

import pytest

from drills.drill import Drill, all_drills
from drills.site import Prepared
from tests.programs import need

pytestmark = pytest.mark.exhaustive


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """The folder of the whole run: what one of its processes has made serves the others."""
    mine = tmp_path_factory.getbasetemp()
    folder = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "drills"
    folder.mkdir(exist_ok=True)
    return Prepared(folder)


@pytest.mark.parametrize("drill", all_drills(), ids=lambda drill: drill.label)
def test_nothing_acknowledged_is_lost(drill: Drill, prepared: Prepared) -> None:
    if drill.surroundings.nginx:
        need("nginx", "openssl")

    outcome = drill.outcome(prepared, short=True)

    assert outcome.lost == 0
