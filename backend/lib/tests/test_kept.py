"""Every table has a row that says how long its data stay; what has days has a sweep."""

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User, in_days
from lib import retention
from lib.kept import KINDS, as_markdown
from lib.retention import period_of, sweep_all
from testing import studies


def test_every_table_is_listed_and_every_listed_one_is_there() -> None:
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    assert {table for kind in KINDS for table in kind.tables} == tables | {"django_migrations"}


def test_every_kind_with_days_has_a_sweep_and_no_other() -> None:
    assert set(retention._sweeps) == {kind.key for kind in KINDS if kind.days is not None} == {*settings.RETENTION_DAYS}
    assert len({kind.key for kind in KINDS}) == len(KINDS)
    assert all((kind.due and "{days}" in kind.kept) or kind.days == 0 for kind in KINDS if kind.days is not None)


@pytest.mark.django_db
@pytest.mark.services
def test_a_sweep_that_fails_keeps_no_other_and_a_setting_counts(
    settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    user: User = studies.user("ada", Role.ADMIN)
    for days in (-1, -5):
        ApiToken.issue(user=user, name="old", scope=Scope.RESULTS, expires_at=in_days(days))
    monkeypatch.setitem(retention._sweeps, "previews", lambda _now, _delete: 1 // 0)
    settings.RETENTION_DAYS = {**settings.RETENTION_DAYS, "tokens": 3}
    assert period_of("tokens").days == 3
    found = {swept.kind.key: swept.count for swept in sweep_all(timezone.now(), delete=True)}
    assert (found["previews"], found["tokens"], ApiToken.objects.count()) == (None, 1, 1)
    assert "The retention of previews failed" in caplog.text


def test_the_docs_have_this_table() -> None:
    page = (Path(settings.REPOSITORY) / "docs" / "reference" / "privacy.md").read_text(encoding="utf-8")
    assert as_markdown() in page, "print it by: manage.py apply_retention --table"


def test_a_setting_is_a_whole_number_of_days_and_compose_passes_it() -> None:
    compose = (Path(settings.REPOSITORY) / "docker-compose.yml").read_text(encoding="utf-8")
    for kind in KINDS:
        if kind.setting is not None:
            assert f"      {kind.setting}: ${{{kind.setting}:-}}\n" in compose
