"""Middleware: request ids, security headers, body size limits, and 404 for URLs with control characters."""

import secrets
from collections.abc import Callable

import structlog
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from config.limits import limit_bytes
from lib.problems import Problem, not_found
from lib.text import is_line

Next = Callable[[HttpRequest], HttpResponseBase]

# browser features that are disabled: the pages play videos and need no others
REFUSED = (
    *("accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid"),
    *("idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
)
PERMISSIONS = ", ".join(f"{feature}=()" for feature in REFUSED)


class RequestIdMiddleware:
    """Gives each request an id, which its response and every log line about it contain."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id = secrets.token_hex(8)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response


class HeadersMiddleware:
    """Adds security headers to every response, beside those of Django and of the Content Security Policy."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response["Permissions-Policy"] = PERMISSIONS
        # no page of another site may embed or read our responses
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        if request.path.startswith("/api/"):
            # responses differ by user
            response.setdefault("Cache-Control", "no-store")
        return response


class PathMiddleware:
    """Answers 404 to URLs with control characters before they reach a query."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_line(request.path):
            return self.get_response(request)
        problem = not_found("such address")
        return JsonResponse(problem.as_json(), status=problem.status)


class BodyLimitMiddleware:
    """Rejects a request that is too large by its Content-Length, before any of the body is read."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        limit = limit_bytes(request.method or "", request.path)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > limit:
            message = f"The body has {length} bytes, but this address accepts at most {limit}."
            problem = Problem(413, "too_large", message)
            return JsonResponse(problem.as_json(), status=problem.status)
        return self.get_response(request)
