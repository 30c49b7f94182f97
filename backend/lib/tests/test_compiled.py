"""A compiled query finds what the ORM finds, with other values each time."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.models import QuerySet

from lib.compiled import Compiled, Part

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def codename(named: str) -> QuerySet[Permission]:
    return Permission.objects.filter(codename=named, content_type__app_label="accounts")


@pytest.fixture
def compiled() -> Compiled:
    parts = (Part(Permission, but=("name",)), Part(ContentType, "content_type", only=("model",)))
    return Compiled(codename, parts=parts, also=("content_type__app_label",), named="nobody's name")


def test_it_finds_the_row_of_each_value(compiled: Compiled) -> None:
    for name in ("add_user", "delete_user"):
        found = compiled.first(named=name)
        assert found is not None
        (permission, content_type), also = found
        assert permission == codename(name).get()
        assert (content_type, content_type.model, also) == (permission.content_type, "user", ("accounts",))
    assert compiled.first(named="no such permission") is None


def test_what_is_in_no_part_is_read_when_asked_for(compiled: Compiled) -> None:
    found = compiled.first(named="add_user")
    assert found is not None
    assert found[0][0].get_deferred_fields() == {"name"}
    assert found[0][0].name == "Can add user"


def test_a_part_that_is_not_there_is_none() -> None:
    def of_nobody(named: str) -> QuerySet[Any]:
        return ContentType.objects.filter(model=named)

    ContentType.objects.create(app_label="bare", model="bare")
    compiled = Compiled(of_nobody, parts=(Part(ContentType), Part(Permission, "permission")), named="nobody's")
    found = compiled.first(named="bare")
    assert found is not None
    assert (found[0][0].app_label, found[0][1]) == ("bare", None)


def test_a_value_that_the_query_does_not_use_is_told() -> None:
    compiled = Compiled(lambda named, other: codename(named), parts=(Part(Permission),), named="a", other="b")
    with pytest.raises(ValueError, match="does not use other"):
        compiled.first(named="add_user", other="x")


@pytest.mark.django_db(transaction=True)
def test_it_is_planned_once_for_each_connection(compiled: Compiled) -> None:
    def planned() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%auth_permission%'")
            return int(cursor.fetchone()[0])

    connection.close()
    assert planned() == 0
    for _ in range(2 * connection.settings_dict["OPTIONS"]["prepare_threshold"]):
        assert compiled.first(named="add_user") is not None
    assert planned() == 1


def test_all_rows_are_given_in_their_order() -> None:
    def of_model(named: str) -> QuerySet[Any]:
        return Permission.objects.filter(content_type__model=named).order_by("codename")

    compiled = Compiled(of_model, parts=(Part(Permission),), also=("codename",), named="nobody's")
    rows = compiled.all(named="group")
    expected = ["add_group", "change_group", "delete_group", "view_group"]
    assert [(found[0].codename, *also) for found, also in rows] == [(name, name) for name in expected]
    assert compiled.all(named="no such model") == []
