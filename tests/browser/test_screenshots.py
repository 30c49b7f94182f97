"""What every page looks like, in both languages and on both kinds of window.

Pictures go to the folder named by EYELEVEL_SCREENSHOTS, else to a folder of the test's own.
"""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform

from . import participant_tour, staff_tour
from .album import Album, untranslated
from .conftest import NewContext, Publish
from .words import ENGLISH, GERMAN

pytestmark = [pytest.mark.browser, pytest.mark.services]

# so that the planted participants' votes are used, who answer control questions as they like
USED = {rule: {"use": False} for rule in ("R2", "R3", "R7")}
# per language: 41 pages in two widths, and the comparison before its question in one
PICTURES = 83


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chosen = Path(os.environ.get("EYELEVEL_SCREENSHOTS") or tmp_path / "screenshots")
    chosen.mkdir(parents=True, exist_ok=True)
    return chosen


def test_every_page_fits_its_window_and_is_translated(
    platform: Platform, publish: Publish, new_context: NewContext, folder: Path
) -> None:
    albums = {words.language: Album(folder, words.language) for words in (ENGLISH, GERMAN)}
    study: dict[str, Any] = {}
    for words in (ENGLISH, GERMAN):
        album, new = albums[words.language], partial(new_context, locale=words.language)
        study = publish(
            f"album-{words.language}", rate=1, compare=1, slider=1, training=1, controls=True, conformance=USED
        )
        once = publish(f"once-{words.language}", rate=1, compare=0, quota={"sessions": 1}, session={"resume": "block"})
        participant_tour.whole(album, new, words, study["link"])
        participant_tour.asides(album, new, words, study["link"], once["link"])
    platform.eyelevel("simulate", "--study", study["link"], "--participants", "4", "--seed", "7")
    staff_tour.before_login(albums, platform, partial(new_context, locale="en"))
    staff_tour.tour(albums, platform, partial(new_context, locale="en"), study)

    for album in albums.values():
        assert album.faults == []
    assert untranslated(albums["en"], albums["de"]) == {}
    for album in albums.values():
        assert len(album.taken) == len(set(album.taken)) == PICTURES
        assert {file.stem for file in folder.glob(f"*-{album.language}-*.png")} >= set(album.taken)
