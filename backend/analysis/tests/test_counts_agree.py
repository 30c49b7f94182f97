"""Every count of a study's page says what it counts: panels, cells, funnel and results agree, and add up."""

from typing import Any

import pytest

from accounts.models import Role
from analysis import tasks
from ratings.models import Trial
from testing.tables import rows_in, rows_of
from testing.votes import Field
from testing.web import signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def field(db: None) -> Field:
    """Two used sessions; one each that is excluded, over quota, incomplete; and two simulated ones."""
    field = Field()
    ann, ben = field.session(), field.session()
    field.rate("QUIC", 6, by=ann)
    field.rate("TCP+", 4, by=ann)
    field.rate("QUIC", 6, by=ann, role="repeat", repeats=1)
    field.compare("left", by=ann, which="alike", role="identical")
    field.rate("QUIC", 5, by=ben)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    Trial.objects.filter(session=field.rate("QUIC", 2).session).update(slot=None)
    field.rate("QUIC", 3, by=field.session(judged=False))
    for score in (1, 2):
        field.rate("QUIC", score, by=field.session(origin="simulated"))
    tasks.votes_arrived(field.study.sha256)
    return field


def page_data(field: Field) -> tuple[Any, Any, Any]:
    """The study, its results and its screening, as the page asks for them."""
    client = signed_in("ada", Role.ADMIN)
    base = f"/api/research/studies/{field.study.sha256}"
    client.post(f"{base}/unblind")
    study, results, screening = (client.get(f"{base}{part}").json() for part in ("", "/results", "/conformance"))
    return study, results, screening


def test_panel_funnel_and_results_count_the_same_sessions(field: Field) -> None:
    study, results, screening = page_data(field)
    [panel], [group] = study["fieldings"], screening["groups"]
    outcome = {row["outcome"]: row["sessions"] for row in rows_of(results["counts"])}
    assert {
        name: panel[f"sessions_{name}"] for name in ("started", "completed", "counted", "excluded", "over_quota")
    } == {"started": 5, "completed": 4, "counted": 2, "excluded": 1, "over_quota": 1}
    assert panel["sessions_completed"] == sum(
        panel[f"sessions_{name}"] for name in ("counted", "excluded", "over_quota")
    )
    assert study["sessions"] == {
        name: panel[f"sessions_{name}"]
        for name in ("started", "completed", "counted", "excluded", "over_quota", "simulated")
    }
    assert (group["started"], group["completed"], group["used"]) == (5, 4, 2)
    assert group["otherwise"] == {"beyond_quota": 1}
    assert outcome == {"used": 2, "excluded": 1, "over_quota": 1, "waiting": 0, "incomplete": 1, "simulated": 2}
    assert panel["sessions_counted"] == group["used"] == results["sessions_used"] == outcome["used"]
    assert panel["sessions_simulated"] == outcome["simulated"] == results["simulated_sessions"]
    assert sum(outcome.values()) == results["snapshot"]["sessions"]
    assert panel["sessions_started"] == sum(outcome.values()) - outcome["simulated"]


def test_cells_mos_and_results_count_the_same_votes(field: Field) -> None:
    study, results, _ = page_data(field)
    votes = {row["outcome"]: row["votes"] for row in rows_of(results["counts"])}
    cells = {(cell["role"], cell["condition"]): cell["votes"] for cell in study["cells"] if cell["votes"]}
    assert cells == {("main", "QUIC"): 2, ("main", "TCP+"): 1, ("identical", "QUIC / QUIC"): 1}
    assert {row["stack"]: row["n"] for row in rows_in(results, "mos")} == {"QUIC": 2, "TCP+": 1}
    # beside those of the cells, a repeat
    assert results["votes_used"] == votes["used"] == sum(cells.values()) + 1
    assert sum(votes.values()) == results["snapshot"]["votes"] == 10
    assert study["votes"] == sum(votes.values()) - votes["simulated"]
