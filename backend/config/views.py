"""Serves the built pages: every path outside the API gets the single page, which routes in the browser."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe


@require_safe
def page(request: HttpRequest, path: str = "") -> HttpResponse:
    # a file that is not there is missing, not a page
    if path.startswith(("api/", "assets/", "static/", "clips/")):
        return HttpResponseNotFound("Not found.\n", content_type="text/plain")
    return built_page("index.html")


def built_page(name: str) -> HttpResponse:
    """A document of the build, which browsers ask for again each time; 503 where there is no build."""
    document = settings.FRONTEND_DIST / name
    if not document.is_file():
        text = "The pages are not built yet: run `npm ci && npm run build` in frontend/.\n"
        return HttpResponse(text, status=503, content_type="text/plain")
    response = HttpResponse(document.read_bytes(), content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def csrf_failed(_request: HttpRequest, reason: str = "") -> HttpResponse:
    """In place of Django's own page, whose style our policy refuses."""
    text = "The form is too old, or came from another site. Go back, reload the page and try again.\n"
    return HttpResponse(text, status=403, content_type="text/plain; charset=utf-8")
