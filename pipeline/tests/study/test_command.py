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
from eyelevel_core.contracts import ContractError
from eyelevel_core.study.parse import StudyError

FIXTURES = Path(__file__).parents[3] / "fixtures"
DEMO, SAMPLE = FIXTURES / "study-demo.yaml", FIXTURES / "sample-batch"
ASKED = "A participant answers 4 questions and 1 control question, and 10 trials (6 rate, 4 compare)"
REFUSAL = "Line 42: batch names demo, but no batch with this digest or campaign is here."


def invoke(*arguments: object) -> Result:
    result = CliRunner().invoke(study, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def run(*arguments: object) -> str:
    return invoke(*arguments).stdout


def test_check_says_what_a_participant_is_asked_and_what_the_plan_finds() -> None:
    result = invoke("check", DEMO)
    said = result.stdout.splitlines()
    assert said[0] == "demo: a valid study file, in en and de."
    assert said[1] == ASKED
    (row,) = [line.split() for line in said if line.startswith("  [0] rate") and "free-time" in line and "DSL" in line]
    assert row[2:6] == ["volunteer", "free-time", "DSL", "100"]
    assert "The number of clips per cell is unknown (?) without a batch; add --batch DIR." in said
    assert all(line.startswith("Warning: ") for line in result.stderr.splitlines())


def test_check_counts_the_cells_of_a_batch() -> None:
    said = run("check", DEMO, "--batch", SAMPLE)
    (row,) = [line.split() for line in said.splitlines() if "[0] rate" in line and "work" in line and "LTE" in line]
    assert row[4:9] == ["LTE", "100", "4", "25", "2"]
    assert "Each of the 8 clips of trials[0] gets 50 votes." in said
    assert "Contexts per participant (volunteer): of 100, 100 see 2." in said


def test_check_gives_one_json_object() -> None:
    result = invoke("check", DEMO, "--batch", SAMPLE, "--json")
    answer = json.loads(result.stdout)
    assert result.stderr == ""
    assert (answer["name"], answer["sessions"], answer["pay"]) == ("demo", {"volunteer": 100}, None)
    (row,) = [row for row in answer["votes"] if (row["block"], row["context"], row["network"]) == (0, "work", "DSL")]
    assert (row["cells"], row["votes_per_cell"], row["participants"]) == (4, 25, 50)
    # two samples of 50, a standard deviation of 1.2: by statsmodels 0.5660 standard deviations
    assert row["smallest"] == pytest.approx(1.2 * 0.5660, abs=1e-3)
    assert answer["clips"][0] == {"block": 0, "kind": "rate", "clips": 8, "fewest_votes": 50, "most_votes": 50}
    assert "The study has no analysis plan" in " ".join(answer["warnings"]) or answer["hypotheses"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, r"manifest\.json cannot be read \(No such file"),
        ("{", r"manifest\.json is not JSON"),
        ("{}", r"manifest\.json: contract is missing; add it"),
    ],
)
def test_a_folder_that_is_no_batch_is_named(tmp_path: Path, text: str | None, sentence: str) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises((BadInputError, ContractError), match=sentence):
        run("check", DEMO, "--batch", tmp_path)


def test_a_wrong_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(DEMO.read_text().replace("kind: rate", "kind: guess"))
    with pytest.raises(StudyError, match=rf"^{path}, line \d+: trials\[0\].kind is .guess., but must be one of"):
        run("check", path)


def test_what_a_batch_cannot_give_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(DEMO.read_text().replace("count: 4", "count: 9"))
    line = next(number for number, text in enumerate(path.read_text().splitlines(), start=1) if "count: 9" in text)
    run("check", path)
    with pytest.raises(StudyError, match=rf"^{path}, line {line}: trials\[0\].count is 9, but the selected sites"):
        run("check", path, "--batch", SAMPLE)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"missing\.yaml cannot be read"):
        run("check", tmp_path / "missing.yaml")
    (tmp_path / "latin.yaml").write_bytes("title: Größe".encode("latin-1"))
    with pytest.raises(StudyError, match=r"latin\.yaml, line 1: the file is not UTF-8 text; save it as UTF-8"):
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
            fielding = {"participant_url": url, "group": "volunteer"}
            self._send(201, {"sha256": "0" * 64, "name": "demo", "fieldings": [fielding]})

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
    url_of = "https://study.example/participate/abc"
    assert json.loads(result.stdout)["fieldings"] == [{"participant_url": url_of, "group": "volunteer"}]
    assert f"Participants enter at {url_of} (group volunteer)\n" in result.stderr
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
