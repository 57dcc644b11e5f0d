"""Pages after redirects, and their tables as text."""

import re

from django.test import Client

from tests.standings.drawn import visible


def read(client: Client, address: str) -> str:
    """Return the page at the end of the redirects, which must exist."""
    answer = client.get(address, follow=True)
    assert answer.status_code == 200, (address, answer.status_code)
    return answer.content.decode()


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the visible cells of the table labelled by the heading with this id."""
    table = page.partition(f'aria-labelledby="{heading}"')[2].partition("</tbody>")[0].partition("<tbody")[2]
    lines = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    return [[visible(cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", line)] for line in lines]
