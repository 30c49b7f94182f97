"""A value that breaks its contract is refused with a sentence that names field and cure."""

import json

import pytest

from eyelevel_core.contracts import ContractError, check, check_relative_path, sha256_of_json
from eyelevel_core.contracts.check import FOLDER, schema


def campaign(**changes: object) -> dict[str, object]:
    return {
        "contract": "eyelevel/campaign/1",
        "name": "demo",
        "seed": 1,
        "networks": ["DSL"],
        "stacks": ["TCP+", "QUIC"],
        "sites": [{"name": "garden", "recording": "garden.warc.gz"}],
        **changes,
    }


def test_a_right_campaign_passes() -> None:
    check(campaign(), "campaign.1", source="campaign.toml")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": "one"}, "campaign.toml: seed is wrong: 'one' is not of type 'integer'."),
        ({"group_by": 7}, "campaign.toml: group_by is 7, but must be one of address, host, one."),
        ({"contract": "x"}, 'campaign.toml: contract is "x", but must be "eyelevel/campaign/1".'),
        (
            {"sites": [{"name": "garden"}]},
            "campaign.toml: sites[0] lacks a field: 'recording' is a required property.",
        ),
    ],
)
def test_a_wrong_field_is_named_with_its_value(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ContractError) as caught:
        check(campaign(**changes), "campaign.1", source="campaign.toml")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("path", ["/etc/passwd", "../a", "a/../../b", "a\\b", "c:x", "./a", "a//b", ""])
def test_a_path_that_leaves_the_folder_is_refused(path: str) -> None:
    with pytest.raises(ContractError, match="leaves the folder"):
        check_relative_path(path, source="manifest.json")


def test_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert sha256_of_json({"b": 1, "a": "ä"}) == sha256_of_json(json.loads('{"a": "\\u00e4", "b": 1}'))


def test_every_schema_is_valid_itself() -> None:
    from jsonschema import Draft202012Validator

    names = [p.name.removesuffix(".schema.json") for p in FOLDER.glob("*.schema.json")]
    assert len(names) >= 5
    for name in names:
        Draft202012Validator.check_schema(schema(name))
