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
"""What no page of ours asks a browser for; keys of a second factor (`publickey-credentials-…`) it may."""

PERMISSIONS_POLICY = ", ".join(f"{device}=()" for device in DEVICES)


def middleware(answer: Answer) -> Answer:
    """Return the answer with what browsers must not do with it.

    Other sites may take data into their pages; of pages, scripts and the desk nothing.
    """

    def with_policies(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        policy = "cross-origin" if is_data(request) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return with_policies
