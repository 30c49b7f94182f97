"""Tests blinding: no traffic to a participant's browser names stack, network, metric or side."""

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from .conftest import NewContext, Publish
from .person import Person
from .secrets_of_batch import leaks, secrets_of
from .traffic import Piece, pieces, video_words

pytestmark = [pytest.mark.browser, pytest.mark.services]


def test_the_traffic_of_a_whole_session_tells_nothing(
    publish: Publish, new_context: NewContext, batch: Path, tmp_path: Path
) -> None:
    study = publish("blinded", rate=1, compare=1)
    har = tmp_path / "session.har"
    context = new_context(record_har_path=har, record_har_content="embed")
    page = context.new_page()
    page.goto(study["link"])
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("button", name="Beginnen")).to_be_visible()
    page.get_by_role("button", name="English").click()
    person = Person(page)
    person.arrive(study["link"])
    for number in (1, 2):
        person.trial(number, 2)
        person.watch(number)
        person.answer(number)
    person.code()
    context.close()

    traffic = pieces(har)
    places = " ".join(piece.where for piece in traffic)
    for part in ("(data block)", "/sessions (", "/person", "/votes/", "/finish"):
        assert part in places
    assert sum("/clips/" in piece.where and "(response body)" in piece.where for piece in traffic) == 2
    assert sum(".js (response body)" in piece.where for piece in traffic) >= 4
    # the debriefing may tell what the study was about: it comes with the code, when nothing can be answered any more
    end = [piece for piece in traffic if "/api/session/finish (response body)" in piece.where]
    assert leaks([piece for piece in traffic if piece not in end], secrets_of(batch)) == []
    assert ["debriefing" in json.loads(piece.text) for piece in end] == [True]
    assert not any(piece.text.find("They differed in the protocol") >= 0 for piece in traffic if piece not in end)


def test_a_planted_header_and_a_planted_field_are_found(
    publish: Publish, new_context: NewContext, batch: Path, tmp_path: Path
) -> None:
    study = publish("planted", rate=1, compare=1)
    har = tmp_path / "planted.har"
    context = new_context(record_har_path=har, record_har_content="embed")

    def plant(route: Route) -> None:
        answer = route.fetch()
        body = answer.text().replace('"invitation": {', '"invitation": {"left_stack": "none", ')
        route.fulfill(response=answer, body=body, headers={**answer.headers, "x-shown": "quic"})

    context.route("**/s/*", plant)
    page = context.new_page()
    page.goto(study["link"])
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    context.close()
    found = leaks(pieces(har), secrets_of(batch))
    assert [sentence.rpartition(" (")[2] for sentence in found] == [
        "response headers) tells 'QUIC'",
        "response body) tells 'left_stack'",
        "data block) tells 'left_stack'",
    ]


def test_each_kind_of_secret_is_found_where_it_may_stand(batch: Path) -> None:
    secrets = secrets_of(batch)
    recording = json.loads((batch / "manifest.json").read_text())["sites"][0]["recording"]
    value = min(secrets.values)
    planted = [
        Piece("a", "url", "http://host/clips/tcp+.mp4"),
        Piece("b", "headers", f"etag: {recording[:16]}"),
        Piece("c", "json", '{"clip": [{"batch": 1}]}'),
        Piece("d", "json", f'{{"x": {value}}}'),
        Piece("e", "text", 'const names = ["DSL"]'),
        Piece("f", "text", "row.si_ms"),
        Piece("g", "text", "a < b ? lte : fulltext"),
        Piece("h", "url", "/clips/garden-with-left_stack_first-and-later"),
        Piece("i", "url", "/clips/Zk3-plt-9fQ2hW7_xB4nM1vC8sD5gT6y"),
        Piece("j (request body)", "json", f'{{"answer_ms": {value}}}'),
    ]
    assert leaks(planted, secrets) == [
        "a tells 'TCP+'",
        f"b tells {recording!r}",
        "c tells 'batch'",
        f"d tells {value!r}",
        "e tells 'DSL'",
        "f tells 'si_ms'",
        "h tells 'left_stack'",
    ]


def test_a_word_in_the_metadata_of_a_video_is_found(batch: Path, tmp_path: Path) -> None:
    clip = min((batch / "clips").iterdir())
    planted = tmp_path / "planted.mp4"
    command = ["ffmpeg", "-v", "error", "-i", str(clip), "-c", "copy", "-metadata", "comment=LTE", str(planted)]
    subprocess.run(command, check=True)
    secrets = secrets_of(batch)
    assert leaks([Piece("clip", "binary", video_words(clip.read_bytes()))], secrets) == []
    assert leaks([Piece("clip", "binary", video_words(planted.read_bytes()))], secrets) == ["clip tells 'LTE'"]
