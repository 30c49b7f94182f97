"""JSON becomes typed records and comes back unchanged: a digest survives reading and writing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest

from eyelevel_core.contracts import ContractError, check, schema, sha256_of_json
from eyelevel_core.model.attempt import Attempt, Outcome
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.record import Record, left_out_at_default
from eyelevel_core.model.run import RunName
from eyelevel_core.model.take import Take

SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample-batch"
TAKES = sorted(SAMPLE.glob("takes/*/*/*/*/take.json"))


@dataclass(frozen=True)
class Inner(Record):
    size: int
    unit: str | None = None


@dataclass(frozen=True)
class Outer(Record):
    name: str
    inner: Inner
    by_name: Mapping[str, Inner]
    items: tuple[Inner, ...] = ()
    later: str = "as ever"
    newer: str | None = left_out_at_default(None)


@pytest.mark.parametrize(
    "value",
    [
        {"name": "a", "inner": {"size": 293}, "by_name": {}},
        {"name": "a", "inner": {"size": 293.0, "unit": None}, "by_name": {"x": {"size": 1, "unit": "m"}}},
        {"name": "a", "inner": {"size": 1, "strange": [1, {"b": 2}]}, "by_name": {}, "items": [{"size": 2}]},
        {"name": "a", "inner": {"size": 1}, "by_name": {}, "later": "as ever", "unknown": None},
    ],
)
def test_a_record_is_written_as_it_was_read(value: Mapping[str, object]) -> None:
    assert json.dumps(Outer.of(value).as_json(), sort_keys=True) == json.dumps(value, sort_keys=True)


def test_an_optional_field_is_written_once_it_has_another_value() -> None:
    read = Outer.of({"name": "a", "inner": {"size": 1}, "by_name": {}})
    assert replace(read, later="new").as_json() == {"name": "a", "inner": {"size": 1}, "by_name": {}, "later": "new"}


def test_a_field_that_was_added_to_a_contract_changes_no_digest_while_it_has_its_default() -> None:
    value = Outer("a", Inner(1), {})
    assert value.as_json() == {
        "name": "a", "inner": {"size": 1, "unit": None}, "by_name": {}, "items": [], "later": "as ever",
    }  # fmt: skip
    assert replace(value, newer="x").as_json()["newer"] == "x"
    explicit = {"name": "a", "inner": {"size": 1}, "by_name": {}, "newer": None}
    assert Outer.of(explicit).as_json() == explicit


@pytest.mark.parametrize("path", TAKES, ids=lambda path: "-".join(path.parts[-5:-1]))
def test_a_take_keeps_its_digest(path: Path) -> None:
    value = json.loads(path.read_text())
    take = Take.of(value)
    assert take.as_json() == value
    assert take.digest == sha256_of_json(value)
    assert take.name.path == path.parent.relative_to(SAMPLE).as_posix()


def test_the_fields_of_a_take_are_those_of_its_contract() -> None:
    known = schema("take.1")
    written = Take.of(json.loads(TAKES[0].read_text()))
    assert {field.name for field in fields(Take)} - {"absent", "more"} | {"contract"} == set(known["properties"])
    assert not written.more
    check(written.as_json(), "take.1", source="take.json")


def test_a_run_s_path_is_its_name() -> None:
    name = RunName("garden", "DSL", "TCP+", 3, "http")
    assert name.path == "takes/garden/DSL/TCP+/http-03"
    assert RunName.of_path(name.path) == name
    assert RunName.of_path("takes/garden/DSL/TCP+/run-01").cache == "cold"


@pytest.mark.parametrize("path", ["takes/a/b/c", "takes/a/b/c/try-01", "clips/a/b/c/run-01", "takes/a/b/c/run"])
def test_what_names_no_run_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"run|unpack|invalid"):
        RunName.of_path(path)


def test_an_attempt_is_written_as_it_was_read() -> None:
    line = {"run": "takes/a/DSL/QUIC/run-01", "attempt": 2, "outcome": "void", "cause": "frames lost", "detail": "3"}
    attempt = Attempt.of(line)
    assert (attempt.outcome, attempt.void, attempt.with_block) == (Outcome.VOID, True, False)
    assert attempt.name.stack == "QUIC"
    assert attempt.as_json() == line


SITE = {"name": "garden", "recording": "garden.warc.gz"}
SMALL = {
    "contract": "eyelevel/campaign/1", "name": "small", "seed": 3, "networks": ["DSL", "MSS"],
    "stacks": ["TCP+", "QUIC"], "sites": [SITE],
}  # fmt: skip


def test_a_campaign_has_every_default_of_its_contract() -> None:
    campaign = Campaign.of(SMALL, source="campaign.toml")
    assert (campaign.runs, campaign.caches, campaign.paired, campaign.prelaunch) == (1, ("cold",), False, True)
    assert campaign.limit_s_of("MSS") == 60
    assert campaign.clips.quantiles == (0.25, 0.75)
    assert campaign.pairs == (("TCP+", "QUIC"),)
    assert campaign.viewport.as_json() == {"width_px": 1280, "height_px": 720}


def test_a_network_may_have_other_runs_than_the_rest() -> None:
    campaign = Campaign.of({**SMALL, "runs": 11, "runs_on": {"DSL": 31}}, source="campaign.toml")
    assert {network: campaign.runs_of(network) for network in campaign.networks} == {"DSL": 31, "MSS": 11}
    assert campaign.most_runs == 31
    fewer = Campaign.of({**SMALL, "runs": 11, "runs_on": {"DSL": 3}}, source="campaign.toml")
    assert (fewer.runs_of("DSL"), fewer.most_runs) == (3, 11)


def test_networks_of_its_own_are_named_and_kept() -> None:
    lab = {"up_mbps": 1, "down_mbps": 2, "rtt_ms": 10, "queue_ms": 10, "loss": 0.0}
    campaign = Campaign.of({**SMALL, "networks": {"DSL": {}, "lab": lab}}, source="campaign.toml")
    assert (campaign.networks, campaign.own_networks) == (("DSL", "lab"), {"lab": lab})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"sites": [SITE, SITE]}, "c.toml: two sites are named 'garden'; names must differ."),
        (
            {"pairs": [["TCP+", "BBR"]]},
            "c.toml: pairs names the stack 'BBR', which is not among the campaign's stacks.",
        ),
        ({"runs_on": {"LTE": 9}}, "c.toml: runs_on names the network 'LTE', which is not among the campaign's."),
        ({"limits_s": {"LTE": 9}}, "c.toml: limits_s names the network 'LTE', which is not among the campaign's."),
    ],
)
def test_a_campaign_that_contradicts_itself_is_refused(changes: Mapping[str, object], sentence: str) -> None:
    with pytest.raises(ContractError) as caught:
        Campaign.of({**SMALL, **changes}, source="c.toml")
    assert str(caught.value) == sentence
