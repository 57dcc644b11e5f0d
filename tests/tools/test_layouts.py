"""docs/layouts.md is up to date."""

from tools.layouts import PAGE, page


def test_page_of_layouts_is_up_to_date() -> None:
    made = page()

    assert PAGE.read_text(encoding="utf-8") == made, "python -m tools.layouts"
