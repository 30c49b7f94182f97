"""The result of people's votes and the one of all: replaced together, and never shown for one another."""

import pytest
from django.utils import timezone

from accounts.models import Role
from analysis.computing import results, turns
from analysis.computing.runs import run_if_due
from analysis.models import AnalysisState, Result, ResultOrigin, Snapshot
from analysis.origins import of_origin
from testing.exports import ask
from testing.tables import rows_in
from testing.votes import Field
from testing.web import signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def field(db: None) -> Field:
    """A vote of a person and one of a program, analysed."""
    field = Field()
    field.rate("QUIC", 6)
    field.rate("QUIC", 1, by=field.session(origin="simulated"))
    analyse(field)
    return field


def analyse(field: Field) -> None:
    AnalysisState.objects.update(not_before=None)
    turns.ask(field.study.sha256)
    assert run_if_due(field.study.sha256, timezone.now)


def published() -> Result:
    result = AnalysisState.objects.select_related("result").get().result
    assert result is not None
    return result


def test_a_result_of_an_older_version_stays_as_it_was_until_its_successors_of_both_origins_are_complete(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    # as an older version stored them
    Result.objects.update(fields_sha256="", votes=77)
    older = published().pk
    original = results._compute

    def killed_halfway(snapshot: Snapshot, origin: ResultOrigin) -> Result:
        if origin == ResultOrigin.ALL:
            raise ZeroDivisionError
        return original(snapshot, origin)

    with monkeypatch.context() as patch:
        patch.setattr(results, "_compute", killed_halfway)
        with pytest.raises(ZeroDivisionError):
            analyse(field)
    current = published()
    assert (current.pk, current.votes, current.is_current) == (older, 77, False)
    assert Result.objects.filter(fields_sha256="").count() == 2
    analyse(field)
    assert published().is_current
    assert sorted((row.origin, row.votes) for row in Result.objects.all()) == [("all", 2), ("person", 1)]


def test_a_missing_result_of_all_votes_is_not_replaced_by_that_of_people(field: Field) -> None:
    Result.objects.filter(origin=ResultOrigin.ALL).delete()
    assert of_origin(published(), ResultOrigin.ALL) is None
    client = signed_in("ada", Role.ADMIN)
    base = f"/api/research/studies/{field.study.sha256}"
    assert client.post(f"{base}/unblind").status_code == 204
    people, everybody = (client.get(f"{base}/results", {"origin": origin}).json() for origin in ("person", "all"))
    assert [row["n"] for row in rows_in(people, "mos")] == [1]
    assert (everybody["snapshot"], rows_in(everybody, "mos"), everybody["votes_used"]) == (None, [], 0)
    for path in ("/results/in-depth", "/results/figures", f"/clips/{field.stimuli['QUIC'].clip.sha256}"):
        assert client.get(f"{base}{path}", {"origin": "all"}).status_code == 200, path
    refused = ask(client, field.study.sha256, origin="all")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "busy")


def test_without_simulated_sessions_one_result_is_that_of_both_origins() -> None:
    field = Field()
    field.rate("QUIC", 6)
    analyse(field)
    assert of_origin(published(), ResultOrigin.ALL) == published()
