"""`eyelevel study check` and `eyelevel study publish`, the latter against a small platform on a real socket."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from eyelevel.errors import BadInputError
from eyelevel.platform import PlatformError
from eyelevel.study.command import study
from eyelevel.study.summary import summary
from eyelevel_contracts.study import StudyError, read_study

DEMO = Path(__file__).parents[3] / "fixtures" / "study-demo.yaml"
REFUSAL = "Line 42: batch names demo, but no batch with this digest or campaign is here."


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(study, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def run(*arguments: object) -> str:
    return invoke(*arguments).stdout


def test_check_says_what_a_participant_is_asked() -> None:
    assert run("check", DEMO) == (
        "demo: a right study file, in en and de.\n"
        "A participant answers 4 questions and 10 trials (6 rate, 4 compare),\n"
        # 90 s to begin with, and ten times 18 s
        "which takes about 5 minutes if a clip lasts 10 s.\n"
        "100 sessions give about 1000 votes: work 500, free-time 500.\n"
    )


def test_votes_are_shared_by_the_networks_that_a_context_brings() -> None:
    value = read_study(DEMO.read_text(), source="demo")
    value["contexts"][1]["networks"] = ["LTE"]
    value["trials"] = [{"kind": "rate", "count": 3}, {"kind": "rate", "count": 2, "networks": ["DSL"]}]
    value["quota"] = {"sessions": 10}
    found = summary(value)
    # 30 votes over DSL and LTE at work and LTE in free time; 20 over DSL, at work only
    assert found.votes_by_context == {"work": 40, "free-time": 10}
    assert (found.trials, found.trial_count, found.sessions) == ({"rate": 5}, 5, 10)


def test_without_a_quota_the_contracts_default_holds() -> None:
    value = read_study(DEMO.read_text(), source="demo")
    del value["quota"]
    assert summary(value).sessions == 100


def test_a_wrong_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(DEMO.read_text().replace("kind: rate", "kind: guess"))
    with pytest.raises(StudyError, match=rf"^{path}, line \d+: trials\[0\].kind is 'guess'"):
        run("check", path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"missing\.yaml cannot be read"):
        run("check", tmp_path / "missing.yaml")
    (tmp_path / "latin.yaml").write_bytes("title: Größe".encode("latin-1"))
    with pytest.raises(BadInputError, match=r"latin\.yaml is not UTF-8 text"):
        run("check", tmp_path / "latin.yaml")


class Handler(BaseHTTPRequestHandler):
    """Publishes any text, unless it names the batch `nowhere`."""

    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append({"path": self.path, "body": body, "headers": dict(self.headers)})
        if b"batch: nowhere" in body:
            error = {"code": "invalid_study", "message": REFUSAL, "retry": False, "details": {"line": 42}}
            self._send(422, {"error": error})
        else:
            url = "https://study.example/participate/abc"
            self._send(201, {"sha256": "0" * 64, "name": "demo", "fieldings": [{"participant_url": url}]})

    def _send(self, status: int, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    asked: list[dict[str, Any]] = []
    listening = ThreadingHTTPServer(("127.0.0.1", 0), type("OneServer", (Handler,), {"asked": asked}))
    thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{listening.server_port}", asked
    listening.shutdown()
    thread.join()
    listening.server_close()


Server = tuple[str, list[dict[str, Any]]]


def test_publish_sends_the_text_and_passes_on_the_receipt(server: Server) -> None:
    url, asked = server
    result = invoke("publish", DEMO, "--to", url, "--token", "t")
    assert json.loads(result.stdout)["fieldings"] == [{"participant_url": "https://study.example/participate/abc"}]
    assert "Participants enter at https://study.example/participate/abc\n" in result.stderr
    (request,) = asked
    assert (request["path"], request["body"]) == ("/api/research/studies", DEMO.read_bytes())
    assert request["headers"]["Content-Type"] == "application/yaml"
    assert request["headers"]["Authorization"] == "Bearer t"


def test_publish_passes_on_the_platforms_refusal(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(DEMO.read_text().replace("batch: demo", "batch: nowhere"))
    with pytest.raises(PlatformError) as caught:
        run("publish", path, "--to", server[0], "--token", "t")
    assert str(caught.value) == REFUSAL


def test_a_wrong_file_is_not_sent(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("name: x\n")
    with pytest.raises(StudyError):
        run("publish", path, "--to", server[0], "--token", "t")
    assert server[1] == []
