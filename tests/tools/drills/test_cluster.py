"""The configuration of nginx for one and for several application servers."""

import re

from tools.drills.servers import DEPLOY, nginx_conf


def servers_of(text: str) -> list[str]:
    """Return the servers of each upstream block, in the order of the file."""
    blocks = re.findall(r"^upstream .*?^}", text, re.MULTILINE | re.DOTALL)
    return [" ".join(re.findall(r"^    server (\S+)", block, re.MULTILINE)) for block in blocks]


def test_every_upstream_has_all_servers() -> None:
    assert (
        servers_of(nginx_conf(("10.0.0.21:8000", "10.0.0.22:8000"))) == ["10.0.0.21:8000 10.0.0.22:8000"] * 2
    )


def test_slow_page_is_requested_from_another_server_only_if_there_is_one() -> None:
    assert nginx_conf(()) == (DEPLOY / "nginx.conf").read_text()
    timeout = "\n        proxy_read_timeout 3s;"
    assert timeout in nginx_conf(("a:1", "b:1"))
    assert timeout not in nginx_conf(("a:1",))
