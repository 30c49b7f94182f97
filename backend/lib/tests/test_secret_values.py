"""Secrets come from the environment or from files; what is wrong with them is one sentence."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from lib.secret_values import KNOWN, redis_url, refuse_known, secret


def test_a_secret_stands_in_the_environment_or_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("of a file\n")
    assert secret({}, "KEY") == ""
    assert secret({"KEY": "", "KEY_FILE": ""}, "KEY") == ""
    assert secret({"KEY": "of mine"}, "KEY") == "of mine"
    assert secret({"KEY": "", "KEY_FILE": str(file)}, "KEY") == "of a file"
    with pytest.raises(ImproperlyConfigured, match=r"^KEY and KEY_FILE are both set; keep one of them\.$"):
        secret({"KEY": "of mine", "KEY_FILE": str(file)}, "KEY")


@pytest.mark.parametrize(
    ("name", "why"),
    [("missing", "cannot be read (No such file or directory)"), ("folder", "cannot be read (Is a directory)"),
     ("empty", "is empty"), ("bytes", "cannot be read (it is not text)")],
)  # fmt: skip
def test_a_file_without_a_secret_is_named(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_text(" \n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(ImproperlyConfigured) as refused:
        secret({"KEY_FILE": str(tmp_path / name)}, "KEY")
    assert str(refused.value) == f"KEY_FILE is '{tmp_path / name}', which {why}; run deploy/make-secrets."


@pytest.mark.parametrize("value", [*sorted(KNOWN), "Postgres"])
def test_a_secret_that_everybody_knows_is_refused(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="KEY is a publicly known value"):
        refuse_known("KEY", value)
    refuse_known("KEY", f"{value}-and-more")


def test_the_password_of_the_queue_goes_into_its_address() -> None:
    variables = {"EYELEVEL_REDIS_URL": "redis://redis:6379/0"}
    assert redis_url({}) == "redis://127.0.0.1:6379/0"
    assert redis_url(variables) == "redis://redis:6379/0"
    assert redis_url(variables | {"EYELEVEL_REDIS_PASSWORD": "a/b"}) == "redis://:a%2Fb@redis:6379/0"
    assert redis_url({"EYELEVEL_REDIS_URL": "unix:///s?db=0", "EYELEVEL_REDIS_PASSWORD": "a"}) == "unix:///s?db=0"
    with pytest.raises(ImproperlyConfigured, match="EYELEVEL_REDIS_URL has a password"):
        redis_url({"EYELEVEL_REDIS_URL": "redis://:b@redis/0", "EYELEVEL_REDIS_PASSWORD": "a"})
