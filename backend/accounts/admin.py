"""Accounts and tokens in Django's admin pages, read only: our own pages change them and log it."""

from django.contrib import admin
from django.contrib.auth.models import Group

from accounts.models import ApiToken, User
from accounts.rate_limit import LimitedAuthenticationForm
from lib.admin import ReadOnlyAdmin

# rights come from the role alone
admin.site.unregister(Group)
admin.site.login_form = LimitedAuthenticationForm


@admin.register(User)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("username", "role", "is_active", "last_login")
    list_filter = ("role", "is_active")
    fields = ("username", "role", "is_active", "last_login", "date_joined")


@admin.register(ApiToken)
class TokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "scope", "created_at", "expires_at", "last_used_at")
    fields = ("name", "user", "scope", "created_at", "expires_at", "last_used_at")
