"""A recording says by which seed its page drew, and which date the page had."""

from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.errors import BadInputError
from eyelevel.recording import chance_seed, recorded_at_ms

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
NOON_MS = 1_519_128_000_000
# 2024-05-04T08:00:00Z, in its first response
GARDEN_MS = 1_714_809_600_000


def recording(path: Path, **fields: str) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "test", **named}))
    return path


def test_seed_and_date_are_read_from_the_warcinfo_record(tmp_path: Path) -> None:
    path = recording(
        tmp_path / "a.warc.gz", eyelevel_chance_seed="2147483647", eyelevel_page_date="2018-02-20T12:00:00Z"
    )
    assert chance_seed(path) == 2**31 - 1
    assert recorded_at_ms(path) == NOON_MS


def test_a_recording_of_another_tool_has_no_seed_and_the_date_of_its_first_response() -> None:
    assert chance_seed(FIXTURES / "garden.warc.gz") is None
    assert recorded_at_ms(FIXTURES / "garden.warc.gz") == GARDEN_MS


@pytest.mark.parametrize("seed", ["2147483648", "-1", "1.5", "x", "²"])
def test_a_seed_that_no_page_can_have_is_named(tmp_path: Path, seed: str) -> None:
    path = recording(tmp_path / "a.warc.gz", eyelevel_chance_seed=seed)
    with pytest.raises(BadInputError, match=r"a\.warc\.gz: the field eyelevel-chance-seed .* 0 to 2147483647"):
        chance_seed(path)


@pytest.mark.parametrize("date", ["today", "2018-13-01T00:00:00Z"])
def test_a_date_that_is_none_is_named(tmp_path: Path, date: str) -> None:
    path = recording(tmp_path / "a.warc.gz", eyelevel_page_date=date)
    with pytest.raises(BadInputError, match=r"a\.warc\.gz: the field eyelevel-page-date"):
        recorded_at_ms(path)


def test_a_file_that_is_no_warc_has_no_seed_and_its_date_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(b"warc")
    assert chance_seed(tmp_path / "a.warc.gz") is None
    with pytest.raises(BadInputError, match=r"a\.warc\.gz is not a WARC file"):
        recorded_at_ms(tmp_path / "a.warc.gz")


def test_a_response_with_a_date_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        response = writer.create_warc_record(
            "https://garden.example/", "response", payload=BytesIO(b"moss"), length=4,
            http_headers=StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"),
            warc_headers_dict={"WARC-Date": "20180220120000"},
        )  # fmt: skip
        writer.write_record(response)
    with pytest.raises(BadInputError) as caught:
        recorded_at_ms(path)
    assert str(caught.value) == (
        f"{path}: the WARC-Date of the response for https://garden.example/ is '20180220120000', and must be a date "
        "such as 2026-11-24T12:00:00Z; correct it, or record the page again."
    )


def test_of_an_endless_warcinfo_record_only_the_beginning_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recording(tmp_path / "a.warc.gz", **{"x-filler": "x" * 1000, "eyelevel-chance-seed": "7"})
    assert chance_seed(path) == 7
    monkeypatch.setattr("eyelevel.recording.INFO_BYTES", 100)
    assert chance_seed(path) is None
