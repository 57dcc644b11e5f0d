"""URLs of persons and teams at the desk, in the namespace `admin` (`tournaments.admin.urls`)."""

from django.urls import URLPattern, path

from tournaments.people.views import detail, hiding, history, links, merging, search, suggestions


def urls_of(kind: str, plural: str) -> list[URLPattern]:
    """Return the URLs about persons or teams. `kind` is passed to the views; `plural` is the URL prefix."""
    one = f"{plural}/<int:key>/"
    views = (
        (f"{plural}/new/", detail.new, f"{kind}-new"),
        (one, detail.detail, kind),
        (f"{one}link/", links.link_entry, f"{kind}-link"),
        (f"{one}merge/", merging.merge_view, f"{kind}-merge"),
        (f"{one}split/", merging.split_view, f"{kind}-split"),
        (f"{plural}/links/<int:key>/take-away/", links.remove_link, f"{kind}-unlink"),
    )
    return [path(route, view, {"kind": kind}, name=name) for route, view, name in views]


urlpatterns = [
    path("people/", search.search, name="people"),
    path("people/links/", suggestions.suggestions, name="people-links"),
    path("people/acts/", history.history, name="people-acts"),
    path("people/acts/<int:key>/undo/", history.undo_act, name="people-undo"),
    path("people/<int:key>/hide/", hiding.hide_person, name="person-hide"),
    path("people/<int:key>/remaining/", hiding.mentions, name="person-remaining"),
    *urls_of("person", "people"),
    *urls_of("team", "teams"),
]
