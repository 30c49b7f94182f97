"""The Kubernetes manifests keep the schemas of Kubernetes itself, and say what the guides say of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from eyelevel.capture.command import capture
from eyelevel_core import variables

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes"
PLATFORM = FOLDER / "platform"
KUSTOMIZATION = PLATFORM / "kustomization.yaml"
MANIFESTS = sorted(path for path in FOLDER.rglob("*.yaml") if path != KUSTOMIZATION)
# the oldest and the newest whose schemas are here
VERSIONS = ("1.34", "1.37")


def documents(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def everything() -> Iterator[dict[str, Any]]:
    for path in MANIFESTS:
        yield from documents(path)


def named(kind: str, name: str) -> dict[str, Any]:
    return next(item for item in everything() if (item["kind"], item["metadata"]["name"]) == (kind, name))


def containers() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Name of the workload, its pod and each container."""
    for item in everything():
        pod = item.get("spec", {}).get("template", {}).get("spec")
        if pod is not None:
            for container in pod["containers"]:
                yield item["metadata"]["name"], pod, container


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_manifests_keep_the_schema_strictly(path: Path, version: str) -> None:
    for document in documents(path):
        kubernetes_validate.validate(document, version, strict=True)


def test_a_wrong_field_would_be_found() -> None:
    wrong = named("Deployment", "eyelevel-web")
    wrong["spec"]["replica"] = 2
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


def test_the_base_lists_every_manifest_of_its_folder() -> None:
    listed = yaml.safe_load(KUSTOMIZATION.read_text())["resources"]
    assert sorted(listed) == sorted(path.name for path in MANIFESTS if path.parent == PLATFORM)


def test_web_is_twice_there_and_beat_once() -> None:
    web, beat = named("Deployment", "eyelevel-web")["spec"], named("Deployment", "eyelevel-beat")["spec"]
    assert web["replicas"] >= 2
    assert web["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert (beat["replicas"], beat["strategy"]["type"]) == (1, "Recreate")
    assert named("Deployment", "eyelevel-worker")["spec"]["replicas"] >= 2


def test_no_container_but_that_of_films_has_rights() -> None:
    for name, pod, container in containers():
        context = container["securityContext"]
        if name == "eyelevel-capture":
            # network namespaces
            assert context == {"privileged": True}
            continue
        assert context == {
            "readOnlyRootFilesystem": True,
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        }
        assert pod["securityContext"]["runAsNonRoot"] is True


def test_no_volume_is_shared_by_two_pods() -> None:
    """All state is in PostgreSQL, Redis and the store."""
    for name, pod, _ in containers():
        if name != "eyelevel-capture":
            assert [list(volume) for volume in pod["volumes"]] == [["name", "emptyDir"]]


def test_every_setting_is_one_that_the_platform_reads() -> None:
    given = named("ConfigMap", "eyelevel-settings")["data"]
    known = {name for variable in (*variables.PLATFORM, *variables.STORES) for name in variable.names}
    assert {name for name in given if not name.startswith("AWS_")} <= known
    # what hosts must have alike, and no secret
    assert given["EYELEVEL_STORE"].startswith("s3://")
    assert not any("PASSWORD" in name or "SECRET" in name or "KEY" in name for name in given)


def test_the_job_films_blocks_by_options_that_exist() -> None:
    job = named("Job", "eyelevel-capture")["spec"]
    assert job["completionMode"] == "Indexed"
    (container,) = job["template"]["spec"]["containers"]
    command, campaign, *options = container["args"]
    assert (command, campaign[-5:]) == ("capture", ".toml")
    known = {option for parameter in capture.params for option in parameter.opts}
    assert set(options[::2]) <= known
    assert {variable["name"] for variable in container["env"]} == {"EYELEVEL_MACHINE"}
