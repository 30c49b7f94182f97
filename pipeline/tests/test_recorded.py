"""Pages, and addresses of servers, are told as in the testbed: both are held to the tables in testbed/cases."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from eyelevel.errors import BadInputError
from eyelevel.recorded import Response, Servers, is_html, responses, servers

CASES = Path(__file__).resolve().parents[1] / "testbed" / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / name).read_text())
    return found


@pytest.mark.parametrize("case", cases("page-types.json"), ids=lambda case: case["content_type"] or "none")
def test_pages_are_told_by_their_content_type(case: dict[str, Any]) -> None:
    assert is_html(case["content_type"]) == case["is_page"]


@pytest.mark.parametrize("case", cases("recorded-addresses.json"), ids=lambda case: case["address"])
def test_addresses_of_the_recorders_own_network_count_as_not_recorded(case: dict[str, Any]) -> None:
    found = servers([Response("https://a.example/", 200, "text/html", 1, case["address"])])
    assert found == Servers(1, "recorded" if case["is_kept"] else "by host")


def test_hosts_that_shared_an_address_of_ipv6_share_one_server() -> None:
    def of(host: str, address: str | None) -> Response:
        return Response(f"https://{host}/", 200, "text/html", 1, address)

    shared = [of("a.example", "2001:db8::5"), of("b.example", "2001:DB8::5"), of("c.example", "2001:db8::6")]
    assert servers(shared) == Servers(2, "recorded")
    assert servers([*shared, of("d.example", None), of("d.example.", None)]) == Servers(3, "recorded, else by host")


def written(path: Path, *kinds: tuple[str, str]) -> Path:
    """A record for each (type, status line)."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, (kind, status) in enumerate(kinds):
            headers = StatusAndHeaders(status, [("Content-Type", "text/html")], protocol="HTTP/1.1")
            url, body = f"https://a.example/{number}", BytesIO(b"moss")
            writer.write_record(writer.create_warc_record(url, kind, payload=body, length=4, http_headers=headers))
    return path


def test_what_replay_leaves_out_is_no_response(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", ("response", "200 OK"), ("response", "moss"), ("resource", "200 OK"))
    assert [response.url for response in responses(path)] == ["https://a.example/0"]


def test_a_pointer_to_another_body_is_named_with_the_cure(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc.gz", ("response", "200 OK"), ("revisit", "200 OK"))
    with pytest.raises(
        BadInputError, match=r"revisit record for https://a\.example/1.* eyelevel import .*a\.warc\.gz -o"
    ):
        list(responses(path))
