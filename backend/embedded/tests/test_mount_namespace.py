"""Where root's folders are closed to the user of the services, a view shows them what they need, and no more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from embedded import mount_namespace
from embedded.processes import ServerError

WHO = "nobody"
LOOK = """
import os, sys
from pathlib import Path
from embedded import mount_namespace
needed = [Path(sys.argv[1]), *mount_namespace.needed_by_python(Path(mount_namespace.__file__).parents[2])]
mount_namespace.enter(needed=needed, user="nobody")
import pwd
os.setuid(pwd.getpwnam("nobody").pw_uid)
import xml.dom.minidom
print(Path(sys.argv[1], "note").read_text(), os.path.exists(sys.argv[2]))
"""


def test_nothing_is_planned_where_the_way_is_open(tmp_path: Path) -> None:
    open_folder = Path(sys.executable).resolve().anchor
    assert mount_namespace.plan([Path(open_folder)]) == {}


def test_a_path_inside_another_is_shown_once(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "clone" / "data").mkdir(parents=True)
    tmp_path.chmod(0o755)
    closed.chmod(0o700)
    shown = mount_namespace.plan([closed / "clone" / "data", closed / "clone"])
    assert [paths for folder, paths in shown.items() if folder == mount_namespace.closed_folder(closed)] == [
        [closed / "clone"]
    ]


@pytest.mark.root
@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_the_user_reads_what_is_needed_and_nothing_else_of_a_closed_folder(tmp_path: Path, umask: int) -> None:
    closed = tmp_path / "closed"
    for name in ("way/needed", "private"):
        (closed / name).mkdir(parents=True)
        (closed / name / "note").write_text("seen")
    closed.chmod(0o700)
    look = tmp_path / "look.py"
    look.write_text(LOOK)
    command = [sys.executable, str(look), str(closed / "way" / "needed"), str(closed / "private")]
    environment = {key: value for key, value in os.environ.items() if key != mount_namespace.INSIDE}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, umask=umask)
    assert (done.stdout, done.stderr, done.returncode) == ("seen False\n", "", 0)
    assert (closed / "private" / "note").read_text() == "seen", "the host sees what it saw before"


@pytest.mark.root
def test_a_machine_without_namespaces_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(mount_namespace.INSIDE, raising=False)
    with pytest.raises(ServerError, match=r"cannot enter .*; clone into a folder that everybody may enter"):
        mount_namespace.enter(needed=[closed], user=WHO)
