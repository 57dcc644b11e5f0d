"""Every address of the site; they are permanent."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("standings.urls")),
]
