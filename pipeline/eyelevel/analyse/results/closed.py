"""All results in closed form: those of a study, and those of the report about scores, participants and metrics."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from eyelevel.analyse.given import Given
from eyelevel.analyse.results.distribution import ScoreRow, score_rows
from eyelevel.analyse.results.natural import natural
from eyelevel.analyse.results.preferred import PreferredRow, preferred_rows
from eyelevel.analyse.results.quality import Quality, quality
from eyelevel.analyse.tables import FOLDER, Sheets
from eyelevel.errors import BadInputError
from eyelevel.report.table import Filled
from eyelevel_core.study.design import Plan
from eyelevel_stats.agreement.clip_scores import ClipScore, Metrics, clip_scores
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.agreement.signs import sign_matches
from eyelevel_stats.columns import simulated_sessions
from eyelevel_stats.hypotheses.plan_order import Unanswered, in_plan_order
from eyelevel_stats.in_depth.stimuli import side_votes as sides_of_stimuli
from eyelevel_stats.in_depth.votes import clip_votes, metrics_by_label, side_votes
from eyelevel_stats.observations import Ratings
from eyelevel_stats.opinion import codes_of
from eyelevel_stats.participants import ParticipantRow, participant_rows
from eyelevel_stats.rows.metrics import OPPOSITE, LeaderRow, SignRow
from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES
from eyelevel_stats.votes import metrics_of, ratings_of, results_of

# answers outside planned looks are further tests
NOT_CLOSED = "it is answered once every link of the study is closed"
# the tables in depth are computed later, or not at all with --no-bootstrap
NOT_RESAMPLED = "it takes the resampling of the tables in depth"
# a weaker rank correlation does not show the direction of a metric
CLEAR = 0.3


@dataclass(frozen=True)
class Closed:
    """The results in closed form. `clips` and `metrics` are those of the ratings; `quality` is None without ratings.

    While a study is in the field, metrics are not compared and participants are not listed, as on the platform: such
    results could influence when it is ended or changed.
    """

    results: Results
    ratings: Ratings
    clips: tuple[ClipScore, ...]
    metrics: Metrics
    leaders: tuple[LeaderRow, ...]
    signs: tuple[SignRow, ...]
    scores: tuple[ScoreRow, ...]
    participants: tuple[ParticipantRow, ...]
    quality: Quality | None
    preferred: tuple[PreferredRow, ...]

    @property
    def rising(self) -> list[str]:
        """Metrics that rise with the scores but are not named with --higher-is-better."""
        return [row.metric for row in self.leaders if row.direction == OPPOSITE and (row.spearman or 0) > CLEAR]

    def sheets(self, given: Given, make: Sheets) -> Iterator[Filled]:
        """Yields every table of an export, even if empty; for stimuli, the tables that apply and have rows."""
        for name in TABLES:
            rows = getattr(self.results, name)
            if given.study is not None or (rows and name in ("mos", "comparisons", "identical")):
                yield make.sheet(name, rows)
        rows_of = {"distribution": self.scores, "participants": self.participants, "preferred": self.preferred}
        yield from (make.sheet(name, rows) for name, rows in rows_of.items() if rows)
        in_depth = {"leaderboard": self.leaders, "signs": self.signs}
        yield from (make.sheet(f"{FOLDER}/{name}", rows) for name, rows in in_depth.items() if rows)


def closed(given: Given, *, seed: int) -> Closed:
    """Computes the results; raises BadInputError if two votes contradict each other."""
    columns, stimuli = given.columns, given.stimuli
    planned = None if given.study is None or given.study.design is None else given.study.design.sessions
    try:
        results = results_of(columns, given.plan, planned=planned, scale=given.scale)
    except ValueError as error:
        raise BadInputError(f"{given.name}: {error}") from error
    if given.collecting:
        results = at_planned_look(results, simulated=simulated_sessions(columns))
    if stimuli is not None:
        results = replace(results, mos=tuple(sorted(results.mos, key=lambda row: natural(row.stack))))
    ratings = ratings_of(columns)
    clips = clip_scores(clip_votes(ratings))
    known = metrics_by_label(ratings, metrics_of(columns)) if stimuli is None else stimuli.metrics
    better = () if stimuli is None else stimuli.higher_is_better
    compared = not given.collecting
    sides = side_votes(columns) if stimuli is None else sides_of_stimuli(columns, stimuli.metrics)
    participants = _participants(ratings) if ratings and compared else ()
    scores = ratings.columns[-1]
    return Closed(
        results=results,
        ratings=ratings,
        clips=clips,
        metrics=known,
        leaders=leaderboard(clips, known, higher_is_better=better, seed=seed) if clips and known and compared else (),
        signs=sign_matches(dict(sides), higher_is_better=better) if results.comparisons and compared else (),
        scores=score_rows(scores, given.scale),
        participants=participants,
        quality=quality(scores, clips, participants, given.scale) if participants else None,
        preferred=preferred_rows(results.comparisons),
    )


def at_planned_look(results: Results, *, simulated: int) -> Results:
    """Returns the results with the answers of the last planned look reached; none if there are simulated sessions."""
    reached = [] if simulated else [look for look in results.looks if not look.is_final]
    if not reached:
        return replace(results, hypotheses=(), effects=())
    return replace(results, hypotheses=reached[-1].hypotheses, effects=reached[-1].effects)


def with_every_hypothesis(results: Results, plan: Plan | None, *, collecting: bool) -> Results:
    """Returns the results with a row per hypothesis of the plan; with none before a planned look or the end."""
    if plan is None or (collecting and not results.hypotheses):
        return results
    why = NOT_CLOSED if collecting else NOT_RESAMPLED
    rows = in_plan_order(plan.hypotheses, results.hypotheses, outcome=Unanswered.PENDING, why=why)
    return replace(results, hypotheses=rows)


def _participants(ratings: Ratings) -> tuple[ParticipantRow, ...]:
    participants, *_, clips, scores = ratings.columns
    people, person = codes_of(participants)
    _, clip = codes_of(clips)
    return participant_rows(people, person, clip, np.asarray(scores, dtype=np.float64))
