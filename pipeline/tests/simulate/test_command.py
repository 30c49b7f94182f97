"""`eyelevel simulate` prints counts as JSON, also when the study is full halfway, and says that nobody was a person."""

import json
import sys
from pathlib import Path
from threading import Barrier

import httpx
import pytest

from eyelevel.cli import main
from eyelevel.simulate import command
from eyelevel.simulate.eyes import Sight
from eyelevel.simulate.model import READING_S
from eyelevel.simulate.platform import browser
from tests.simulate.fake import CLIP, TOKEN, FakePlatform


class Glance:
    def look(self, clip: bytes, *, halves: bool, start_ms: float) -> Sight:
        return Sight(si_ms=(1000.0,) * (1 + halves), duration_ms=start_ms + len(clip))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakePlatform:
    platform = FakePlatform(kinds=("rate",))

    def to_the_fake(origin: str) -> httpx.Client:
        return browser(origin, platform.transport())

    monkeypatch.setattr(command, "browser", to_the_fake)
    monkeypatch.setattr(command, "MeasuringEyes", lambda _: Glance())
    return platform


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setenv("EYELEVEL_TOKEN", TOKEN)
    monkeypatch.setattr(sys, "argv", ["eyelevel", "simulate", "--study", "http://platform/s/abc", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return int(ended.value.code)


def test_counts_are_the_only_thing_on_standard_output(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--participants", "3", "--seed", "5") == 0
    printed = capsys.readouterr()
    counts = json.loads(printed.out)
    assert (counts["simulated"], counts["seed"], counts["completed"], counts["votes"]) == (True, 5, 3, 3)
    assert len(fake.votes) == 3
    assert "simulated participants" in printed.err


def test_careless_people_are_counted_and_right_choices_given(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    choices = [{"key": key, "label": {"en": key}} for key in ("no", "yes")]
    fake.controls = [{"key": "reads", "after": 0, "label": {"en": "Do you read this?"}, "choices": choices}]
    assert run(monkeypatch, "--participants", "20", "--careless", "0.5", "--right", "reads=yes") == 0
    counts = json.loads(capsys.readouterr().out)
    assert 0 < counts["careless"] < 20
    assert counts["control_questions"] == 20
    wrong = [answers["reads"] for answers in fake.controlled].count("no")
    assert 0 < wrong <= counts["careless"]


def test_a_right_choice_that_the_question_does_not_have_is_named(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    choices = [{"key": key, "label": {"en": key}} for key in ("no", "yes")]
    fake.controls = [{"key": "reads", "after": 0, "label": {"en": "Do you read this?"}, "choices": choices}]
    assert run(monkeypatch, "--right", "reads=perhaps") == 4
    assert "--right says reads=perhaps, but the question has no such choice." in capsys.readouterr().err


def test_a_control_question_whose_right_choice_is_guessed_is_named_once(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    choices = [{"key": key, "label": {"en": key}} for key in ("no", "yes")]
    fake.controls = [
        {"key": "reads", "after": 0, "label": {"en": "Do you read this?"}, "choices": choices},
        {"key": "obeys", "after": 0, "label": {"en": "Choose yes."}, "choices": choices},
    ]
    warning = "the control question reads names none of its choices (no, yes). Participants answer the first, no."
    assert run(monkeypatch, "--participants", "3") == 0
    printed = capsys.readouterr()
    assert printed.err.count("Warning") == printed.err.count(warning) == 1
    assert {(answers["reads"], answers["obeys"]) for answers in fake.controlled} == {("no", "yes")}
    assert json.loads(printed.out)["completed"] == 3
    assert run(monkeypatch, "--participants", "3", "--right", "reads=yes") == 0
    assert "Warning" not in capsys.readouterr().err


@pytest.mark.parametrize("given", ["reads", "=yes", "reads="])
def test_a_right_choice_that_is_none_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    assert run(monkeypatch, "--right", given) == 4
    assert f"--right is {given!r}, but must be KEY=CHOICE" in capsys.readouterr().err


def test_a_study_that_is_full_halfway_keeps_the_counts_and_names_the_reason(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill_up(_: httpx.Request) -> None:
        fake.state = "full" if fake.finished == 2 else "open"

    fake.disturb = fill_up
    assert run(monkeypatch, "--participants", "5") == 6
    printed = capsys.readouterr()
    assert json.loads(printed.out)["completed"] == 2
    assert printed.err.endswith("eyelevel: The study abc is full; nobody can take part.\n")


@pytest.mark.parametrize(
    ("recruiter", "header", "row"),
    [
        (
            {"name": "Prolific", "id_parameter": "PROLIFIC_PID"},
            "Submission id,Participant id,Status,Completion code",
            "{SESSION_ID},{PROLIFIC_PID},AWAITING REVIEW,C1DONE00",
        ),
        (
            {"name": "MTurk", "id_parameter": "workerId"},
            "AssignmentId,WorkerId,AssignmentStatus,Answer.code",
            "{assignmentId},{workerId},SUBMITTED,C1DONE00",
        ),
        ({"name": "SONA", "id_parameter": "survey_code"}, "survey_code,code", "{survey_code},C1DONE00"),
    ],
)
def test_the_recruiters_list_has_the_ids_with_which_participants_came(
    fake: FakePlatform,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    *,
    recruiter: dict[str, str],
    header: str,
    row: str,
) -> None:
    fake.recruiter, fake.recruiter_code = recruiter, "C1DONE00"
    out = tmp_path / "list.csv"
    assert run(monkeypatch, "--participants", "3", "--submissions", str(out)) == 0
    assert out.read_text().splitlines() == [header, *(row.format_map(begun["arrival"]) for begun in fake.sessions)]
    people = [begun["recruit"]["id"] for begun in fake.sessions]
    assert people == [begun["arrival"][recruiter["id_parameter"]] for begun in fake.sessions]
    assert len(set(people)) == 3
    # not in a list: without ids
    assert run(monkeypatch) == 0
    assert not {"recruit", "arrival"} & set(fake.sessions[-1])


def test_a_list_that_nobody_can_have_or_write_is_refused_before_anybody_takes_part(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--submissions", str(tmp_path / "list.csv")) == 4
    assert "--submissions needs a link of a group with a recruiter, but abc has none" in capsys.readouterr().err
    assert run(monkeypatch, "--submissions", str(tmp_path / "none" / "list.csv")) == 4
    assert "list.csv cannot be written (No such file or directory)." in capsys.readouterr().err
    assert fake.sessions == []


def test_several_take_part_at_once_and_all_of_them_wait_in_real_time(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waited: list[float] = []
    barrier = Barrier(3)

    def sleep(seconds: float) -> None:
        # all three wait at the same time, or this breaks
        if seconds == READING_S:
            barrier.wait(timeout=30)
        waited.append(seconds)

    monkeypatch.setattr("time.sleep", sleep)
    assert run(monkeypatch, "--participants", "3", "--at-once", "3", "--real-time") == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["real_time"], counts["completed"], counts["votes"]) == (True, 3, 3)
    clip_s = (1000 + len(CLIP)) / 1000
    assert sorted(waited)[-3] >= clip_s + 0.5


def test_nobody_takes_part_without_a_token(
    fake: FakePlatform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--token", "another") == 6
    assert "A simulated session needs a valid API token" in capsys.readouterr().err
    assert fake.sessions == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--participants", "0"),
        ("--participants", "1000000"),
        ("--seed", "-1"),
        ("--at-once", "0"),
        ("--careless", "1.5"),
    ],
)
def test_what_is_out_of_bounds_is_refused(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, str]) -> None:
    assert run(monkeypatch, *arguments) == 2
