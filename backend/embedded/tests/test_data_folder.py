"""The data folder is held by one platform, and keeps its secrets."""

import os
from pathlib import Path

import pytest

from embedded.data_folder import Layout, Running
from embedded.processes import ServerError
from embedded.servers import POSTGRES_SOCKET, SOCKET_PATH_BYTES


def test_a_second_holder_is_told_who_runs(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "data")
    with layout.held():
        layout.note_running(Running("http://127.0.0.1:8000", 4711))
        with pytest.raises(ServerError) as caught, Layout(tmp_path / "data").held():
            pass
    assert str(caught.value) == (
        f"A platform with the data folder {tmp_path / 'data'} is already running at http://127.0.0.1:8000 "
        "(process 4711); stop it first, or choose another folder with --data."
    )


def test_a_folder_that_was_let_go_can_be_held_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    with layout.held():
        pass
    with layout.held():
        pass


def test_a_secret_is_made_once_for_the_owner_only(tmp_path: Path) -> None:
    first = Layout(tmp_path).secret("django")
    assert len(first) >= 60
    assert Layout(tmp_path).secret("django") == first
    assert (tmp_path / "secrets" / "django").stat().st_mode & 0o777 == 0o600


def test_sockets_of_a_deep_folder_lie_where_their_path_is_short(tmp_path: Path) -> None:
    deep = Layout(tmp_path / ("long" * 40))
    assert len(os.fsencode(deep.sockets / POSTGRES_SOCKET)) <= SOCKET_PATH_BYTES
    assert Layout(Path("/srv/eyelevel")).sockets == Path("/srv/eyelevel/run")


def test_files_stay_in_the_bucket_that_had_them_first(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.keep_store("s3://films/study/")
    layout.keep_store("s3://films/study")
    assert layout.store("s3://films/study/") == "s3://films/study"
    for other in ("", "s3://films/other", "/srv/files"):
        with pytest.raises(ServerError, match=r"are in s3://films/study; set EYELEVEL_STORE=s3://films/study\.$"):
            layout.keep_store(other)


def test_files_stay_in_the_folder_that_had_them_first(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    (layout.blobs / "ab").mkdir(parents=True)
    layout.keep_store("")
    assert layout.store("/srv/files") == str(tmp_path)
    with pytest.raises(ServerError, match=rf"are in {tmp_path}; unset EYELEVEL_STORE\.$"):
        layout.keep_store("s3://films/study")
