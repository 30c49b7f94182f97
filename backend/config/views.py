"""Serves the built pages: every path outside the API gets the single-page application, which routes in the browser."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe


@require_safe
def page(request: HttpRequest, path: str = "") -> HttpResponse:
    # a missing file is an error, and not a path of a page
    if path.startswith(("api/", "assets/", "static/", "clips/")):
        return HttpResponseNotFound("Not found.\n", content_type="text/plain")
    return built_page("index.html")


def built_page(name: str) -> HttpResponse:
    """A document of the build, which browsers revalidate on each use; 503 if there is no build."""
    document = settings.FRONTEND_DIST / name
    if not document.is_file():
        text = "The pages are not built yet: run `npm ci && npm run build` in frontend/.\n"
        return HttpResponse(text, status=503, content_type="text/plain")
    response = HttpResponse(document.read_bytes(), content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def csrf_failed(_request: HttpRequest, reason: str = "") -> HttpResponse:
    """Plain-text replacement of Django's page, whose inline style the Content Security Policy blocks."""
    text = "The form has expired, or came from another site. Go back, reload the page and try again.\n"
    return HttpResponse(text, status=403, content_type="text/plain; charset=utf-8")
