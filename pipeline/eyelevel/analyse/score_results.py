"""The results of a long table of scores, and its metrics."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from eyelevel.analyse.distribution import ScoreRow, score_rows
from eyelevel.analyse.long_table.metric_table import MetricTable
from eyelevel.analyse.long_table.roles import Scale
from eyelevel.analyse.long_table.scores import ScoreVotes
from eyelevel.analyse.opinions import StimulusRow, clips_of, stimulus_rows
from eyelevel.analyse.quality import Quality, quality
from eyelevel.analyse.tables import distribution_table, leader_table, mos_table, participant_table
from eyelevel.report.table import Table
from eyelevel_stats.agreement.clip_scores import ClipScore
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.participants import ParticipantRow, participant_rows
from eyelevel_stats.rows.metrics import LeaderRow


@dataclass(frozen=True)
class ScoreResults:
    """Every table of closed form; `leaders` is None without metrics."""

    scale: Scale
    stimuli: tuple[StimulusRow, ...]
    scores: tuple[ScoreRow, ...]
    participants: tuple[ParticipantRow, ...]
    quality: Quality
    clips: tuple[ClipScore, ...]
    leaders: tuple[LeaderRow, ...] | None

    def tables(self) -> list[Table]:
        """In the order of the page."""
        found = [mos_table(self.stimuli), distribution_table(self.scores), participant_table(self.participants)]
        return found if self.leaders is None else [*found, leader_table(self.leaders)]


def score_results(
    votes: ScoreVotes, scale: Scale, metrics: MetricTable | None, *, higher_is_better: Collection[str], seed: int
) -> ScoreResults:
    """Compute every table; the input has been checked while reading."""
    stimuli = stimulus_rows(votes, scale)
    participants = participant_rows(votes.participants, votes.person, votes.stimulus, votes.score)
    clips = clips_of(stimuli)
    leaders = None
    if metrics is not None:
        leaders = leaderboard(clips, metrics.metrics, higher_is_better=higher_is_better, seed=seed)
    return ScoreResults(
        scale=scale,
        stimuli=stimuli,
        scores=score_rows(votes.score, (scale.low, scale.high)),
        participants=participants,
        quality=quality(votes, stimuli, participants, scale),
        clips=clips,
        leaders=leaders,
    )


def with_labels(votes: ScoreVotes, labels: dict[str, dict[str, str]]) -> ScoreVotes:
    """The votes with sites and conditions of a table of metrics, where they have none of their own."""
    found: dict[str, tuple[str | None, ...]] = {
        role: tuple(own.get(stimulus) for stimulus in votes.stimuli) for role, own in labels.items()
    }
    return replace(
        votes,
        sites=found.get("site") if votes.sites is None else votes.sites,
        conditions=found.get("condition") if votes.conditions is None else votes.conditions,
    )
