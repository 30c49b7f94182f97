"""Accounts in Django's admin pages."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.models import ApiToken, User

if TYPE_CHECKING:
    TokenAdminBase = admin.ModelAdmin[ApiToken]
    UserAdminBase = UserAdmin[User]
else:
    TokenAdminBase, UserAdminBase = admin.ModelAdmin, UserAdmin


@admin.register(User)
class AccountAdmin(UserAdminBase):
    list_display = ("username", "role", "is_active", "last_login")
    list_filter = ("role", "is_active")
    fieldsets = (
        (None, {"fields": ("username", "password", "role", "is_active")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "role", "usable_password", "password1", "password2")}),)


@admin.register(ApiToken)
class TokenAdmin(TokenAdminBase):
    """Tokens are issued by `manage.py issue_token`, which shows them once; here they are seen and withdrawn."""

    list_display = ("name", "user", "scope", "created_at", "expires_at")
    fields = ("name", "user", "scope", "created_at", "expires_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
