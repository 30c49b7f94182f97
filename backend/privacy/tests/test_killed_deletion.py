"""A process that is killed while it deletes a study leaves nothing that the next start or a later task does not end."""

import os
import time
from typing import Any

import pytest

from accounts.models import Role
from analysis.snapshots.erasure import drop_strays
from analysis.tasks import votes_arrived
from privacy import erasure_ledger
from privacy.restore import replay
from ratings.models import Vote
from studies.archive import archive
from studies.models import Study
from testing import studies, workers
from testing.store import snapshot_folder
from testing.votes import Field

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
DELETE = """
import os, signal, sys
import django
django.setup()
from accounts.models import User
from privacy import erasure_ledger, study_deletion
from studies.models import Study

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

append = erasure_ledger.append
if sys.argv[1] == "files":
    study_deletion.files.drop = die
else:
    erasure_ledger.append = lambda *given: (append(*given), die())
study_deletion.delete_study(Study.objects.get(), by=User.objects.get(), with_batch=False)
"""


@pytest.mark.parametrize("before", ["files", "commit"])
def test_a_deletion_that_is_killed_is_ended_later(before: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rosa = studies.user("rosa", Role.RESEARCHER)
    field = Field()
    field.rate("QUIC", 7)
    votes_arrived(field.study.pk)
    archive(field.study, by=rosa)
    monkeypatch.setenv("EYELEVEL_STORE", settings.STORE)
    with workers.start(DELETE, before) as killed:
        assert killed.wait(timeout=60) == -9
    assert [entry.deleted for entry in erasure_ledger.read()] == [True]
    assert (Study.objects.exists(), Vote.objects.exists()) == ((False, False) if before == "files" else (True, True))
    # as at the next start
    assert replay().studies == (0 if before == "files" else 1)
    assert not Study.objects.exists()
    for file in snapshot_folder().rglob("*"):
        os.utime(file, (0, time.time() - 2 * 3600))
    drop_strays()
    assert list(snapshot_folder().iterdir()) == []
