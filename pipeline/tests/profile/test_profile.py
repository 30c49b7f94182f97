"""A profile counts what a load of each recording downloads, from where, and of which type."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.errors import BadInputError
from eyelevel.profile.command import profile
from eyelevel.profile.figures import figures
from eyelevel.profile.rows import TYPES, recording_row, type_of, type_rows
from eyelevel.recorded import Response

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
FOUND = (
    Response("https://a.example/", 200, "text/html", 1000, "192.0.2.1"),
    Response("https://a.example/a.css", 200, "text/css", 300, "192.0.2.1"),
    Response("https://b.example/b.js", 200, "text/javascript", 200, "192.0.2.1"),
    Response("https://c.example/c.png", 200, "image/png", 500, "10.0.0.7"),
    Response("https://d.example/d", 302, None, 0, None),
    Response("https://e.example/late", 200, "image/png", 9000, "192.0.2.9", visit=2),
)


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_objects_hosts_addresses_and_bytes_are_of_the_first_visit() -> None:
    row = recording_row("list", "a", FOUND)
    assert (row.objects, row.hosts, row.body_bytes) == (5, 4, 2000)
    # a private address tells of the recorder; its host, and the one without an address, count as one each
    assert (row.servers, row.servers_by) == (3, "recorded, else by host")
    assert {name: size for name, size in row.bytes_by_type.items() if size} == {
        "document": 1000, "style": 300, "script": 200, "image": 500,
    }  # fmt: skip
    assert row.objects_by_type["other"] == 1


def test_addresses_are_recorded_or_one_per_host() -> None:
    assert recording_row("", "a", FOUND[:2]).servers_by == "recorded"
    alone = recording_row("", "a", FOUND[3:5])
    assert (alone.servers, alone.servers_by) == (2, "by host")


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("text/html", "document"), ("application/xhtml+xml", "document"), ("application/x-javascript", "script"),
        ("image/svg+xml", "image"), ("application/font-woff2", "font"), ("font/woff2", "font"), ("video/mp4", "media"),
        ("application/json", "data"), ("application/geo+json", "data"), ("application/octet-stream", "other"),
        (None, "other"),
    ],
)  # fmt: skip
def test_a_type_is_that_of_the_media_type(media_type: str | None, expected: str) -> None:
    assert type_of(media_type) == expected


def test_types_are_summed_by_list_and_have_no_share_of_nothing() -> None:
    rows = type_rows([recording_row("one", "a", FOUND), recording_row("none", "b", FOUND[4:5])])
    assert [row.type for row in rows] == [*TYPES, *TYPES]
    assert [row.share for row in rows[:4]] == [0.5, 0.15, 0.1, 0.25]
    assert {row.share for row in rows[8:]} == {None}


def test_every_list_has_a_panel_on_the_same_scale() -> None:
    lists = ("first", "second", "third", "fourth")
    drawn = {figure.name: figure for figure in figures([recording_row(name, "a", FOUND) for name in lists])}
    assert list(drawn) == ["objects", "size", "addresses", "sites"]
    objects = drawn["objects"]
    panels = objects.element().findall("g")
    assert [panel.findtext("text") for panel in panels] == [f"{name} (n = 1)" for name in lists]
    assert [panel.get("transform") for panel in panels] == [
        "translate(0 0)", "translate(350 0)", "translate(0 240)", "translate(350 240)",
    ]  # fmt: skip
    # 5 objects, on an axis from 0 to 5
    assert {panel.find("path").get("d") for panel in panels} == {"M 44 190 H 330 V 30 H 330"}  # type: ignore[union-attr]
    assert "first: 1\N{NO-BREAK SPACE}recording, median 5." in objects.description
    assert "recorded, else one per host (n = 1)" in "".join(drawn["addresses"].element().itertext())


def test_a_profile_is_written_from_folders_and_files(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        profile, [str(FIXTURES), str(FIXTURES / "garden.warc.gz"), "--out", str(tmp_path / "new" / "out")]
    )
    assert result.exit_code == 0, result.output
    rows = read(tmp_path / "new" / "out" / "recordings.csv")
    assert [(row["list"], row["recording"]) for row in rows] == [
        *(("fixtures", name) for name in ("garden", "harbour", "saif2020-alike", "saif2020-large", "teashop")),
        ("recordings", "garden"),
    ]
    garden = rows[0]
    assert (garden["objects"], garden["hosts"], garden["addresses"], garden["addresses_by"]) == (
        "26",
        "5",
        "4",
        "recorded",
    )
    assert sum(int(garden[f"{name}_bytes"]) for name in TYPES) == int(garden["body_bytes"])
    for name in ("objects", "size", "addresses", "sites"):
        assert (tmp_path / "new" / "out" / f"{name}.svg").read_text().rstrip().endswith("</svg>")


def test_a_file_that_is_not_a_recording_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.warc.gz").write_bytes((FIXTURES / "garden.warc.gz").read_bytes()[:5000])
    (tmp_path / "text.warc").write_text("hello")
    for given, sentence in (
        (["none"], "none does not exist"),
        (["empty"], "empty contains no recording"),
        (["broken.warc.gz"], "broken.warc.gz is not a WARC file, or is damaged after record"),
        (["text.warc"], "text.warc is not a WARC file"),
        ([".", "."], "Two lists are named"),
    ):
        result = CliRunner().invoke(
            profile, [*(str(tmp_path / name) for name in given), "--out", str(tmp_path / "out")]
        )
        assert isinstance(result.exception, BadInputError), (given, result.output, result.exception)
        assert sentence in str(result.exception)
    assert not (tmp_path / "out").exists()
