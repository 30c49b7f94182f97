"""No address of ours has a control character: what has one is not there, and no database is asked for it."""

from collections.abc import Callable

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from lib.problems import not_found
from lib.text import is_line


class PathMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_line(request.path):
            return self.get_response(request)
        problem = not_found("such address")
        return JsonResponse(problem.as_json(), status=problem.status)
