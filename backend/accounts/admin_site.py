"""Django's admin pages behind the platform's login, so that second factor, limits and audit log always apply."""

from typing import Any
from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from accounts import second_factor
from accounts.models import User


class Site(AdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return super().has_permission(request) and isinstance(user, User) and not second_factor.is_needed(user)

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            # this page explains what is missing: the role, or a second factor
            return redirect("/admin")
        return redirect(f"/login?{urlencode({'next': request.GET.get('next', '/django-admin/')})}")

    def get_urls(self) -> list[Any]:
        # Django's page sets a password without an entry in the audit log
        return [path("password_change/", lambda _request: redirect("/account")), *super().get_urls()]
