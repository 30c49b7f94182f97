"""A page of a list is tried as often as patience allows, and reported whatever became of it."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.disk import DiskFullError
from eyelevel.errors import BadInputError, ToolMissingError, UnreachableError
from eyelevel.record.many import FAILED, KEPT, RECORDED, Patience, SiteResult, check_kept, record_site
from eyelevel.record.many_report import read_report, report_csv, sentence
from eyelevel.record.page import Recorded
from eyelevel.record.sites import ListedSite
from eyelevel.recorded import Response

SITE = ListedSite("garden", "https://garden.example/", 1)
FOUND = (
    Response("https://garden.example/", 200, "text/html", 1500, "192.0.2.1"),
    Response("http://127.0.0.2:81/a.png", 200, "image/png", 500, "127.0.0.2"),
    Response("https://garden.example/b.png", 200, "image/png", 9000, "192.0.2.1", visit=2),
)


class Recorder:
    """Fails as often as it is told, then records."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)

    def __call__(self, url: str, file: Path) -> Recorded:
        assert (url, file.name) == (SITE.url, "garden.warc.gz")
        if self.failures:
            raise self.failures.pop(0)
        return Recorded("Garden", FOUND, ("https://garden.example/lost",), 2)


def tried(recorder: Recorder, attempts: int = 3) -> tuple[SiteResult, list[float], list[str]]:
    pauses: list[float] = []
    messages: list[str] = []
    result = record_site(
        SITE, Path("out"), record=recorder, patience=Patience(attempts, 5.0), tell=messages.append, sleep=pauses.append
    )
    return result, pauses, messages


def test_a_page_that_answers_is_recorded_at_once() -> None:
    result, pauses, messages = tried(Recorder())
    assert (result.outcome, result.attempts, result.visits, result.title) == (RECORDED, 1, 2, "Garden")
    assert (pauses, messages) == ([0.0], [])


def test_pauses_before_further_attempts_double_and_each_failure_is_reported() -> None:
    result, pauses, messages = tried(Recorder(UnreachableError("refused."), UnreachableError("timed out.")))
    assert (result.outcome, result.attempts) == (RECORDED, 3)
    assert pauses == [0.0, 5.0, 10.0]
    assert messages == ["attempt 1 of 3: refused.", "attempt 2 of 3: timed out."]


def test_attempts_are_bounded_and_the_last_error_is_kept() -> None:
    result, pauses, _ = tried(Recorder(*(UnreachableError(f"error {number}.") for number in range(9))), attempts=2)
    assert (result.outcome, result.attempts, result.error) == (FAILED, 2, "error 1.")
    assert pauses == [0.0, 5.0]


@pytest.mark.parametrize("error", [ToolMissingError("x"), BadInputError("x"), DiskFullError(None, "x")])
def test_what_another_attempt_does_not_cure_ends_the_command(error: Exception) -> None:
    with pytest.raises(type(error)):
        tried(Recorder(error))


def test_the_report_has_a_row_per_site_with_unknown_left_empty() -> None:
    failed = SiteResult(
        ListedSite("moss", "https://moss.example/", 2), Path("moss.warc.gz"), FAILED, 3, error="refused."
    )
    kept = SiteResult(SITE, Path("out/garden.warc.gz"), KEPT, 0, responses=FOUND)
    first, second, third = csv.DictReader(report_csv([tried(Recorder())[0], failed, kept]).splitlines())
    assert first == {
        "site": "garden", "url": SITE.url, "recording": "garden.warc.gz", "outcome": "recorded", "attempts": "1",
        "visits": "2", "responses": "2", "hosts": "2", "addresses": "2", "addresses_by": "recorded, else by host",
        "body_bytes": "2000", "requests_not_recorded": "1", "hosts_not_served": "127.0.0.2:81", "title": "Garden",
        "error": "",
    }  # fmt: skip
    assert {name: value for name, value in second.items() if value} == {
        "site": "moss", "url": "https://moss.example/", "outcome": "failed", "attempts": "3", "error": "refused.",
    }  # fmt: skip
    assert (third["outcome"], third["attempts"], third["visits"], third["requests_not_recorded"]) == (
        "kept",
        "0",
        "",
        "",
    )
    assert (third["responses"], third["recording"]) == ("2", "garden.warc.gz")


def test_what_was_kept_has_what_an_earlier_report_knew_of_it() -> None:
    recorded = replace(tried(Recorder())[0], title="Garden\u2028gate")
    before = read_report(report_csv([recorded]))
    kept = SiteResult(SITE, Path("out/garden.warc.gz"), KEPT, 0, responses=FOUND, before=before["garden"])
    (row,) = csv.DictReader(io.StringIO(report_csv([kept])))
    assert row == before["garden"] | {"outcome": "kept", "attempts": "0"}
    assert (row["visits"], row["requests_not_recorded"], row["title"]) == ("2", "1", "Garden\u2028gate")
    assert read_report("site,url\r\ngarden,x\r\n") == {}


def test_each_site_has_a_sentence() -> None:
    contents = "2 responses of 2 hosts at 2 addresses (recorded, else by host), 2.0 kB, and 1 more from later visits"
    assert sentence(tried(Recorder())[0]) == (
        f"{contents}; 1 request without a recorded answer: https://garden.example/lost"
    )
    assert sentence(SiteResult(SITE, Path("x"), KEPT, 0, responses=FOUND)) == f"kept unchanged: {contents}"
    assert sentence(SiteResult(SITE, Path("x"), FAILED, 1, error="refused")) == "failed after 1 attempt: refused"
    many = SiteResult(SITE, Path("x"), RECORDED, 1, responses=FOUND[:1], unrecorded=tuple("abcde"))
    assert sentence(many).endswith("5 requests without a recorded answer: a, b, c and 2 more")


def test_only_a_recording_of_the_same_page_is_kept(tmp_path: Path) -> None:
    fixtures = Path(__file__).resolve().parents[3] / "fixtures"
    (tmp_path / "garden.warc.gz").write_bytes((fixtures / "garden.warc.gz").read_bytes())
    same = ListedSite("garden", "https://www.quietgarden.example", 1)
    assert list(check_kept(tmp_path, [same, ListedSite("moss", "https://moss.example/", 2)])) == ["garden"]
    with pytest.raises(BadInputError, match=r"garden\.warc\.gz has no response for https://garden\.example/.*line 1"):
        check_kept(tmp_path, [SITE])
