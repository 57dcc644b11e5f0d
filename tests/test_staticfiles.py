"""Scripts as production serves them: modules under names with a hash, also where others import them."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, override_settings

HASHED_NAMES = {"staticfiles": {"BACKEND": "config.backends.HashedStaticFilesStorage"}}
SCRIPT_TAG = re.compile(r"<script[^>]*\{% static '([^']+)' %\}[^>]*>")
IMPORT = re.compile(r"^(?:import|export)\b.*? from (.+)$", re.MULTILINE)
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")
SCRIPT_TAGS = {
    found[0]: found[1]
    for template in (settings.BASE_DIR / "templates").rglob("*.html")
    for found in SCRIPT_TAG.finditer(template.read_text())
}


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Return a client of a site that serves what `collectstatic` wrote, as in production."""
    with override_settings(
        DEBUG=False,
        STATIC_ROOT=tmp_path_factory.mktemp("static"),
        STORAGES=settings.STORAGES | HASHED_NAMES,
        WHITENOISE_AUTOREFRESH=False,
        WHITENOISE_USE_FINDERS=False,
        WHITENOISE_SKIP_COMPRESS_EXTENSIONS=["css", "js", "json", "svg", "txt"],  # it takes ten times as long
    ):
        call_command("collectstatic", verbosity=0, interactive=False)
        yield Client()


def test_every_script_is_a_module() -> None:
    assert SCRIPT_TAGS
    # A browser runs no module from a disk, where archives are opened, and none before the page is parsed.
    classic = {script for tag, script in SCRIPT_TAGS.items() if 'type="module"' not in tag}
    assert classic == {"js/archive.js", "js/reserve.js"}


def test_every_import_has_a_hashed_name(production: Client) -> None:
    waiting = {staticfiles_storage.url(script) for script in SCRIPT_TAGS.values()}
    served: set[str] = set()
    while waiting - served:
        address = (waiting - served).pop()
        served.add(address)
        answer: HttpResponseBase = production.get(address)
        assert isinstance(answer, StreamingHttpResponse)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["Cache-Control"], address
        assert answer.headers["Content-Type"].startswith("text/javascript")
        assert HASHED.search(address)
        for imported in IMPORT.findall(answer.getvalue().decode()):
            waiting.add(urljoin(address, imported.strip('";')))
    files = (settings.BASE_DIR / "static").rglob("*.js")
    scripts = {f"/{path.relative_to(settings.BASE_DIR)}" for path in files}
    assert {HASHED.sub(".js", address) for address in served} == scripts
