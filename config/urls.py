"""Every address of the site; they are permanent."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

from config.health import healthz, readyz
from standings import urls
from standings.preview import preview

urlpatterns = [
    path("admin/events/<int:event_id>/preview/<path:page>", preview, name="event-preview"),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path("", include(urls.files)),
    *i18n_patterns(path("", include("standings.urls")), prefix_default_language=False),
]
