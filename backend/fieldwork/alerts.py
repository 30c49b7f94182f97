"""Alerts about a study in the field that need a researcher; pure rules over its course."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from math import comb

from fieldwork.course import Link, Visit


class Code(StrEnum):
    """Kinds of alerts; docs/guides/watch-a-study.md lists what to do about each."""

    NOBODY_FINISHES = "nobody_finishes"
    EXCLUDED_JUMPS = "excluded_jumps"
    CLIP_FAILS = "clip_fails"
    QUOTA_FULL = "quota_full"
    IDS_MISSING = "ids_missing"


@dataclass(frozen=True)
class Alert:
    """An alert. `subject`: the link's slug, or `slug/digest` for a clip; its sentence states `count` of `of`."""

    code: Code
    subject: str
    group: str
    count: int
    of: int


@dataclass(frozen=True)
class ClipFailures:
    """Number of people for whom a clip of a link did not play, and number of people to whom it was sent."""

    slug: str
    clip_sha256: str
    group: str
    people: int
    sent: int


@dataclass(frozen=True)
class MissingIds:
    """Number of visits to a link without the recruiter's id since yesterday."""

    slug: str
    group: str
    visits: int


# nobody finishes: none of the last sessions that ended, of which there are at least LEAST_OVER, is completed
LAST_OVER, LEAST_OVER = 10, 5
# exclusions jump: share of excluded sessions among the last ones, compared with those before
LAST_COMPLETED, LEAST_COMPLETED, LEVEL, HIGH_SHARE = 20, 10, 0.01, 0.5
# a clip fails: people for whom it did not play, and their share of those to whom it was sent
LEAST_FAILURES, FAILING_SHARE = 3, 0.1


def alerts(
    links: Sequence[Link],
    visits: Iterable[Visit],
    *,
    clips: Iterable[ClipFailures],
    missing: Iterable[MissingIds],
    now: datetime,
) -> list[Alert]:
    """The current alerts of links that are not closed, in the order of `Code`."""
    every, running = list(visits), [link for link in links if not link.is_closed]
    slugs = {link.slug for link in running}
    raised = [
        *_of_links(running, every, now),
        *_of_clips(clip for clip in clips if clip.slug in slugs),
        *_of_ids(missing_ids for missing_ids in missing if missing_ids.slug in slugs),
    ]
    order = list(Code)
    return sorted(raised, key=lambda alert: order.index(alert.code))


def _of_links(links: Sequence[Link], visits: Sequence[Visit], now: datetime) -> Iterator[Alert]:
    for link in links:
        of_link = [visit for visit in visits if visit.fielding == link.key]
        completed = sorted((visit for visit in of_link if visit.completed_at is not None), key=_ended)
        counted = sum(not visit.excluded_by for visit in completed)
        if counted >= link.quota > 0:
            yield Alert(Code.QUOTA_FULL, link.slug, link.group, counted, link.quota)
        if not link.is_open:
            continue
        over = sorted((visit for visit in of_link if visit.completed_at is not None or visit.has_left(now)), key=_ended)
        last = over[-LAST_OVER:]
        if len(last) >= LEAST_OVER and all(visit.completed_at is None for visit in last):
            yield Alert(Code.NOBODY_FINISHES, link.slug, link.group, len(last), len(last))
        excluded = [any(reason != "beyond_quota" for reason in visit.excluded_by) for visit in completed]
        before, lately = excluded[:-LAST_COMPLETED], excluded[-LAST_COMPLETED:]
        if jumps(before, lately):
            yield Alert(Code.EXCLUDED_JUMPS, link.slug, link.group, sum(lately), len(lately))


def _ended(visit: Visit) -> datetime:
    return visit.completed_at or visit.moved_at


def jumps(before: Sequence[bool], lately: Sequence[bool]) -> bool:
    """Whether more of the last sessions are excluded than of those before, by Fisher's exact test (one-sided).

    Without enough earlier sessions, whether at least half of the last ones are excluded.
    """
    if len(lately) < LEAST_COMPLETED:
        return False
    if len(before) < LEAST_COMPLETED:
        return sum(lately) >= HIGH_SHARE * len(lately)
    return at_least_by_chance(sum(lately), len(lately), sum(before) + sum(lately), len(before) + len(lately)) < LEVEL


def at_least_by_chance(count: int, drawn: int, marked: int, total: int) -> float:
    """The probability that of `drawn` out of `total` at least `count` are among the `marked` ones (hypergeometric)."""
    ways = sum(comb(marked, k) * comb(total - marked, drawn - k) for k in range(count, min(drawn, marked) + 1))
    return ways / comb(total, drawn)


def _of_clips(clips: Iterable[ClipFailures]) -> Iterator[Alert]:
    for clip in clips:
        if clip.people >= LEAST_FAILURES and clip.people >= FAILING_SHARE * clip.sent:
            yield Alert(Code.CLIP_FAILS, f"{clip.slug}/{clip.clip_sha256}", clip.group, clip.people, clip.sent)


def _of_ids(missing: Iterable[MissingIds]) -> Iterator[Alert]:
    for link in missing:
        if link.visits > 0:
            yield Alert(Code.IDS_MISSING, link.slug, link.group, link.visits, link.visits)
