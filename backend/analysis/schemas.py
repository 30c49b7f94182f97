"""Bodies of the API: results, tables in depth, clips and figures."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator

from analysis.models import ResultOrigin
from analysis.showing.figures import Part
from eyelevel_core.model.metrics import MetricValues
from eyelevel_core.tables import Language
from eyelevel_figures.figure import FigureTable
from eyelevel_stats.departures import Departure
from eyelevel_stats.hypotheses.metric_agreement import MetricAgreement
from eyelevel_stats.reasons import Reason
from eyelevel_stats.rows.hypotheses import EffectRow, HypothesisRow
from eyelevel_stats.rows.study import ClipVotesRow, IdenticalAnswers
from lib.bodies import ALL_SENT
from lib.tables import TableOut
from stimuli.models import ClipKind, ClipPurpose
from studies.models import StimulusRole


@dataclass(frozen=True)
class ReasonOut(Reason):
    """The reason why a figure is unknown: a code, for which pages have a sentence, and the values in it."""

    __pydantic_config__ = ALL_SENT


def _of_json(stored: Any) -> Any:
    """Parse a reason, which rows of results store as JSON text."""
    return json.loads(stored) if isinstance(stored, str) else stored


StoredReason = Annotated[ReasonOut | None, BeforeValidator(_of_json)]


@dataclass(frozen=True)
class MetricAgreementOut(MetricAgreement):
    """Agreement of one metric with people, by the set of best metrics."""


@dataclass(frozen=True, kw_only=True)
class HypothesisOut(HypothesisRow):
    """A row of hypotheses.csv."""

    # the data that answer it: votes of a kind of trial, or the agreement of metrics; null if no program can answer it
    kind: Literal["rate", "compare", "metrics"] | None
    outcome: Literal["supported", "contradicted", "undecided", "pending", "failed", "unanswerable"]
    reason: StoredReason = None  # type: ignore[assignment]  # stored as text
    # the basis of an answer about metrics; null for others
    agreement: MetricAgreementOut | None = None


@dataclass(frozen=True, kw_only=True)
class EffectOut(EffectRow):
    """A row of effects.csv; `margin_si_why` is the English sentence of `margin_si_reason`."""

    kind: Literal["rate", "compare"]
    verdict: Literal["different", "different, but smaller than the margin", "equivalent", "undecided"]
    holds_alone: Literal["yes", "no"]
    scope: Literal["sites like these", "these very sites"]
    margin_si_reason: StoredReason  # type: ignore[assignment]  # stored as text


class PlannedLookOut(Schema):
    """A planned look: once this number of sessions is used, their votes are tested at this nominal alpha."""

    number: int
    sessions: int
    # null until it is reached
    level: float | None


class SnapshotOut(Schema):
    sha256: str
    created_at: datetime
    votes: int
    sessions: int


class InDepthOut(Schema):
    # none while the study is in the field, or before its first results
    status: Literal["none", "queued", "running", "done", "failed"]
    # the part that is being computed, and the numbers of parts done and in total
    part: str
    parts_done: int
    parts: int
    # the message about the failure, if it failed
    error: str
    # answers to the plan's hypotheses about metrics
    hypotheses: list[HypothesisOut]
    tables: list[TableOut]


class ResultsOut(Schema):
    # origin of the votes in the tables; `person` excludes simulated sessions
    origin: Literal["person", "all"]
    # true if the study is in the field and this account has not unblinded results: all tables are empty
    blinded: bool
    # true during data collection, when hypotheses are answered at planned looks only
    collecting: bool
    # the planned look that `hypotheses` and `effects` are of; null if they are of all votes
    look: int | None
    status: Literal["none", "fresh", "stale", "running"]
    snapshot: SnapshotOut | None
    # numbers of votes and sessions that the tables are computed from
    votes_used: int
    sessions_used: int
    hypotheses: list[HypothesisOut]
    effects: list[EffectOut]
    # the tables of `eyelevel_stats.tables.TABLES` that have rows, without hypotheses and effects
    tables: list[TableOut]
    identical_all: IdenticalAnswers | None
    # numbers of simulated sessions that are complete and not excluded, and of all that began
    simulated_sessions: int
    simulated_started: int
    # sessions that had begun by the time of the snapshot, and their votes, by outcome; also shown while blinded
    counts: TableOut
    # openings of results by stack during data collection
    looks: TableOut
    planned_looks: list[PlannedLookOut]
    # a table per question about the person, of used sessions over all stacks; counts under 5, and those that would
    # reveal them, are null; also shown while blinded
    demographics: list[TableOut]
    departures: list[Departure]


class StudyClipOut(Schema):
    """A clip that the study shows; its video is at /api/batches/{batch_sha256}/clips/{sha256}."""

    sha256: str
    batch_sha256: str
    kind: ClipKind
    site: str
    network: str
    # of a pair: left, then right
    stacks: list[str]
    run: int
    # why this run is shown: medoid, q25 or q75; null if the batch does not state it
    run_role: str | None
    purpose: ClipPurpose
    # roles in which the study uses the clip, and contexts
    roles: list[StimulusRole]
    contexts: list[str]
    duration_ms: float
    width_px: int
    height_px: int


class ProgressOut(Schema):
    """Visual completeness in percent, from `ms` since navigation start on."""

    ms: float
    percent: int


class ClipSideOut(Schema):
    """A take that the clip shows. Times count from its navigation start, which is `delay_ms` after the clip's."""

    stack: str
    run: int
    take_sha256: str
    delay_ms: float
    settled: bool
    # null if unknown, not final, or cut off
    metrics: MetricValues
    # visual metrics, computed on the clip's frames
    clip_metrics: MetricValues
    # the curve of visual completeness; null if the batch has none
    progress: list[ProgressOut] | None


@dataclass(frozen=True, kw_only=True)
class ClipVotesOut(ClipVotesRow):
    """Votes of used sessions, of one kind of trial in one role."""

    role: StimulusRole


class StudyClipDetailOut(StudyClipOut):
    # time of navigation start in the video, without delays
    start_ms: float
    # whether it ended before one of its takes had settled; null if unknown
    cut: bool | None
    # whether a page has motion that never ends; null if unknown
    moving: bool | None
    # left, then right
    sides: list[ClipSideOut]
    # null while results are blinded, and before the first results
    votes: list[ClipVotesOut] | None
    # the snapshot that contains the votes
    snapshot_sha256: str | None


class FiguresIn(Schema):
    origin: ResultOrigin = ResultOrigin.PERSON
    lang: Language = "en"
    layout: Literal["wide", "narrow"] = "wide"
    part: Part = "all"


class FigureOut(Schema):
    """A figure with its text alternative and the table behind it.

    The SVG has no style sheet and no script. Marks with `data-clip` are of the clip with this digest, those with
    `data-condition` of a condition: a JSON object with `site`, `network`, `stacks` (two of a pair) and `context`.
    """

    name: str
    title: str
    svg: str
    alternative: str
    how_to_read: str
    table: FigureTable
