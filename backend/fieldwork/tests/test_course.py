"""The course of a study in the field, its forecasts and its alerts, from made sessions."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from math import comb, exp, sqrt

import pytest
from scipy import stats

from fieldwork.alerts import Alert, ClipFailures, Code, MissingIds, alerts, at_least_by_chance, jumps
from fieldwork.course import Course, Day, Link, Minutes, Step, Visit, course
from fieldwork.forecast import Forecast, forecast

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
LINK = Link(key=1, slug="abc", group="volunteer", quota=10, is_open=True, opened_at=NOW - timedelta(days=10))


def visit(
    minutes_ago: float, *, lasted: float | None = None, answered: int = 0, moved: float = 0, **other: object
) -> Visit:
    """A session that began so long ago; with `lasted` minutes it is finished, else it last moved `moved` later."""
    start = NOW - timedelta(minutes=minutes_ago)
    values = {
        "fielding": 1,
        "started_at": start,
        "moved_at": start + timedelta(minutes=moved),
        "completed_at": None if lasted is None else start + timedelta(minutes=lasted),
        "answered": answered,
        "trials": 20,
    }
    return Visit(**values | other)  # type: ignore[arg-type]


def course_of(*visits: Visit, link: Link = LINK) -> Course:
    return course([link], visits, votes={(date(2026, 3, 9), "volunteer"): 7}, now=NOW)


def test_every_session_is_active_finished_left_or_restarted() -> None:
    result = course_of(
        visit(10),
        visit(40, answered=7, moved=30),
        visit(40, answered=7, moved=20),
        visit(60, answered=7),
        visit(50),
        visit(70, restarted=True),
        visit(90, lasted=20),
        visit(100, lasted=30, excluded_by=("R2", "R4")),
        visit(100, lasted=40, excluded_by=("R2",)),
    )
    (link,) = result.links
    assert (link.started, link.active, link.finished, link.left, link.restarted) == (9, 2, 3, 3, 1)
    assert (link.counted, link.excluded) == (1, {"R2": 2, "R4": 1})
    assert link.minutes == Minutes(25, 30, 35)
    assert result.steps == (Step("volunteer", 0, 20, 1), Step("volunteer", 7, 20, 2))


def test_who_has_not_moved_for_a_quarter_of_an_hour_has_left() -> None:
    assert visit(14.9).is_active(NOW)
    assert not visit(15).is_active(NOW)
    assert visit(15).has_left(NOW)
    assert not visit(15, lasted=1).has_left(NOW)


def test_days_are_in_utc_and_the_newest_is_first() -> None:
    result = course_of(visit(60 * 13, lasted=90, excluded_by=("R2",)), visit(60 * 11, lasted=10))
    assert result.days == (
        Day(date(2026, 3, 10), "volunteer", started=1, finished=2, counted=1, votes=0),
        Day(date(2026, 3, 9), "volunteer", started=1, finished=0, counted=0, votes=7),
    )


def test_one_duration_is_all_of_its_quartiles() -> None:
    assert course_of(visit(60, lasted=12)).links[0].minutes == Minutes(12, 12, 12)


def test_a_forecast_continues_the_last_three_days() -> None:
    counted = [NOW - timedelta(hours=hours) for hours in (1, 20, 40, 60, 100)]
    found = forecast(counted, wanted=13, since=NOW - timedelta(days=10), now=NOW)
    # 4 in 3 days, 8 are missing
    spread = exp(1.96 * sqrt(1 / 4 + 1 / 8))
    assert found is not None
    assert found.per_day == pytest.approx(4 / 3)
    assert found.expected == NOW + timedelta(days=6)
    assert (found.earliest - NOW) / timedelta(days=1) == pytest.approx(6 / spread)
    assert found.latest is not None
    assert (found.latest - NOW) / timedelta(days=1) == pytest.approx(6 * spread)


def test_a_young_link_is_judged_by_the_time_that_it_was_open() -> None:
    counted = [NOW - timedelta(hours=hours) for hours in (1, 2, 3, 4)]
    found = forecast(counted, wanted=8, since=NOW - timedelta(hours=6), now=NOW)
    assert isinstance(found, Forecast)
    assert found.expected == NOW + timedelta(hours=6)


@pytest.mark.parametrize(("wanted", "hours"), [(3, (1, 2, 3)), (10, (1, 2)), (10, (80, 90, 100)), (100_000, (1, 2, 3))])
def test_there_is_no_forecast_of_a_full_link_and_none_from_too_little(wanted: int, hours: tuple[int, ...]) -> None:
    counted = [NOW - timedelta(hours=hour) for hour in hours]
    assert forecast(counted, wanted=wanted, since=NOW - timedelta(days=10), now=NOW) is None


@pytest.mark.parametrize("missing", [3, 9, 60])
def test_the_interval_of_a_forecast_holds_the_moment_at_which_the_quota_is_full(missing: int) -> None:
    """Of 9 sessions in three days on average, about 95 % of the intervals hold the true moment."""
    chances, held = 0.0, 0.0
    for count in range(3, 40):
        found = forecast([NOW] * count, wanted=count + missing, since=NOW - timedelta(days=3), now=NOW)
        assert found is not None
        ends = ((end - NOW) / timedelta(days=1) for end in (found.earliest, found.latest or NOW + timedelta(days=9999)))
        # the time until so many more come, at 3 per day
        low, high = (stats.gamma.cdf(days, missing, scale=1 / 3) for days in ends)
        chance = stats.poisson.pmf(count, 9)
        chances, held = chances + chance, held + chance * (high - low)
    assert 0.92 < held / chances < 0.98


def raised(*visits: Visit, link: Link = LINK, clips: tuple[ClipFailures, ...] = (), missing: int = 0) -> list[Alert]:
    return alerts([link], visits, clips=clips, missing=[MissingIds("abc", "volunteer", missing)], now=NOW)


def test_nobody_finishes() -> None:
    left = [visit(100 + n) for n in range(5)]
    assert raised(*left) == [Alert(Code.NOBODY_FINISHES, "abc", "volunteer", 5, 5)]
    assert raised(*left[1:]) == []
    assert raised(*left[1:], visit(3)) == []
    # one who ended later than these is good news; one from before the last ten is none
    assert raised(*left, visit(90, lasted=20)) == []
    assert raised(*(visit(100 + n) for n in range(10)), visit(300, lasted=20)) == [
        Alert(Code.NOBODY_FINISHES, "abc", "volunteer", 10, 10)
    ]
    assert raised(*left, link=replace(LINK, is_open=False)) == []


def test_the_share_excluded_jumps() -> None:
    def lasting(*excluded: bool) -> list[Visit]:
        return [
            visit(1000 - n, lasted=5, excluded_by=("R2",) if is_excluded else ())
            for n, is_excluded in enumerate(excluded)
        ]

    wide = replace(LINK, quota=1000)
    before, now = [False] * 30, [True] * 7 + [False] * 13
    assert raised(*lasting(*before, *now), link=wide) == [Alert(Code.EXCLUDED_JUMPS, "abc", "volunteer", 7, 20)]
    assert raised(*lasting(*now, *before), link=wide) == []
    assert jumps([], [True] * 5 + [False] * 5)
    assert not jumps([], [True] * 4 + [False] * 6)
    assert not jumps([], [True] * 9)
    # those over quota are no sign of bad data
    over = [replace(session, excluded_by=("beyond_quota",)) for session in lasting(*[False] * 12)]
    assert raised(*over, link=wide) == []


def test_fishers_test_is_that_of_scipy() -> None:
    for a, b, c, d in ((7, 13, 0, 30), (3, 17, 4, 40), (20, 0, 1, 9)):
        table = [[a, b], [c, d]]
        expected = stats.fisher_exact(table, alternative="greater").pvalue
        assert at_least_by_chance(a, a + b, a + c, a + b + c + d) == pytest.approx(expected, rel=1e-9)
    assert at_least_by_chance(0, 5, 3, 10) == 1
    assert comb(10, 5) == 252


def test_clips_that_fail_full_quotas_and_missing_ids() -> None:
    many, few = ClipFailures("abc", "c" * 64, "volunteer", 3, 30), ClipFailures("abc", "d" * 64, "volunteer", 3, 31)
    full = [visit(60, lasted=5)] * 10
    assert raised(*full, clips=(many, few, replace(many, people=2), replace(many, slug="other")), missing=2) == [
        Alert(Code.CLIP_FAILS, f"abc/{'c' * 64}", "volunteer", 3, 30),
        Alert(Code.QUOTA_FULL, "abc", "volunteer", 10, 10),
        Alert(Code.IDS_MISSING, "abc", "volunteer", 2, 2),
    ]


def test_a_link_that_is_closed_needs_nothing() -> None:
    clip = ClipFailures("abc", "c" * 64, "volunteer", 9, 9)
    closed = replace(LINK, is_open=False, is_closed=True)
    assert raised(*[visit(60, lasted=5)] * 10, link=closed, clips=(clip,), missing=5) == []


def test_leavers_whose_plan_was_deleted_are_counted_with_the_others() -> None:
    result = course_of(visit(60), replace(visit(60), trials=0))
    assert result.steps == (Step("volunteer", 0, 20, 2),)
