"""Lists of rows in forms."""

from typing import Any

import pytest
from django import forms
from django.http import QueryDict
from selectolax.lexbor import LexborHTMLParser

from tournaments.admin.competitors.particulars import AdjustmentRow, ByeRow, DecisionRow
from tournaments.admin.events.eventform import ForbiddenRow, OfficialRow
from tournaments.admin.prizes import CategoryRow, PrizeRow
from tournaments.admin.rows import Row, RowsField

ROWS: dict[type[Row], dict[str, Any]] = {
    OfficialRow: {},
    ForbiddenRow: {},
    ByeRow: {},
    AdjustmentRow: {"without": ["match"]},
    DecisionRow: {},
    CategoryRow: {"languages": {"nl": "Dutch"}},
    PrizeRow: {"codes": ["U20"]},
}


def posted_by_browser(html: str) -> QueryDict:
    """Return what a browser posts of an untouched form."""
    posted = QueryDict(mutable=True)
    for field in LexborHTMLParser(html).css("input, select"):
        options = field.css("option")
        chosen = [each for each in options if "selected" in each.attributes] or options[:1]
        if field.attributes.get("type") != "checkbox" or "checked" in field.attributes:
            value = chosen[0].attributes["value"] if options else field.attributes.get("value")
            posted.appendlist(str(field.attributes["name"]), value or "")
    return posted


@pytest.mark.parametrize(("row", "options"), ROWS.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_untouched_blank_row_is_left_out(row: type[Row], options: dict[str, Any]) -> None:
    class Untouched(forms.Form):
        rows = RowsField(row, extra=2)

        def __init__(self, *data: Any) -> None:
            super().__init__(*data)
            self.fields["rows"].widget.row_options = options

    form = Untouched(posted_by_browser(str(Untouched()["rows"])))
    assert form.is_valid(), form.errors
    assert form.cleaned_data["rows"] == []
    assert not form.has_changed()


@pytest.mark.parametrize(("count", "text"), [("x", ""), (str(2**63), "Ann")])
def test_invalid_number_of_rows_is_refused(count: str, text: str) -> None:
    class Listed(forms.Form):
        rows = RowsField(OfficialRow)

    stored = [{"role": "chief-arbiter", "name": "Ann"}]
    posted = posted_by_browser(str(Listed(initial={"rows": stored})["rows"]))
    posted["rows-TOTAL_FORMS"] = count
    form = Listed(posted, initial={"rows": stored})
    assert not form.is_valid()
    assert text in form.fields["rows"].text(form["rows"].data)  # type: ignore[attr-defined]  # a RowsField


@pytest.mark.parametrize(("name", "count"), [("Ann", 2), ("", 1)])
def test_refused_rows_are_followed_by_a_blank_row(name: str, count: int) -> None:
    class Listed(forms.Form):
        rows = RowsField(OfficialRow)

    posted = posted_by_browser(str(Listed()["rows"]))
    posted["rows-0-name"] = name
    html = str(Listed(posted)["rows"])
    again = posted_by_browser(html)
    assert again["rows-TOTAL_FORMS"] == str(count)
    assert again["rows-0-name"] == name
    assert f"rows-{count - 1}-name" in again
    assert f"rows-{count}-name" not in again
    assert html.count("This field is required.") == count - 1  # the office of Ann
