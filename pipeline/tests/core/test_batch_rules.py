"""A manifest is refused with the culprit named, before a single file is taken."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from batches import HEIGHT_PX, Folder, add_for_researchers, folder

from eyelevel_core import batch_rules
from eyelevel_core.batch_rules import check_take, check_takes, clips_of_takes, for_participants, parse_manifest
from eyelevel_core.contracts import ContractError, canonical_json, sha256_of_json
from eyelevel_core.model.batch import Manifest
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.metrics import complete

OTHER = "0" * 64


def test_a_whole_manifest_is_taken_as_it_is() -> None:
    batch = folder()
    assert parse_manifest(batch.manifest_bytes).as_json() == batch.manifest


def _leave_the_folder(m: dict[str, Any]) -> None:
    m["files"]["../secret"] = {"sha256": OTHER, "bytes": 1}


def _absolute_path(m: dict[str, Any]) -> None:
    m["takes"][0]["path"] = "/etc/passwd"


def _file_is_not_listed(m: dict[str, Any]) -> None:
    del m["files"][m["clips"][3]["path"]]


def _digest_differs(m: dict[str, Any]) -> None:
    m["clips"][0]["sha256"] = OTHER


def _take_is_unknown(m: dict[str, Any]) -> None:
    m["clips"][0]["takes"] = [OTHER]


def _stack_is_unknown(m: dict[str, Any]) -> None:
    m["takes"][0]["stack"] = "TCP"


def _stacks_are_swapped(m: dict[str, Any]) -> None:
    m["clips"][2]["stacks"].reverse()


def _clip_twice(m: dict[str, Any]) -> None:
    m["clips"].append(m["clips"][0])


def _no_mp4(m: dict[str, Any]) -> None:
    clip = m["clips"][0]
    m["files"]["clips/a.txt"] = m["files"].pop(clip["path"])
    clip["path"] = "clips/a.txt"


def _same_digest_other_size(m: dict[str, Any]) -> None:
    m["files"]["again"] = m["files"]["campaign.toml"] | {"bytes": 3}


def _unprintable_path(m: dict[str, Any]) -> None:
    m["files"]["a\ud800"] = {"sha256": OTHER, "bytes": 1}


def _lists_itself(m: dict[str, Any]) -> None:
    m["files"]["manifest.json"] = {"sha256": OTHER, "bytes": 1}


def _metrics_of_one_side(m: dict[str, Any]) -> None:
    m["clips"][2]["metrics"] = [dict.fromkeys(("fvc_ms", "si_ms", "vc85_ms", "lvc_ms"))]


def _runs_are_others(m: dict[str, Any]) -> None:
    m["clips"][2]["runs"] = [1, 2]


def _run_is_of_neither_take(m: dict[str, Any]) -> None:
    m["clips"][2] |= {"run": 3, "runs": [1, 1]}


def _too_many_runs(m: dict[str, Any]) -> None:
    m["clips"][0]["runs"] = [1, 1]


def _unknown_audience(m: dict[str, Any]) -> None:
    m["clips"][0]["audience"] = "everybody"


def _control_without_delay(m: dict[str, Any]) -> None:
    m["clips"][0]["purpose"] = "control"


def _delay_without_control(m: dict[str, Any]) -> None:
    m["clips"][0]["delays_ms"] = [6000]


def _both_sides_held_back(m: dict[str, Any]) -> None:
    m["clips"][2] |= {"purpose": "control", "delays_ms": [6000, 3000]}


def _one_delay_for_two(m: dict[str, Any]) -> None:
    m["clips"][2] |= {"purpose": "control", "delays_ms": [6000]}


def _different_stacks_called_identical(m: dict[str, Any]) -> None:
    m["clips"][2]["purpose"] = "identical"


def _one_stack_called_a_study(m: dict[str, Any]) -> None:
    clip = m["clips"][2]
    clip |= {"takes": [clip["takes"][0]] * 2, "stacks": [clip["stacks"][0]] * 2}


def _unknown_contract(m: dict[str, Any]) -> None:
    m["contract"] = "eyelevel/batch/2"


@pytest.mark.parametrize(
    ("break_it", "sentence"),
    [
        (_leave_the_folder, "the path '../secret' leaves the folder"),
        (_absolute_path, "the path '/etc/passwd' leaves the folder"),
        (_file_is_not_listed, r"clips\[3\].path is 'clips/[0-9a-f]{64}.mp4', which files does not list"),
        (_digest_differs, r"clips\[0\].sha256 is not the digest that files gives"),
        (_take_is_unknown, rf"clips\[0\].takes names {OTHER}, which takes does not list"),
        (_stack_is_unknown, r"takes\[0\].stack is 'TCP', which stacks does not name"),
        (_runs_are_others, r"clips\[2\] has run 2, but its take has 1"),
        (_run_is_of_neither_take, r"clips\[2\].runs is \[1, 1\], which does not fit its takes and its run 3"),
        (_too_many_runs, r"clips\[0\].runs is \[1, 1\], which does not fit its takes"),
        (_unknown_audience, "everybody"),
        (_stacks_are_swapped, r"clips\[2\] has stack 'QUIC', but its take has 'TCP\+'"),
        (_clip_twice, "clips names [0-9a-f]{64} twice"),
        (_no_mp4, r"clips\[0\].path is 'clips/a.txt', but a clip is an .mp4 file"),
        (_same_digest_other_size, "again has the digest of another file, but another size"),
        (_lists_itself, "files lists manifest.json itself, which cannot name its own digest"),
        (_metrics_of_one_side, r"clips\[2\].metrics has 1 entries, but one per take is needed"),
        (_unprintable_path, "contains a character that is not printable"),
        (
            _control_without_delay,
            r"clips\[0\].purpose is 'control'; only control clips have delays_ms",
        ),
        (_delay_without_control, r"clips\[0\].purpose is 'study'; only control clips have delays_ms"),
        (_both_sides_held_back, r"clips\[2\].delays_ms is \[6000, 3000\]; .* exactly one above 0"),
        (_one_delay_for_two, r"clips\[2\].delays_ms is \[6000\]; it needs one number per take"),
        (_different_stacks_called_identical, r"clips\[2\].purpose is 'identical', .* shows TCP\+ beside QUIC"),
        (_one_stack_called_a_study, r"clips\[2\].purpose is 'study', .* shows TCP\+ beside TCP\+"),
        (_unknown_contract, 'contract is "eyelevel/batch/2", but must be "eyelevel/batch/1"'),
    ],
)
def test_a_broken_manifest_names_its_culprit(break_it: Callable[[dict[str, Any]], None], sentence: str) -> None:
    manifest = folder().manifest
    break_it(manifest)
    with pytest.raises(ContractError, match=sentence):
        parse_manifest(json.dumps(manifest).encode())


def test_a_pair_may_show_two_runs() -> None:
    batch = folder()
    take = batch.manifest["takes"][1]
    take["run"] = 7
    for clip in batch.manifest["clips"]:
        runs = [7 if digest == take["digest"] else 1 for digest in clip["takes"]]
        clip |= {"run": runs[0], "runs": runs}
    assert parse_manifest(batch.manifest_bytes).clips[2].runs == (1, 7)


def test_clips_for_researchers_are_told_from_those_for_participants() -> None:
    batch = folder(sites=["alpha"], networks=["DSL"])
    painted = add_for_researchers(batch, b"with marks", like=0)
    parsed = parse_manifest(batch.manifest_bytes)
    assert len(parsed.clips) == 5
    assert for_participants(parsed) == list(parsed.clips[:4])
    assert painted not in {clip.sha256 for clip in for_participants(parsed)}


def test_a_clip_for_participants_shows_the_page_and_nothing_under_it() -> None:
    batch = folder()
    batch.manifest["clips"][0]["height_px"] = HEIGHT_PX + 220
    with pytest.raises(ContractError, match=r"mp4 is for participants and 256 pixels high, but its page was filmed"):
        check_first_take(batch)
    batch.manifest["clips"][0]["audience"] = "researcher"
    check_first_take(batch)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b'{"a": NaN}', b'{"a": 1e999}', b'{"a": ' + b"9" * 5000 + b"}", b"[" * 200_000]
)
def test_bytes_that_are_not_json_are_refused(data: bytes) -> None:
    with pytest.raises(ContractError, match=r"manifest.json is not JSON in UTF-8"):
        parse_manifest(data)


@pytest.mark.parametrize("field", ["run", "width_px", "height_px"])
def test_what_the_database_cannot_hold_is_refused(field: str) -> None:
    batch = folder()
    batch.manifest["clips"][0][field] = 10**10
    with pytest.raises(
        ContractError, match=rf"manifest.json: clips\[0\].{field} is 10000000000, but must be a whole number"
    ):
        parse_manifest(batch.manifest_bytes)


def listing(files: int) -> bytes:
    """A whole manifest with so many files."""
    batch = folder()
    listed = batch.manifest["files"]
    listed |= {f"takes/{n}.json": {"sha256": f"{n:064x}", "bytes": n} for n in range(files - len(listed))}
    return batch.manifest_bytes


def test_more_files_than_the_server_takes_are_refused_before_each_is_looked_at() -> None:
    assert len(parse_manifest(listing(50), max_entries=50).files) == 50
    with pytest.raises(ContractError) as caught:
        parse_manifest(listing(51), max_entries=50)
    assert str(caught.value) == (
        "manifest.json: files has 51 entries, but at most 50 are accepted; "
        "send smaller batches, or set EYELEVEL_MAX_BATCH_FILES on the server."
    )
    with pytest.raises(ContractError, match="takes has 51 entries"):
        parse_manifest(b'{"takes": [' + b"0," * 50 + b"0]}", max_entries=50)


def test_a_file_larger_than_the_server_takes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_rules, "MAX_FILE_BYTES", 60)
    with pytest.raises(ContractError, match=r"has \d+ bytes, but a file has at most 60\."):
        parse_manifest(folder().manifest_bytes)


def test_the_largest_manifest_is_checked_in_seconds() -> None:
    data = listing(20_000)
    began = time.process_time()
    parse_manifest(data, max_entries=20_000)
    assert time.process_time() - began < 10
    too_many = listing(20_001)
    began = time.process_time()
    with pytest.raises(ContractError, match="20001 entries"):
        parse_manifest(too_many, max_entries=20_000)
    assert time.process_time() - began < 1


def check_first_take(batch: Folder, **changes: Any) -> None:
    manifest = Manifest.of(batch.manifest)
    declared = manifest.takes[0]
    take = json.loads(batch.files[declared.path]) | changes
    shown = clips_of_takes(manifest).get(declared.digest, [])
    check_take(canonical_json(take), declared, manifest, shown)


def test_a_take_file_fits_its_manifest() -> None:
    check_first_take(folder())


def test_a_take_on_a_phone_fits_a_site_and_clips_of_phones() -> None:
    device = {"name": "phone", "pixel_ratio": 1.75, "processor_slowdown": 4}
    on_phone = {"device": device, "viewport": {"width_px": 10, "height_px": 21}}
    batch = folder(sites=["alpha"], networks=["DSL"])
    with pytest.raises(ContractError, match=r"device is 'phone', but the manifest says 'desktop'"):
        check_first_take(batch, **on_phone)
    batch.manifest["sites"][0]["device"] = "phone"
    with pytest.raises(ContractError, match=r"has the pixel_ratio 1, but its page was filmed with 1\.75"):
        check_first_take(batch, **on_phone)
    for clip in batch.manifest["clips"]:
        clip["pixel_ratio"] = 1.75
    path = batch.manifest["takes"][0]["path"]
    take = json.loads(batch.files[path]) | on_phone
    batch.manifest["takes"][0]["digest"] = sha256_of_json(take)
    for clip in batch.manifest["clips"]:
        clip["takes"][0] = batch.manifest["takes"][0]["digest"]
    check_first_take(batch, **on_phone)
    assert Manifest.of(batch.manifest).clips[0].own_size == Viewport(37, 21)


def test_a_metric_that_the_take_file_lacks_is_one_that_the_manifest_does_not_know() -> None:
    batch = folder()
    manifest = Manifest.of(batch.manifest)
    declared = manifest.takes[0]
    unknown = replace(declared, metrics=complete(declared.metrics))
    assert len(unknown.metrics) > len(declared.metrics)
    data = batch.files[declared.path]
    check_take(data, unknown, manifest, clips_of_takes(manifest).get(declared.digest, []))
    wrong = replace(declared, metrics={**unknown.metrics, "fcp_ms": 5.0})
    with pytest.raises(ContractError, match=r"metrics is .*, but the manifest says"):
        check_take(data, wrong, manifest, [])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"run": 2}, "run is 2, but the manifest says 1"),
        ({"outcome": "unsettled"}, "outcome is 'unsettled', but the manifest says 'settled'"),
        ({"recording": OTHER}, "recording is '0{64}', but the manifest says"),
        ({"network": {"name": "DSL", "digest": OTHER}}, "network is .*, but the manifest says"),
        ({"seed": 2}, "its digest is [0-9a-f]{64}, but the manifest says"),
        ({"provenance": {}}, "provenance.tools is missing; add it"),
    ],
)
def test_a_take_file_that_does_not_fit_is_named(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ContractError, match=rf"^takes/alpha/DSL/TCP\+/run-01/take.json: {sentence}"):
        check_first_take(folder(), **changes)


def test_a_file_beside_the_take_must_have_the_digest_that_the_take_names() -> None:
    batch = folder()
    place = "takes/alpha/DSL/TCP+/run-01/film.mkv"
    batch.put(place, b"other")
    with pytest.raises(ContractError, match=r"film.mkv has another digest here than in the manifest"):
        check_first_take(batch)


def test_takes_are_checked_in_order_up_to_the_first_that_does_not_fit() -> None:
    batch = folder(sites=["alpha"])
    manifest = Manifest.of(batch.manifest)
    assert list(check_takes(manifest, batch.files.__getitem__)) == [1, 2, 3, 4]
    third = manifest.takes[2].path
    files = {**batch.files, third: b"{}"}
    checked = check_takes(manifest, files.__getitem__)
    assert (next(checked), next(checked)) == (1, 2)
    with pytest.raises(ContractError, match=rf"^{re.escape(third)}: "):
        next(checked)
    assert list(check_takes(manifest, files.__getitem__, start=3)) == [4]
