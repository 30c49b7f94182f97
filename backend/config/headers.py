"""Headers that every answer carries, beside those of Django and of the Content Security Policy."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

# The pages play videos and nothing else.
REFUSED = (
    *("accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
    *("idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
)
PERMISSIONS = ", ".join(f"{feature}=()" for feature in REFUSED)


class HeadersMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response["Permissions-Policy"] = PERMISSIONS
        # no page of another site may embed or read anything of ours
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        if request.path.startswith("/api/"):
            # answers differ by who asks
            response.setdefault("Cache-Control", "no-store")
        return response
