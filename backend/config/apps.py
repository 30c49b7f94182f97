"""App configuration of the project itself, so that Django finds its commands, and of Django's admin pages."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ConfigConfig(AppConfig):
    name = "config"


class AdminSiteConfig(AdminConfig):
    default_site = "accounts.admin_site.Site"
