"""URL patterns."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path, re_path

from config.api import api
from config.study_page import study_page
from config.views import page
from health.metrics import metrics
from ratings.views import clip

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", api.urls),
    path("clips/<str:token>", clip),
    path("metrics", metrics),
    path("django-admin/", admin.site.urls),
    re_path(r"^s/(?P<slug>[^/]+)/?$", study_page),
    re_path(r"^s/(?P<slug>[^/]+)/preview/?$", study_page, {"preview": True}),
    re_path(r"^(?P<path>.*)$", page),
]
