"""`eyelevel study check --simulate`: who is asked, what is assumed, and what is printed."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from eyelevel.errors import BadInputError
from eyelevel.study.clips_of_batch import Batch
from eyelevel.study.command import check, study
from eyelevel.study.simulation import asked, assumed_stimuli, simulate
from eyelevel_core.assignment.selection import select
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.study.design import Design
from eyelevel_core.study.resolve import design_of, resolve
from eyelevel_core.tables import csv_text
from eyelevel_stats.planning.latent import assumed_choices, assumed_ratings

Study = dict[str, Any]
RATED = {
    "key": "H1", "says": "QUIC is rated higher.", "kind": "rate", "pair": ["TCP+", "QUIC"], "networks": "each",
    "expects": "higher", "margin": 0.5, "margin_reason": "half a step",
}  # fmt: skip
COMPARED = RATED | {"key": "H2", "says": "QUIC is faster.", "kind": "compare", "networks": "pooled", "margin": 0.2}


@pytest.fixture
def planned(small: Study) -> Study:
    """Two ratings and a comparison of 60 people each, on two sites; one hypothesis about each kind."""
    small["plan"] = {"hypotheses": [RATED, COMPARED]}
    return small


@pytest.fixture
def path(planned: Study, tmp_path: Path) -> Path:
    return written(planned, tmp_path)


def written(study: Study, folder: Path) -> Path:
    file = folder / "study.yaml"
    # JSON is YAML
    file.write_text(json.dumps(study), encoding="utf-8")
    return file


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(study, ["check", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def of(study: Study) -> Design:
    return design_of(resolve(study))


def columns(result: Result, first: str) -> Iterator[list[str]]:
    """The rows of a printed table whose first column is this one."""
    for line in result.stdout.splitlines():
        if line.startswith(f"  {first} "):
            yield [cell.strip() for cell in line.split("  ") if cell.strip()]


def test_everyone_is_asked_what_allocation_gives_them(planned: Study, batch: Batch) -> None:
    selection = select(of(planned), batch.clips, stated_shares=[1])
    ratings, comparisons = asked(selection.design, selection.chosen)
    assert (len(ratings), len(comparisons)) == (60 * 2, 60)
    assert {vote.participant for vote in ratings} == {vote.participant for vote in comparisons}
    settings = Counter((vote.participant, vote.site, vote.network, vote.stack) for vote in ratings)
    assert max(settings.values()) == 1
    # 120 votes over 12 clips, of which the plane has a third
    assert set(Counter(vote.clip_sha256 for vote in ratings).values()) == {10}
    assert Counter(vote.context for vote in ratings) == {"work": 80, "plane": 40}
    assert Counter((vote.left_stack, vote.right_stack) for vote in comparisons) == {
        ("TCP+", "QUIC"): 30,
        ("QUIC", "TCP+"): 30,
    }


def test_each_group_has_its_own_participants(planned: Study, batch: Batch) -> None:
    planned["groups"] = [{"key": "paid", "quota": {"sessions": 30}}, {"key": "volunteer"}]
    ratings, _ = asked(of(planned), select(of(planned), batch.clips).chosen)
    assert Counter(vote.participant.split()[0] for vote in ratings) == {"paid": 60, "volunteer": 120}


def test_without_a_batch_the_stacks_are_those_of_the_hypotheses_and_pairs_have_both_orders(planned: Study) -> None:
    chosen = assumed_stimuli(of(planned), 3)
    shown = Counter((stimulus.block, stimulus.clip.stacks) for stimulus in chosen)
    # 3 sites over 3 networks
    assert shown == {(0, ("TCP+",)): 9, (0, ("QUIC",)): 9, (1, ("TCP+", "QUIC")): 9, (1, ("QUIC", "TCP+")): 9}
    planned["trials"][0] |= {"stacks": ["TCP+", "QUIC", "TCP"], "sites": ["alpha"], "networks": ["DSL"]}
    planned["trials"][1] |= {"pairs": [["TCP", "QUIC"]], "contexts": ["plane"]}
    named = Counter(
        (stimulus.block, stimulus.clip.stacks, stimulus.clip.site) for stimulus in assumed_stimuli(of(planned), 2)
    )
    rated, compared = ({key: n for key, n in named.items() if key[0] == block} for block in (0, 1))
    assert sorted(rated) == [(0, (stack,), "alpha") for stack in ("QUIC", "TCP", "TCP+")]
    assert sorted(compared) == [(1, pair, f"site {n}") for pair in (("QUIC", "TCP"), ("TCP", "QUIC")) for n in (1, 2)]


def test_a_block_that_no_hypothesis_is_about_has_stacks_all_the_same(planned: Study) -> None:
    planned["plan"] = {"hypotheses": [RATED]}
    ratings, comparisons = asked(of(planned), assumed_stimuli(of(planned), 2))
    assert (len(ratings), len(comparisons)) == (120, 60)


def test_sites_that_are_unknown_or_too_few_are_named(planned: Study, path: Path) -> None:
    with pytest.raises(BadInputError, match=r"trials\[0\] names none; give a batch with --batch DIR, or a number"):
        invoke(path, "--simulate", 1)
    planned["trials"][0]["count"] = 7
    with pytest.raises(BadInputError, match=r"trials\[0\]\.count is 7, but its sites give only 6 different clips"):
        assumed_stimuli(of(planned), 1)


def test_check_prints_how_often_each_verdict_comes(path: Path) -> None:
    result = invoke(path, "--simulate", 40, "--sites", 6, "--unfilled", 0)
    assert (
        "Simulated studies (40 for each true difference, 0 % of the participants missing at the end):" in result.stdout
    )
    rows = [row for row in columns(result, "H1") if "sites like these" in row]
    assert [(row[1], row[3]) for row in rows[:4]] == [
        ("DSL", "0"),
        ("DSL", "0.25"),
        ("DSL", "0.5"),
        ("DSL", "1"),
    ]
    assert all(sum(int(cell.strip(" %")) for cell in row[4:8]) in range(98, 103) for row in rows)
    assert next(row[1] for row in columns(result, "H2")) == "pooled"
    outcomes = [row for row in columns(result, "H2") if "sites like these" not in row]
    assert [row[1] for row in outcomes] == ["0", "0.1", "0.2", "0.4"]
    assert "H2 (pooled): a difference of 0." in result.stdout
    assert "Assumed without a batch: 6 sites if the file gives none" in result.stdout
    assert "Standard deviations in ratings (defaults), in points: participants 0.60," in result.stdout
    assert "Defaults are assumptions; to estimate them instead, give the export" in result.stdout


def test_check_prints_the_same_tables_as_json(path: Path) -> None:
    first, again = (json.loads(invoke(path, "--simulate", 3, "--sites", 6, "--json").stdout) for _ in range(2))
    simulation = first["simulation"]
    assert (simulation["studies"], simulation["sites"], simulation["assumptions"]["unfilled"]) == (3, 6, 0.1)
    assert len(simulation["power"]["verdicts"]) == 4 * (3 + 1)
    assert [row["hypothesis"] for row in simulation["power"]["outcomes"]] == ["H1"] * 4 + ["H2"] * 4
    assert [row["network"] for row in simulation["power"]["smallest"]] == ["DSL", "LTE", "MSS", "pooled"]
    assert first == again


def test_nothing_is_simulated_without_the_option(path: Path) -> None:
    assert "Simulated" not in invoke(path).stdout
    assert "simulation" not in json.loads(invoke(path, "--json").stdout)
    (option,) = [param for param in check.params if param.name == "studies"]
    assert option.to_info_dict()["flag_value"] == 2000


def test_a_plan_without_hypotheses_about_stacks_has_nothing_to_simulate(planned: Study, tmp_path: Path) -> None:
    planned["plan"] = {"hypotheses": [{"key": "H1", "says": "SI", "kind": "metrics", "metric": "SI"}]}
    result = invoke(written(planned, tmp_path), "--simulate", 5, "--sites", 6)
    assert (
        "No hypothesis of the plan is about two stacks that the study shows, so nothing was simulated." in result.stdout
    )


def vote(number: int, participant: int, site: int, stack: str, score: int) -> dict[str, Any]:
    return {
        "vote_id": f"{number:08d}-0000-0000-0000-000000000000",
        "session_id": f"{participant:08d}-0000-0000-0000-000000000001",
        "study_sha256": "5" * 64,
        "trial_kind": "rate",
        "trial_kind_version": 2,
        "position": number,
        "context": "work",
        "site": f"site-{site}",
        "network": "DSL",
        "stack": stack,
        "clip_sha256": f"{site}{'a' if stack == 'QUIC' else 'b'}" * 32,
        "score": score,
        "replays": 0,
        "answer_ms": 1000,
        "language": "en",
        "received_at": "2026-01-02T03:04:05Z",
    }


def test_a_pilot_gives_the_variances_of_its_kind(path: Path, tmp_path: Path) -> None:
    names = [column.name for column in export_columns()]
    # people who differ much, and are of one mind with themselves
    asked_about = [(p, s, stack) for p in range(6) for s in range(3) for stack in ("QUIC", "TCP+")]
    votes = [vote(number, p, s, stack, 1 + p) for number, (p, s, stack) in enumerate(asked_about)]
    pilot = tmp_path / "votes.csv"
    pilot.write_text(csv_text(names, ([cast.get(name) for name in names] for cast in votes)), encoding="utf-8")
    result = invoke(path, "--simulate", 2, "--sites", 6, "--pilot", pilot)
    # the standard deviation of 1 to 6 is 1.87; rounding is all the noise that there may be
    assert "Standard deviations in ratings (pilot), in points: participants 1.87," in result.stdout
    assert "  single votes 0.29, clips 0.00; of the difference between stacks: participants 0.00" in result.stdout
    assert "Standard deviations in comparisons (defaults)" in result.stdout


def test_a_pilot_that_is_too_small_is_refused(planned: Study) -> None:
    ratings, _ = asked(of(planned), assumed_stimuli(of(planned), 3))
    with pytest.raises(BadInputError, match=r"--pilot: A pilot needs votes of at least 2 participants on 2 sites"):
        simulate(of(planned), None, studies=1, sites=3, unfilled=0, pilot=(ratings[:1], []), advance=lambda _: None)


def test_defaults_are_those_of_the_plan(planned: Study) -> None:
    planned["plan"]["sd"] = 0.9
    found = simulate(of(planned), None, studies=1, sites=3, unfilled=0, advance=lambda _: None)
    assert found.assumptions.ratings == assumed_ratings(0.9)
    assert found.assumptions.comparisons == assumed_choices()
    assert (found.ratings_from, found.comparisons_from) == ("defaults", "defaults")
