"""Logs are JSON lines that name the request or the task, and hold nothing that a person sent."""

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from typing import Any

import pytest

from config import celery, logs
from testing.web import stranger

SENT = "w-17-unmistakable"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the configured handler writes."""
    configuration: Any = logs.configuration()
    out = io.StringIO()
    configuration["handlers"]["stderr"]["stream"] = out
    configuration["handlers"].pop("groups")
    configuration["root"]["handlers"] = ["stderr"]
    handlers, level = logging.root.handlers[:], logging.root.level
    logging.config.dictConfig(configuration)
    yield out
    logging.root.handlers, logging.root.level = handlers, level


@pytest.mark.django_db
@pytest.mark.services
def test_a_failure_is_one_line_with_the_id_of_the_response(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError(SENT)

    monkeypatch.setattr("ratings.api.invitation", broken)
    monkeypatch.setattr("ratings.sessions.fielding_of", lambda slug: slug)
    answer = stranger().get(f"/api/participate/{SENT}")
    assert answer.status_code == 500
    (line,) = [json.loads(text) for text in written.getvalue().splitlines() if '"config.api"' in text]
    assert line["event"] == "GET api/participate/<slug> failed"
    assert (line["level"], line["error"], line["request_id"]) == ("error", "ValueError", answer["X-Request-Id"])
    assert "in broken" in line["trace"]
    assert SENT not in written.getvalue()


def test_a_refused_request_is_named_without_what_its_sender_wrote(written: io.StringIO) -> None:
    answer = stranger().get("/", headers={"host": f"{SENT}.example.org"})
    assert answer.status_code == 400
    (line,) = [json.loads(text) for text in written.getvalue().splitlines() if "django.security" in text]
    assert line["event"] == "A request had a host name that is not in EYELEVEL_ALLOWED_HOSTS."
    assert (line["error"], line["request_id"]) == ("DisallowedHost", answer["X-Request-Id"])
    assert SENT not in written.getvalue()


def test_a_task_is_named_while_it_runs(written: io.StringIO) -> None:
    class Task:
        name = "analysis.tasks.analyse"

    celery.name_task_in_logs(task_id="t-1", task=Task())
    logging.getLogger("analysis").info("Working.")
    celery.forget_task_in_logs()
    logging.getLogger("analysis").info("Done.")
    first, second = map(json.loads, written.getvalue().splitlines())
    assert (first["task"], first["task_id"], first["event"]) == ("analysis.tasks.analyse", "t-1", "Working.")
    assert "task" not in second
    assert first["at"].endswith("Z")
