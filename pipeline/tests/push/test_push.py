"""`eyelevel push` against a platform on a real socket: only what is missing, again after faults, whole or not."""

import hashlib
import json
import re
import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import click
import pytest
from batches import Folder, folder
from click.testing import CliRunner
from videos import encode

from eyelevel import platform
from eyelevel.errors import BadInputError, Exit, EyelevelError, UnreachableError
from eyelevel.platform import PlatformError
from eyelevel.push import send
from eyelevel.push.command import push
from eyelevel_core.contracts import ContractError, canonical_json

from .platform_server import TOKEN, State, serving


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "BACK_OFF_S", (0.0, 0.0, 0.0))


def run(folder: Path, url: str, *, token: str | None = TOKEN) -> str:
    """Gives what goes to stdout; errors come as they are raised."""
    environment = {"EYELEVEL_TOKEN": token}
    result = CliRunner().invoke(push, [str(folder), "--to", url], env=environment, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def error(folder: Path, url: str, kind: type[Exception], **options: str) -> str:
    with pytest.raises(kind) as caught:
        run(folder, url, **options)
    return str(caught.value)


def manifest_of(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return value


def clip_of(folder: Path) -> Path:
    return folder / str(manifest_of(folder)["clips"][0]["path"])


def test_all_of_a_new_batch_is_sent_and_visible(server: State, batch_dir: Path) -> None:
    printed = run(batch_dir, server.url)
    sha256 = hashlib.sha256((batch_dir / "manifest.json").read_bytes()).hexdigest()
    assert printed == f"{sha256}\n"
    assert server.visible == {sha256}
    files = manifest_of(batch_dir)["files"]
    assert server.blobs == {listed["sha256"]: (batch_dir / name).read_bytes() for name, listed in files.items()}
    assert [method for method, _ in server.asked] == ["POST", "PUT", "PUT", "PUT", "POST"]


def test_only_what_is_missing_is_sent(server: State, batch_dir: Path) -> None:
    clip = clip_of(batch_dir).read_bytes()
    server.blobs[hashlib.sha256(clip).hexdigest()] = clip
    run(batch_dir, server.url)
    assert len(server.puts()) == 2
    assert hashlib.sha256(clip).hexdigest() not in server.puts()


def test_a_batch_that_is_there_costs_one_question(server: State, batch_dir: Path) -> None:
    run(batch_dir, server.url)
    server.asked.clear()
    run(batch_dir, server.url)
    assert server.asked == [("POST", "/api/batches")]


@pytest.mark.parametrize("what", ["cut", "busy", "broken"])
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_what_may_pass_is_tried_again(server: State, batch_dir: Path, method: str, what: str) -> None:
    server.faults = [(method, what), (method, what)]
    run(batch_dir, server.url)
    assert server.faults == []
    assert len(server.visible) == 1
    assert [m for m, _ in server.asked].count(method) == {"POST": 2, "PUT": 3}[method] + 2


def test_after_giving_up_it_goes_on_where_it_stopped(server: State, batch_dir: Path) -> None:
    server.faults = [("PUT", "cut")] * 4
    assert "does not respond" in error(batch_dir, server.url, UnreachableError)
    assert server.visible == set()
    (first,) = set(server.puts())
    run(batch_dir, server.url)
    assert server.puts().count(first) == 5
    assert len(server.visible) == 1


def test_a_file_that_the_platform_has_lost_since_is_sent_again(server: State, batch_dir: Path) -> None:
    run(batch_dir, server.url)
    digest, data = server.blobs.popitem()
    run(batch_dir, server.url)
    assert (server.puts()[3:], server.blobs[digest]) == ([digest], data)


def test_a_blob_lost_before_the_commit_is_sent_again(server: State, batch_dir: Path) -> None:
    server.faults = [("POST", "lose")]
    server.faults.insert(0, ("POST", "none"))
    run(batch_dir, server.url)
    assert len(server.puts()) == 4
    assert len(server.visible) == 1


def test_a_platform_that_loses_a_blob_every_time_is_told_of(server: State, batch_dir: Path) -> None:
    server.faults = [("POST", "none"), ("POST", "lose")] * 3
    assert error(batch_dir, server.url, PlatformError) == "1 files did not arrive."


def test_bytes_that_change_on_the_way_are_refused_in_the_platforms_words(
    server: State, batch_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eyelevel.push.send._read", lambda blob, _tried: iter([bytes(blob.size_bytes)]))
    sentence = error(batch_dir, server.url, PlatformError)
    assert re.fullmatch(r"The bytes of \w{64} have another digest; the batch is refused\.", sentence)
    assert len(server.puts()) == 1
    assert server.visible == set()


def test_a_wrong_token_is_refused_once_in_the_platforms_words(server: State, batch_dir: Path) -> None:
    sentence = error(batch_dir, server.url, PlatformError, token="another")
    assert sentence == "This token is not known here; make one on the admin's page."
    assert len(server.asked) == 1
    assert PlatformError.exit_status == Exit.REFUSED


def test_no_token_is_a_usage_error(batch_dir: Path) -> None:
    result = CliRunner().invoke(push, [str(batch_dir), "--to", "http://127.0.0.1:1"], env={"EYELEVEL_TOKEN": None})
    assert (result.exit_code, "EYELEVEL_TOKEN" in result.stderr) == (click.UsageError.exit_code, True)


def test_silence_is_unreachable(batch_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    sentence = error(batch_dir, f"http://127.0.0.1:{port}", UnreachableError)
    assert sentence.startswith(f"http://127.0.0.1:{port} does not respond (")
    assert UnreachableError.exit_status == Exit.UNREACHABLE


def test_another_kind_of_server_is_told_apart(batch_dir: Path) -> None:
    class Other(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<h1>Welcome</h1>")

        def log_message(self, *_: object) -> None:
            pass

    with serving(Other) as url:
        sentence = error(batch_dir, url, UnreachableError)
    assert sentence == (
        f"{url} responds, but not like a platform: POST /api/batches gives status 200, no content type."
    )


@pytest.mark.parametrize("url", ["study.example", "ftp://study.example", "https://", "https://study.example/?a=1"])
def test_an_address_that_is_none_is_named(batch_dir: Path, url: str) -> None:
    assert error(batch_dir, url, BadInputError).startswith(f"{url!r} is not the address of a platform")


class TestCheckedBeforeAnythingIsSent:
    def refused(self, server: State, folder: Path, kind: type[Exception] = BadInputError) -> str:
        sentence = error(folder, server.url, kind)
        assert server.asked == []
        return sentence

    def change(self, folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
        value = manifest_of(folder)
        change(value)
        (folder / "manifest.json").write_text(json.dumps(value))

    def test_no_manifest(self, server: State, tmp_path: Path) -> None:
        assert "manifest.json cannot be read" in self.refused(server, tmp_path)

    def test_a_manifest_that_is_not_json(self, server: State, batch_dir: Path) -> None:
        (batch_dir / "manifest.json").write_text("{")
        assert "manifest.json is not JSON" in self.refused(server, batch_dir, ContractError)

    def test_a_manifest_that_breaks_its_contract(self, server: State, batch_dir: Path) -> None:
        self.change(batch_dir, lambda value: value.pop("tools"))
        assert "tools is missing" in self.refused(server, batch_dir, ContractError)

    def test_a_path_that_leaves_the_folder(self, server: State, batch_dir: Path) -> None:
        self.change(batch_dir, lambda value: value["files"].update({"../x": {"sha256": "0" * 64, "bytes": 1}}))
        assert "the path '../x' leaves the folder" in self.refused(server, batch_dir, ContractError)

    def test_a_link_that_leaves_the_folder(self, server: State, batch_dir: Path, tmp_path_factory: Any) -> None:
        outside = tmp_path_factory.mktemp("outside") / "campaign.toml"
        (batch_dir / "campaign.toml").rename(outside)
        (batch_dir / "campaign.toml").symlink_to(outside)
        assert "campaign.toml is a link to a place outside the folder" in self.refused(server, batch_dir)

    def test_a_missing_clip(self, server: State, batch_dir: Path) -> None:
        clip_of(batch_dir).unlink()
        assert ".mp4 is missing, but manifest.json lists it" in self.refused(server, batch_dir)

    def test_a_file_of_another_length(self, server: State, batch_dir: Path) -> None:
        (batch_dir / "campaign.toml").write_text("name = 'other'")
        assert "campaign.toml has 14 bytes, but manifest.json says 15" in self.refused(server, batch_dir)

    def test_a_file_with_other_bytes(self, server: State, batch_dir: Path) -> None:
        (batch_dir / "campaign.toml").write_text("name = 'smell'\n")
        assert "campaign.toml has the digest" in self.refused(server, batch_dir)

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (
                lambda value: value["files"].pop(value["clips"][0]["path"]),
                r"clips\[0\]\.path is .*, which files does not",
            ),
            (lambda value: value["clips"][0].update(takes=["0" * 64]), r"clips\[0\]\.takes names 0{64}, which takes"),
            (
                lambda value: value["clips"][0].update(purpose="control"),
                r"only control clips have delays_ms",
            ),
            (lambda value: value["takes"][0].update(stack="TCP"), r"takes\[0\]\.stack is 'TCP', which stacks does not"),
        ],
    )
    def test_a_manifest_that_breaks_a_rule_of_the_platform(
        self, server: State, batch_dir: Path, change: Callable[[dict[str, Any]], object], sentence: str
    ) -> None:
        self.change(batch_dir, change)
        assert re.search(rf"^manifest\.json: .*{sentence}", self.refused(server, batch_dir, ContractError))

    def test_a_take_that_is_not_the_one_of_the_manifest(
        self, server: State, batch_dir: Path, small_batch: Folder
    ) -> None:
        path = small_batch.manifest["takes"][0]["path"]
        small_batch.put(path, canonical_json(json.loads(small_batch.files[path]) | {"run": 2}))
        small_batch.write(batch_dir)
        sentence = self.refused(server, batch_dir, ContractError)
        assert sentence == f"{path}: run is 2, but the manifest says 1."


class TestClips:
    def test_a_truncated_clip_is_refused_by_name_and_nothing_is_sent(self, server: State, tmp_path: Path) -> None:
        whole = encode(1, "-vf", "noise=alls=60:allf=t", "-c:v", "libx264", "-movflags", "+faststart")
        folder(lambda _: whole[: len(whole) // 2], sites=["garden"], networks=["DSL"], stacks=["QUIC"]).write(tmp_path)
        assert error(tmp_path, server.url, BadInputError) == (
            f"{clip_of(tmp_path)} is not the clip that the manifest declares: only 2 of its 5 frames can be decoded, "
            "so it is cut short or damaged. Nothing was sent; build the batch again with `eyelevel batch`."
        )
        assert server.asked == []

    def test_without_ffprobe_the_platform_alone_decodes(
        self, server: State, batch_dir: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("bin")))
        result = CliRunner().invoke(push, [str(batch_dir), "--to", server.url], env={"EYELEVEL_TOKEN": TOKEN})
        assert result.exit_code == 0
        assert result.stderr.startswith(
            "The clips are not checked on this machine, only on the platform: ffprobe or prlimit is missing; install "
            "Debian's"
        )
        assert len(server.visible) == 1


def test_errors_keep_their_exit_statuses() -> None:
    assert issubclass(PlatformError, EyelevelError)
    assert (BadInputError.exit_status, PlatformError.exit_status) == (Exit.BAD_INPUT, Exit.REFUSED)


def test_it_waits_until_the_platform_has_checked_all_takes_and_videos(
    server: State, batch_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send, "ASK_AGAIN_S", 0.001)
    server.checks = [0, 3, 37]
    run(batch_dir, server.url)
    asked = [(method, path.rpartition("/")[2]) for method, path in server.asked if method != "PUT"]
    assert asked == [("POST", "batches"), ("POST", "commit"), *[("GET", "commit")] * 3]
    assert len(server.visible) == 1


def test_a_batch_that_the_platforms_worker_refuses_is_told_of_in_its_words(
    server: State, batch_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send, "ASK_AGAIN_S", 0.001)
    server.checks = [0]
    server.faults = [("GET", "refuse")]
    assert error(batch_dir, server.url, PlatformError) == "clips/a.mp4 is not the declared clip."


def test_a_platform_that_checks_nothing_is_told_of(
    server: State, batch_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(send, "ASK_AGAIN_S", 0.001)
    monkeypatch.setattr(send, "PATIENCE_S", 0.01)
    server.checks = [0, 3] + [3] * 100
    assert error(batch_dir, server.url, UnreachableError) == (
        f"{server.url} has checked 3 of 38 takes and videos, but none for 0 s; check whether its worker runs. "
        "Nothing needs to be sent again: the platform continues with its worker."
    )
    assert 80 < len(server.checks) < 100
    # where it goes on is shown by another push
    server.checks = []
    run(batch_dir, server.url)
    assert len(server.puts()) == 3
