"""The selection of requests of a visit."""

from tools.samepages.visit import Form, Request, Sample, group_of, links_of

STANDINGS = "/events/cup/standings/"


def test_links_of_a_page_include_fragments_and_the_api() -> None:
    html = '<a href="../rounds/1/2/?notation=2-0&amp;cells=W12#top">A</a> <a href="https://elsewhere.example/">B</a>'
    address = "/events/cup/rounds/1/2/?notation=2-0&cells=W12"
    assert list(links_of(STANDINGS, "text/html", html)) == [Request(address), Request(address, htmx=True)]
    assert list(links_of(STANDINGS, "text/html", '<a href="./">A</a>')) == [
        Request(STANDINGS),
        Request(STANDINGS, htmx=True),
        Request(f"/api{STANDINGS}"),
    ]


def test_links_in_data_are_absolute_urls_without_placeholders() -> None:
    data = (
        '{"here": "https://crosstable.example/api/", "each": "https://crosstable.example/api/events/{slug}/"}'
    )
    assert list(links_of("/api/", "application/json", data)) == [Request("/api/")]
    assert list(links_of("/", "application/xml", "<loc>https://crosstable.example/nl/</loc>")) == [
        Request("/nl/")
    ]


def test_screens_of_the_desk_are_requested_by_the_organiser() -> None:
    assert list(links_of("/", "text/html", '<a href="/admin/">A</a>')) == [Request("/admin/", "organiser")]


def test_url_of_a_form_has_its_default_values() -> None:
    form = Form(
        '<form action="compare/"><select name="first"><option value="1">A<option value="2" selected></select>'
        '<input name="q" value="a b"></form>'
    )
    assert form.address == "compare/?first=2&q=a+b"
    assert Form('<form method="post" action="x/"><input name="q"></form>').address == ""


def test_requests_of_a_group_differ_in_numbers_and_values_only() -> None:
    one, other = (
        Request("/events/2018-cup/rounds/1/2/?sort=a"),
        Request("/events/2018-cup/rounds/10/3/?sort=b"),
    )
    assert group_of(one) == group_of(other)
    assert group_of(one) != group_of(Request("/events/2022-cup/rounds/1/2/?sort=a"))
    assert group_of(one) != group_of(one._replace(htmx=True))
    assert group_of(Request("/admin/events/1/roster/")) != group_of(Request("/admin/events/2/roster/"))


def test_sample_is_reproducible_and_can_include_all() -> None:
    requests = [Request(f"/events/cup/rounds/1/{table}/") for table in range(300)]

    def taken(*, everything: bool) -> list[Request]:
        sample = Sample(everything=everything)
        return [request for request in requests if sample.takes(request)]

    assert taken(everything=False) == taken(everything=False)
    assert taken(everything=False)[:4] == requests[:4]
    assert 4 < len(taken(everything=False)) < 40
    assert taken(everything=True) == requests
