"""The command: a report from a batch, the same bytes each time, and one sentence for each batch that has no report."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.errors import BadInputError
from eyelevel_core.contracts import ContractError, sha256_of_bytes

from .made import Plan, write

SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample-batch"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(compare_command, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*arguments: object) -> str:
    with pytest.raises((BadInputError, ContractError)) as error:
        run(*arguments)
    return str(error.value)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_the_sample_batch_has_a_report_though_one_run_decides_nothing(tmp_path: Path) -> None:
    said = run(SAMPLE, "--out", tmp_path)
    assert "8\u00a0page loads of 2\u00a0sites over DSL and LTE with QUIC and TCP+, up to 1\u00a0run each." in said
    assert "QUIC against TCP+, LTE: No difference can be claimed with 4\u00a0runs of 2\u00a0sites" in said
    page = (tmp_path / "report.html").read_text()
    assert sha256_of_bytes((SAMPLE / "manifest.json").read_bytes()) in page
    sites = (tmp_path / "tables" / "sites.csv").read_text()
    assert ",317527,362842,4,recorded addresses,26\n" in sites


def test_the_same_batch_gives_the_same_bytes_wherever_it_lies(tmp_path: Path) -> None:
    plan = Plan(sites=("alpha", "beta"), runs=3)
    for name in ("one", "another place"):
        run(write(plan, tmp_path / name / "batch"), "--out", tmp_path / name / "report")
    files = contents(tmp_path / "one" / "report")
    assert len(files) > 20
    assert files == contents(tmp_path / "another place" / "report")


def test_a_second_report_overwrites_the_first(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=3), tmp_path / "batch")
    run(batch, "--out", tmp_path / "report")
    first = contents(tmp_path / "report")
    run(batch, "--out", tmp_path / "report", "--correction", "bh")
    assert b"Benjamini-Hochberg" in (tmp_path / "report" / "report.html").read_bytes()
    run(batch, "--out", tmp_path / "report")
    assert contents(tmp_path / "report") == first


TAKE = Path("takes/alpha/DSL/QUIC/run-01")


def _no_takes(batch: Path) -> None:
    for path in batch.glob("takes/*/*/*/*/take.json"):
        path.unlink()


def _moved(batch: Path) -> None:
    (batch / TAKE).rename(batch / TAKE.parent / "run-77")


def _change(field: str, value: object) -> Callable[[Path], None]:
    def change(batch: Path) -> None:
        path = batch / TAKE / "take.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), field: value}))

    return change


def _one_definition_more(batch: Path) -> None:
    path = batch / TAKE / "take.json"
    take = json.loads(path.read_text())
    path.write_text(json.dumps({**take, "stack": {**take["stack"], "digest": "f" * 64}}))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda batch: (batch / "campaign.toml").unlink(), "campaign.toml is missing; give the folder"),
        (lambda batch: (batch / "campaign.toml").write_text("name = "), "campaign.toml cannot be read"),
        (
            lambda batch: (batch / "campaign.toml").write_text("name = 'x'"),
            "campaign.toml: contract is missing",
        ),
        (_no_takes, "contains no take; give the folder that eyelevel capture made."),
        (lambda batch: (batch / TAKE / "take.json").write_text("{"), "take.json cannot be read as JSON"),
        (_change("outcome", "fine"), 'outcome is "fine", but must be one of settled, unsettled.'),
        (_change("run", 3), "contains the take of takes/alpha/DSL/QUIC/run-03; move it there or remove it."),
        (_moved, "run-77 contains the take of takes/alpha/DSL/QUIC/run-01"),
        (
            lambda batch: (batch / TAKE / "wire.json").write_text("{}"),
            "wire.json does not have the digest that take.json lists; capture the take again.",
        ),
        (
            lambda batch: (batch / "attempts.jsonl").write_text('{"run": 1}\n'),
            "attempts.jsonl, line 1: ",
        ),
        (_one_definition_more, "the stack QUIC is defined differently in another take"),
        (lambda batch: (batch / "fidelity.json").write_text('[{"takes": []}]'), "fidelity.json: [0]."),
    ],
)
def test_a_damaged_batch_is_refused_with_the_file_in_the_sentence(
    tmp_path: Path, damage: Callable[[Path], None], words: str
) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    damage(batch)
    sentence = refused(batch, "--out", tmp_path / "report")
    assert words in sentence
    assert str(tmp_path) in sentence
    assert not list((tmp_path / "report").rglob("*.html"))


def test_a_batch_whose_takes_were_never_compared_with_each_other_says_so(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    scenes = json.loads((batch / "fidelity.json").read_text())
    scenes[0]["takes"].remove("takes/alpha/DSL/QUIC/run-02")
    (batch / "fidelity.json").write_text(json.dumps(scenes))
    run(batch, "--out", tmp_path / "report")
    words = "fidelity.json does not cover 1 of 4 takes yet (such as takes/alpha/DSL/QUIC/run-02)"
    assert words in (tmp_path / "report" / "report.html").read_text()
    (batch / "fidelity.json").unlink()
    run(batch, "--out", tmp_path / "report")
    assert "The batch has no fidelity.json" in (tmp_path / "report" / "report.html").read_text()
    assert "QUIC,2,2,0,2,0,0,,0,2,\n" in (tmp_path / "report" / "tables" / "runs.csv").read_text()


def test_a_torn_last_line_of_the_ledger_is_passed_over(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    with (batch / "attempts.jsonl").open("a") as file:
        file.write('{"run": "takes/al')
    run(batch, "--out", tmp_path / "report")
    assert "QUIC,2,2,0,2,0" in (tmp_path / "report" / "tables" / "runs.csv").read_text()


def test_a_report_never_lands_in_the_batch_nor_on_a_file(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    assert "is inside the batch, which must not change" in refused(batch, "--out", batch / "report")
    (tmp_path / "file").write_text("")
    assert "cannot be created as a folder for the report: " in refused(batch, "--out", tmp_path / "file")
    assert "is not a folder; give the folder that eyelevel capture made." in refused(tmp_path / "no", "--out", tmp_path)


def test_a_batch_without_second_visits_says_so(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    assert "has no take of cache mode http" in refused(batch, "--out", tmp_path / "report", "--cache", "http")


def test_second_visits_are_compared_apart(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=3), tmp_path / "batch")
    for path in list(batch.glob("takes/*/*/*/run-01")):
        take = json.loads((path / "take.json").read_text())
        (path / "take.json").write_text(json.dumps({**take, "cache": "http"}))
        path.rename(path.with_name("http-01"))
    assert "4\u00a0page loads of 1\u00a0site" in run(batch, "--out", tmp_path / "first")
    assert "2\u00a0page loads of 1\u00a0site" in run(batch, "--out", tmp_path / "second", "--cache", "http")
    assert "second, with the HTTP cache of the first" in (tmp_path / "second" / "report.html").read_text()


def test_a_site_that_fails_a_gate_is_excluded_and_the_report_says_why(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha", "beta"), runs=2, lacking=["beta"]), tmp_path / "batch")
    output = run(batch, "--out", tmp_path / "report")
    assert "Excluded for all stacks, because a viewer would miss too much or the fidelity is unknown: beta." in output
    page = (tmp_path / "report" / "report.html").read_text()
    assert "beta (a style sheet was missed with QUIC (https://static.example/page.css))" in page
    rows = (tmp_path / "report" / "tables" / "fidelity.csv").read_text().splitlines()
    place = rows[0].split(",").index("absent")
    assert [row.split(",")[place] for row in rows[1:]] == ["0", "1"]


def test_a_manifest_of_other_takes_is_not_named(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    (batch / "manifest.json").write_bytes((SAMPLE / "manifest.json").read_bytes())
    run(batch, "--out", tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "The manifest does not list exactly these takes" in page
    assert sha256_of_bytes((SAMPLE / "manifest.json").read_bytes()) not in page
