"""The guides' study files: valid parts and computed tables; the study of 2019 also complete and as the facts say."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from eyelevel.study.command import check
from eyelevel.study.forecast import forecast
from eyelevel.study.simulation import UNFILLED, simulate
from eyelevel.study.warnings import warnings_of
from eyelevel_core.contracts import schema
from eyelevel_core.contracts.sentences import Where, dotted
from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import Lines, parse_study
from eyelevel_core.study.recruiter import ENDS, OTHER
from eyelevel_core.study.resolve import block_schema
from eyelevel_kinds import KINDS
from eyelevel_stats.intervals import student_half_widths, wilson
from eyelevel_stats.planning import smallest_mos_difference, smallest_share

REPOSITORY = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("EYELEVEL_SHARED", REPOSITORY.parent / "shared"))
FACTS = SHARED / "reference" / "seed_facts.json"
GUIDES = REPOSITORY / "docs" / "guides"
EXAMPLE = GUIDES / "study-2019.yaml"
TEXT = EXAMPLE.read_text(encoding="utf-8")
# a campaign's or a study's own, and kinds that were not asked in 2019
NOT_USED = {"parent"}
# nobody looked at results by stack before the end
NOT_USED |= {"plan.looks", "plan.looks.at", "plan.looks.spending"}
# of ends that have no entry of their own
NOT_USED |= {f"groups.recruiter.{field}.{end}" for field in ("codes", "returns") for end in (*ENDS, OTHER)}
# what the facts call a context and a group, and what the example's keys are
CONTEXTS = {"at work": "work", "in free time": "free-time", "on a plane": "plane"}
GROUPS = {"laboratory": "laboratory", "paid crowd worker": "paid-worker", "internet volunteer": "volunteer"}

known_facts = pytest.mark.skipif(not FACTS.exists(), reason="needs reference/seed_facts.json: set EYELEVEL_SHARED")


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return dict(read_study_file(TEXT, source="study-2019.yaml").written)


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FACTS.read_text())
    return found


def fields(form: dict[str, Any], where: str = "") -> Iterator[str]:
    """Every field that the contract knows, but for the languages of a text."""
    for key, part in form.get("properties", {}).items():
        yield f"{where}{key}"
        yield from fields(part.get("items", part), f"{where}{key}.")


def used(value: Any, where: str = "") -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from used(item, where)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield f"{where}{key}"
            yield from used(item, f"{where}{key}.")


def test_every_field_of_a_study_is_used(example: dict[str, Any]) -> None:
    known = set(fields(schema("study.1"))) - NOT_USED
    for kind in ("rate", "compare"):
        known |= {f"trials.{field}" for field in fields(block_schema(kind))}
    assert len(known) > 90
    assert sorted(known - set(used(example))) == []


def test_both_kinds_of_2019_are_asked_in_both_languages(example: dict[str, Any]) -> None:
    assert [block["kind"] for block in example["trials"]] == ["rate", "compare"]
    assert example["trials"][0]["answer_from"] == "start"
    assert json.dumps(example).count('"en"') == json.dumps(example).count('"de"')


def test_its_only_weakness_is_the_one_of_2019() -> None:
    file = read_study_file(TEXT, source="study-2019.yaml")
    found = list(warnings_of(file, file.design, forecast(file.design, None), None))
    assert len(found) == 1
    assert found[0].startswith("contexts: only plane has the networks DA2GC, MSS")


def test_participants_are_told_what_the_platform_does(example: dict[str, Any]) -> None:
    """docs/reference/privacy.md: `retention.months` is about recruiters' ids alone; no user agent is stored."""
    assert example["retention"]["months"] == 3
    texts = [example["consent"]["text"], example["retention"]["text"]]
    assert all("three months" in text["en"] and "drei Monate" in text["de"] for text in texts)
    assert not any(word in TEXT for word in ("kind of browser", "Art Ihres Browsers", "been paid", "bezahlt worden"))
    assert all(word in texts[0][language] for language, word in (("en", "withdraw"), ("de", "zurückziehen")))


