"""The list of tables in depth: the row of each, what its columns mean, and what it is for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eyelevel_stats.rows import (
    best,
    careless,
    ceilings,
    contexts,
    detection,
    distribution,
    groups,
    jod,
    leaderboard,
    mappings,
    multiverse,
    order,
    ordinal,
    recalled,
    reliability,
    resampled,
    sides,
    signs,
    slopes,
    sos,
    subjects,
    sureness,
    thresholds,
    worths,
)


@dataclass(frozen=True)
class Table:
    """`columns` has the meaning of each field of the row; `title` says what a row is about."""

    title: str
    row: type[Any]
    columns: Mapping[str, str]


def _own(title: str, row: type[Any], columns: Mapping[type[Any], Mapping[str, str]]) -> Table:
    return Table(title, row, columns[row])


CATALOGUE: dict[str, Table] = {
    # what people answered
    "scores": _own("Votes by score", distribution.ScoreRow, distribution.COLUMNS),
    "good-or-better": _own("Good or better, poor or worse", distribution.ShareRow, distribution.COLUMNS),
    "mos-bootstrap": _own("MOS with two-way bootstrap intervals", resampled.ResampledRow, resampled.COLUMNS),
    "contexts": _own("MOS by context", contexts.ContextMosRow, contexts.COLUMNS),
    "context-differences": _own("Differences between contexts", contexts.ContextDifferenceRow, contexts.COLUMNS),
    "group-mos": _own("MOS by group", groups.GroupMosRow, groups.COLUMNS),
    "group-offsets": _own("Groups compared", groups.GroupOffsetRow, groups.COLUMNS),
    "group-effects": _own("Effect of the stack by group", groups.GroupEffectRow, groups.COLUMNS),
    "ordinal-effects": Table("Effects by an ordinal mixed model", ordinal.OrdinalEffectRow, ordinal.COLUMNS),
    # how far that can be trusted
    "reliability": _own("Agreement of participants", reliability.ReliabilityRow, reliability.COLUMNS),
    "sos": _own("Spread of scores against MOS", sos.SosRow, sos.COLUMNS),
    "subjects": _own("Bias and inconsistency of participants", subjects.SubjectRow, subjects.COLUMNS),
    "subject-clips": _own("MOS by subject models", subjects.SubjectClipRow, subjects.COLUMNS),
    "straight-lining": _own("Participants who give one answer to everything", careless.StraightRow, careless.COLUMNS),
    "sensitivity": _own("MOS without participants who may be careless", careless.SensitivityRow, careless.COLUMNS),
    "order": _own("Effects of order", order.OrderRow, order.COLUMNS),
    "sides": _own("Side bias of comparisons", sides.SideRow, sides.COLUMNS),
    "multiverse": Table("Effects under each combination of rules", multiverse.MultiverseRow, multiverse.COLUMNS),
    "multiverse-summary": Table(
        "Effects over all combinations of rules", multiverse.MultiverseSummaryRow, multiverse.COLUMNS
    ),
    # metrics against people
    "leaderboard": Table("Metrics against MOS", leaderboard.LeaderRow, leaderboard.COLUMNS),
    "noise-ceilings": Table("Noise ceilings", ceilings.CeilingRow, ceilings.COLUMNS),
    "best-metrics": Table("Metrics that may agree best with people", best.BestRow, best.COLUMNS),
    "metric-differences": Table("Differences between metrics", best.DifferenceRow, best.COLUMNS),
    "mappings": Table("Mappings from metrics to MOS", mappings.ModelRow, mappings.COLUMNS),
    "signs": Table("Metrics against the majority of comparisons", signs.SignRow, signs.COLUMNS),
    # comparisons
    "pair-components": Table("Fits of worths", worths.ComponentRow, worths.COLUMNS),
    "worths": Table("Worths of stacks", worths.WorthRow, worths.COLUMNS),
    "jod": Table("Just objectionable differences", jod.JodRow, jod.COLUMNS),
    "slopes": Table("Answers against the ratio of Speed Indexes", slopes.SlopeRow, slopes.COLUMNS),
    "thresholds": Table("Thresholds of discrimination and indifference", thresholds.ThresholdRow, thresholds.COLUMNS),
    "detection": Table("Sensitivity d' of comparisons", detection.DetectionRow, detection.COLUMNS),
    "sureness": Table("Sureness by answer", sureness.SurenessRow, sureness.COLUMNS),
    "sureness-means": Table("Mean sureness by answer", sureness.AnswerMeanRow, sureness.COLUMNS),
    "sureness-differences": Table(
        "Sureness of decided answers and of no difference", sureness.SurenessDifferenceRow, sureness.COLUMNS
    ),
    "replays": Table("Replays by answer", sureness.AnswerMeanRow, sureness.COLUMNS),
    # 2019 as it was
    "recalled-correlations": Table(
        "Correlations over single votes, as in 2019", recalled.VoteCorrelationRow, recalled.COLUMNS
    ),
    "recalled-anova": Table("Analysis of variance by stack, as in 2019", recalled.ScoreAnovaRow, recalled.COLUMNS),
}
