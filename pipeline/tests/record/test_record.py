"""What cannot be recorded is named before any program is started."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.errors import BadInputError
from eyelevel.record.command import record


def refusal(*arguments: str) -> str:
    result = CliRunner().invoke(record, arguments)
    assert isinstance(result.exception, BadInputError), result.output
    return str(result.exception)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("example.org", "example.org is not an http or https URL"),
        ("file:///etc/passwd", "file:///etc/passwd is not an http or https URL"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/ is on this machine's loopback"),
    ],
)
def test_a_url_that_cannot_be_recorded_is_named(url: str, sentence: str, tmp_path: Path) -> None:
    assert refusal(url, "-o", str(tmp_path / "x.warc.gz")).startswith(sentence)
    assert list(tmp_path.iterdir()) == []


def test_the_place_of_the_recording_is_checked(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "x.warc.gz"
    assert "does not exist; create it first" in refusal("https://a.example/", "-o", str(missing))
    assert "is a folder; give a file" in refusal("https://a.example/", "-o", str(tmp_path))


@pytest.mark.parametrize("arguments", [(), ("https://a.example/", "--list", "sites.txt")])
def test_either_a_url_or_a_list_is_given(arguments: tuple[str, ...], tmp_path: Path) -> None:
    result = CliRunner().invoke(record, [*arguments, "-o", str(tmp_path / "x")])
    assert result.exit_code == 2
    assert "Give either a URL or --list SITES.txt." in result.output


def test_a_list_that_is_missing_or_wrong_is_named(tmp_path: Path) -> None:
    command = ["--list", str(tmp_path / "sites.txt"), "-o", str(tmp_path / "out")]
    assert "sites.txt cannot be read as a list of pages" in refusal(*command)
    (tmp_path / "sites.txt").write_text("https://a.example/\nhttp://localhost/\n")
    assert "sites.txt, line 2: http://localhost/ is on this machine's loopback" in refusal(*command)
    assert not (tmp_path / "out").exists()


def test_a_recording_of_another_page_under_a_sites_name_is_not_kept(tmp_path: Path) -> None:
    fixtures = Path(__file__).resolve().parents[3] / "fixtures"
    (tmp_path / "garden.warc.gz").write_bytes((fixtures / "garden.warc.gz").read_bytes())
    (tmp_path / "sites.txt").write_text("https://tea.example/ garden\n")
    message = refusal("--list", str(tmp_path / "sites.txt"), "-o", str(tmp_path))
    assert "garden.warc.gz has no response for https://tea.example/" in message