@pytest.mark.parametrize("path", [EXAMPLE, REPOSITORY / "fixtures" / "study-demo.yaml"], ids=lambda path: path.stem)
def test_no_text_promises_an_end_of_answers_that_nothing_keeps(path: Path) -> None:
    wording = " ".join(
        read_study_file(path.read_text(encoding="utf-8"), source=path.name).written["retention"]["text"].values()
    )
    plainly = ("They are not deleted by themselves", "We delete them only if you withdraw them")
    assert any(words in wording for words in plainly)
    assert "Gelöscht werden sie nicht von selbst" in wording
    assert "answers are not" in schema("study.1")["properties"]["retention"]["properties"]["months"]["description"]


def comment(lines: Lines, *where: str | int) -> str:
    """What is written behind the field, after the number sign."""
    line = lines[where]
    return TEXT.splitlines()[line - 1].partition("  # ")[2]


def recalled(facts: dict[str, Any], example: dict[str, Any]) -> Iterator[Where]:
    """The places of the example that hold a value which the facts call recalled."""
    study = facts["study"]
    if study["contexts"]["source"] == "recalled":
        for number, _ in enumerate(example["contexts"]):
            yield ("contexts", number, "label")
            yield ("contexts", number, "networks")
    if study["groups"]["source"] == "recalled":
        yield from (("groups", number, "label") for number, _ in enumerate(example["groups"]))
    if study["conformance"]["source"].startswith("recalled"):
        yield from (("conformance", rule) for rule in study["conformance"]["value"] if rule != "_about")


@known_facts
def test_every_recalled_value_is_marked(facts: dict[str, Any], example: dict[str, Any]) -> None:
    lines = parse_study(TEXT, source="study-2019.yaml").lines
    places = list(recalled(facts, example))
    assert len(places) == 2 * 3 + 3 + 7
    unmarked = [dotted(place) for place in places if not comment(lines, *place).startswith("recalled")]
    assert unmarked == []
    # and two that belong to the kinds of trial, of which the file can only speak
    assert facts["study"]["plays"]["source"] == facts["study"]["sureness"]["source"] == "recalled"
    assert "# Played once, then the scale, with a button to replay: recalled." in TEXT


@known_facts
def test_the_example_says_what_the_facts_say(facts: dict[str, Any], example: dict[str, Any]) -> None:
    study = facts["study"]
    assert example["languages"] == study["languages"]["value"]
    networks = {context["key"]: context["networks"] for context in example["contexts"]}
    assert networks == {CONTEXTS[name]: value for name, value in study["contexts"]["value"].items()}
    assert [group["key"] for group in example["groups"]] == [GROUPS[name] for name in study["groups"]["value"]]
    assert [group["label"]["en"].lower() for group in example["groups"]] == study["groups"]["value"]
    bins = study["demographics_bins_2017"]["value"]
    assert [len(question["choices"]) for question in example["questions"]] == [
        len(choices) for choices in bins.values()
    ]
    recalled = [rule for rule in study["conformance"]["value"] if rule != "_about"]
    # R8 and R9 are ours
    assert list(example["conformance"]) == ["version", *recalled, "R8", "R9"]
    assert "more than 10 s" in study["conformance"]["value"]["R3"]
    assert example["conformance"]["R3"]["away_ms"] == 10_000
    assert set(example["trials"][0]["stacks"]) == set(facts["stacks"])
    assert set(example["trials"][1]["sites"]) <= set(facts["sites_2019"])
    shown: Any = KINDS["rate"].params(example["trials"][0])
    assert shown["question"]["en"] == study["question"]["value"]
    assert [label["en"] for label in shown["labels"]] == study["scale_7"]["value"]


