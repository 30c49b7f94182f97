"""A value that breaks its contract is refused with a sentence that names field and cure."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eyelevel_core.contracts import ContractError, check, check_relative_path, sha256_of_json
from eyelevel_core.contracts.check import FOLDER, schema
from eyelevel_core.contracts.patterns import PATTERNS
from eyelevel_core.contracts.sentences import NOUNS
from eyelevel_kinds import KINDS

FIXTURES = Path(__file__).parents[3] / "fixtures"


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
        ({"seed": "one"}, 'campaign.toml: seed is "one", but must be a whole number from 0 to 9223372036854775807.'),
        ({"group_by": 7}, "campaign.toml: group_by is 7, but must be one of address, host, one."),
        ({"contract": "x"}, 'campaign.toml: contract is "x", but must be "eyelevel/campaign/1".'),
        (
            {"sites": [{"name": "garden"}]},
            "campaign.toml: sites[0].recording is missing; add it: text.",
        ),
        ({"sites": []}, "campaign.toml: sites is an empty list; write at least one entry, with name and recording."),
        (
            {"sites": [{"name": "gar den", "recording": "garden.warc.gz"}]},
            'campaign.toml: sites[0].name is "gar den", but may have only A-Z, a-z, digits and . _ + -, must begin '
            "with a letter or digit, and may have at most 64 characters, such as gar-den.",
        ),
        (
            {"viewport": {"width_px": 801}},
            "campaign.toml: viewport.height_px is missing; add it: a whole number from 240 to 2160.",
        ),
        ({"networks": ["DSL", "DSL"]}, 'campaign.toml: networks[1] repeats "DSL"; keep one.'),
        (
            {"networks": {"lab": {"up_mbps": "fast", "down_mbps": 1, "rtt_ms": 1, "queue_ms": 1}}},
            'campaign.toml: networks.lab.up_mbps is "fast", but must be a number above 0 and at most 1000 or '
            '"unlimited".',
        ),
    ],
)
def test_a_wrong_field_is_named_with_its_value(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ContractError) as caught:
        check(campaign(**changes), "campaign.1", source="campaign.toml")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("field", ["clips", "takes"])
def test_an_empty_list_of_a_batch_is_no_work_for_a_person(field: str) -> None:
    manifest = json.loads((FIXTURES / "sample-batch" / "manifest.json").read_text()) | {field: []}
    with pytest.raises(ContractError) as caught:
        check(manifest, "batch.1", source="small/manifest.json")
    assert str(caught.value) == (
        f"small/manifest.json: the batch has no {field} ({field} is empty); build the batch again, or name another "
        "batch."
    )


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


@pytest.mark.parametrize("name", ["study.1", "campaign.1"])
def test_every_text_that_a_person_writes_says_what_belongs_there(name: str) -> None:
    written = [form for form in texts(schema(name)) if form != {"type": "string", "minLength": 1}]
    assert [form for form in written if not form.get("description", "").startswith(NOUNS)] == []


def texts(form: Any) -> Iterator[dict[str, Any]]:
    """The schemas of texts without a pattern, at any depth."""
    parts = form.values() if isinstance(form, dict) else form if isinstance(form, list) else ()
    if isinstance(form, dict) and form.get("type") == "string" and "pattern" not in form:
        yield form
    for part in parts:
        yield from texts(part)


def test_every_pattern_has_words() -> None:
    forms = [
        *(json.loads(path.read_text()) for path in FOLDER.glob("*.schema.json")),
        *(k.block for k in KINDS.values()),
    ]
    found = {pattern for form in forms for pattern in patterns(form)}
    assert found - set(PATTERNS) == set()
    assert set(PATTERNS) - found == set()


def patterns(form: Any) -> Iterator[str]:
    """The patterns in a schema, at any depth."""
    parts = form.values() if isinstance(form, dict) else form if isinstance(form, list) else ()
    if isinstance(form, dict) and isinstance(form.get("pattern"), str):
        yield form["pattern"]
    for part in parts:
        yield from patterns(part)
