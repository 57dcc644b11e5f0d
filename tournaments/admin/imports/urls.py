"""The addresses of imports."""

from django.urls import path

from tournaments.admin.imports import screens

urlpatterns = [
    path("events/import/", screens.new_import, name="import"),
    path("events/import/<int:upload_id>/", screens.new_preview, name="import-preview"),
    path("events/<int:event_id>/import/", screens.event_import, name="event-import"),
    path("events/<int:event_id>/import/<int:upload_id>/", screens.event_preview, name="event-import-preview"),
    path("events/<int:event_id>/uploads/<int:upload_id>/", screens.uploaded, name="event-upload"),
]
