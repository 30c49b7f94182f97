"""Accounts and tokens in Django's admin pages, read-only: the platform's own pages change them and record it."""

from django.contrib import admin
from django.contrib.auth.models import Group
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import ApiToken, User
from lib.admin import ReadOnlyAdmin

# permissions depend on the role alone, and only its owner manages a second factor
admin.site.unregister([Group, StaticDevice, TOTPDevice])


@admin.register(User)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("username", "role", "is_active", "last_login")
    list_filter = ("role", "is_active")
    fields = ("username", "role", "is_active", "last_login", "date_joined")


@admin.register(ApiToken)
class TokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "scope", "created_at", "expires_at", "last_used_at")
    fields = ("name", "user", "scope", "created_at", "expires_at", "last_used_at")
