"""Headers on every response that restrict what browsers may do with it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from config.crossorigin import is_data

Answer = Callable[[HttpRequest], HttpResponse]

DEVICES = (
    *(
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "fullscreen",
        "geolocation",
    ),
    *("gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock"),
    *("serial", "usb", "web-share", "xr-spatial-tracking"),
)
"""Browser features that no page uses. Second factors need `publickey-credentials-…`."""

PERMISSIONS_POLICY = ", ".join(f"{device}=()" for device in DEVICES)


def middleware(answer: Answer) -> Answer:
    """Add the security headers.

    Other sites may embed data, but no pages, scripts or screens of the desk.
    """

    def with_policies(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        policy = "cross-origin" if is_data(request) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return with_policies