def snippets(guide: str) -> list[str]:
    """The parts of study files in a guide, without the indentation of the list that they are in."""
    found = re.findall(r"^( *)```yaml\n(.*?)^ *```$", (GUIDES / guide).read_text(encoding="utf-8"), re.M | re.S)
    return [re.sub(rf"^{indent}", "", text, flags=re.M) for indent, text in found]


def completed(part: str) -> str:
    """Returns the smallest valid study, with the fields of this part replaced."""
    smallest = snippets("write-a-study.md")[0]
    for field in re.findall(r"^(\w+):", part, re.M):
        smallest = re.sub(rf"^{field}:.*\n(?:[ ].*\n)*", "", smallest, flags=re.M)
    return smallest + part


def test_the_guides_smallest_study_is_right_and_may_have_its_plan() -> None:
    smallest, plan = snippets("write-a-study.md")
    assert read_study_file(smallest, source="write-a-study.md").design.name == "first"
    design = read_study_file(smallest + plan, source="write-a-study.md").design
    assert [hypothesis.kind for hypothesis in design.plan.hypotheses] == ["rate", "metrics"]


PARTS = [
    pytest.param(part, id=f"{guide}-{number}")
    for guide in ("write-a-study.md", "recruiters.md", "hand-over.md", "consent-and-ethics.md", "plan-sample-size.md")
    for number, part in enumerate(snippets(guide))
    if not part.startswith("contract:")
]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_study_file_in_a_guide_makes_a_valid_study(part: str, tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(completed(part), encoding="utf-8")
    done = CliRunner().invoke(check, [str(path)])
    assert done.exit_code == 0, done.output
    # a recruiter whose participants cannot return
    assert "no way back" not in done.output


def test_the_guides_show_each_recruiter() -> None:
    names = [group["key"] for part in snippets("recruiters.md") for group in yaml.safe_load(part)["groups"]]
    assert names == ["prolific", "connect", "mturk", "microworkers", "sona", "laboratory"]


def test_the_guides_table_of_simulated_studies_is_what_its_study_gives() -> None:
    guide = (GUIDES / "plan-sample-size.md").read_text(encoding="utf-8")
    smallest, plan = snippets("write-a-study.md")
    table = guide.partition("| true difference |")[2].partition("\n\n")[0].splitlines()[2:]
    printed = [[float(cell.strip(" %")) for cell in row.strip("|").split("|")] for row in table]
    design = read_study_file(smallest + plan, source="write-a-study.md").design
    found = simulate(design, None, studies=2000, sites=12, unfilled=UNFILLED, advance=lambda _: None).power
    rows = [row for row in found.verdicts if row.network == "DSL"]
    shares = [
        (row.true_difference, *(100 * share for share in (row.different, row.smaller, row.equivalent, row.undecided)))
        for row in rows
    ]
    assert [row[:5] for row in printed] == [pytest.approx(row, abs=1) for row in shares]
    assert [row[5] for row in printed] == pytest.approx([row.median_width for row in rows], abs=0.01)
    assert f"only {100 * found.outcomes[0].supported:.0f} % of the studies support" in " ".join(guide.split())


def test_the_guides_table_of_smallest_effects_is_what_is_computed() -> None:
    guide = (GUIDES / "plan-sample-size.md").read_text(encoding="utf-8")
    table = guide.partition("| people per stack |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[float(re.sub("[^0-9.]", "", cell)) for cell in row.strip("|").split("|")] for row in table]
    assert len(rows) == 5
    for people, points, half, share, half_share in rows:
        n = int(people)
        assert points == pytest.approx(smallest_mos_difference(n, sd=1.2, alpha=0.05, power=0.8), abs=0.005)
        assert half == pytest.approx(student_half_widths(np.array([1.2]), np.array([n]))[0], abs=0.005)
        assert share / 100 == pytest.approx(smallest_share(n, alpha=0.05, power=0.8), abs=0.005)
        interval = wilson(0.5, n)
        assert interval is not None
        assert half_share / 100 == pytest.approx((interval.high - interval.low) / 2, abs=0.005)
