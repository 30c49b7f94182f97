"""Computes the tables in depth from the votes of a study."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from eyelevel_core.study.design import Design, Plan
from eyelevel_kinds.rate import ENDS
from eyelevel_stats.agreement.best import BestSet, best_sets
from eyelevel_stats.agreement.ceilings import ceilings
from eyelevel_stats.agreement.clip_scores import ClipVote, Metrics, clip_scores
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.agreement.signs import SideVote, sign_matches
from eyelevel_stats.columns import Columns, Whose, of_sessions
from eyelevel_stats.conformance import RULES, rules_broken
from eyelevel_stats.descriptive.careless import Plays, careless_rows, sensitivity_rows, straight_row
from eyelevel_stats.descriptive.contexts import context_difference_rows, context_mos_rows
from eyelevel_stats.descriptive.distribution import score_rows, share_rows
from eyelevel_stats.descriptive.groups import group_effect_rows, group_mos_rows, group_offset_rows
from eyelevel_stats.descriptive.order import order_rows
from eyelevel_stats.descriptive.reliability import reliability_rows
from eyelevel_stats.descriptive.resampled import resampled_rows
from eyelevel_stats.descriptive.sides import side_rows
from eyelevel_stats.descriptive.sos import sos_points, sos_rows
from eyelevel_stats.descriptive.subjects import subject_models
from eyelevel_stats.in_depth import votes as form
from eyelevel_stats.in_depth.metric_hypotheses import metric_answers
from eyelevel_stats.in_depth.models import mapping_rows, ordinal_rows
from eyelevel_stats.in_depth.stimuli import PARTS as PARTS_OF_STIMULI
from eyelevel_stats.in_depth.stimuli import TABLES as TABLES_OF_STIMULI
from eyelevel_stats.in_depth.stimuli import Stimuli, side_votes
from eyelevel_stats.multiverse import multiverse
from eyelevel_stats.pairs.observations import SameVote
from eyelevel_stats.pairs.results import pair_results
from eyelevel_stats.recalled import score_anova_rows, vote_correlation_rows
from eyelevel_stats.rows.hypotheses import HypothesisRow
from eyelevel_stats.votes import comparisons_of, metrics_of, pair_votes, ratings_of

Rows = tuple[Any, ...]
Tables = Mapping[str, Rows]


@dataclass(frozen=True)
class Completed:
    """Votes of all completed sessions, regardless of broken rules, for the multiverse.

    `broken` has the rules that each of these sessions certainly breaks, `plan_rules` are those by which the study
    excludes.
    """

    columns: Columns
    broken: Mapping[str, Collection[str]]
    plan_rules: Collection[str]


def completed(votes: Columns, verdicts: Columns, design: Design, origin: Whose) -> Completed:
    """Selects the votes of the judged sessions of this origin that only rules may exclude.

    Sessions over quota, and others that are excluded for a reason other than a rule, are omitted.
    """
    broken = rules_broken(verdicts, origin)
    return Completed(
        columns=of_sessions(votes, broken),
        broken=broken,
        plan_rules=[rule for rule in RULES if design.conformance.rules[rule].use],
    )


@dataclass(frozen=True)
class InDepth:
    """The rows of each non-empty table of IN_DEPTH, and the answers to hypotheses about metrics.

    `best` has the sets of best metrics, whose rows are two of the tables.
    """

    tables: Tables
    hypotheses: tuple[HypothesisRow, ...]
    best: tuple[BestSet, ...]


def in_depth(
    columns: Columns,
    plan: Plan | None = None,
    *,
    plays: Mapping[str, Plays] | None = None,
    completed: Completed | None = None,
    stimuli: Stimuli | None = None,
    seed: int = 0,
    advance: Callable[[str, int, int], None] = lambda name, done, of: None,
) -> InDepth:
    """Computes every table in depth; `columns` are those of votes.csv.

    Without `plays`, plays off speed are unknown; without `completed` there is no multiverse. With `stimuli`, votes are
    about stimuli of any source, and only the applicable tables are computed. `advance` is called before each part with
    its name, and the numbers of finished and of all parts. The same votes and seed give the same tables.
    """
    work = _Work(columns, plan, plays or {}, completed, stimuli=stimuli, seed=seed)
    parts = work.parts()
    tables: dict[str, Rows] = {}
    for number, (name, compute) in enumerate(parts.items()):
        advance(name, number, len(parts))
        tables |= compute()
    filled = {name for name, rows in tables.items() if rows and (stimuli is None or name in TABLES_OF_STIMULI)}
    return InDepth({name: rows for name, rows in tables.items() if name in filled}, work.hypotheses(), work.best)


class _Work:
    def __init__(
        self,
        columns: Columns,
        plan: Plan | None,
        plays: Mapping[str, Plays],
        completed: Completed | None,
        *,
        stimuli: Stimuli | None,
        seed: int,
    ) -> None:
        self._columns, self._plan, self._plays, self._completed, self._seed = columns, plan, plays, completed, seed
        self._ratings = sorted(ratings_of(columns))
        self._stimuli = stimuli
        self._scale = ENDS if stimuli is None else stimuli.scale
        self._higher: Collection[str] = () if stimuli is None else stimuli.higher_is_better

    def parts(self) -> Mapping[str, Callable[[], dict[str, Rows]]]:
        every = self._every()
        return every if self._stimuli is None else {name: every[name] for name in PARTS_OF_STIMULI}

    def _every(self) -> Mapping[str, Callable[[], dict[str, Rows]]]:
        return {
            "distributions": self._distributions,
            "agreement of participants": self._participants,
            "groups": self._groups,
            "order and sides": self._order,
            "metrics against people": self._metrics,
            "comparisons": self._comparisons,
            "2019 as it was": self._recalled,
            "ordinal models": self._ordinal,
            "multiverse": self._multiverse,
        }

    def hypotheses(self) -> tuple[HypothesisRow, ...]:
        return () if self._plan is None else metric_answers(self._plan.hypotheses, self.best)

    @cached_property
    def _labels(self) -> Metrics:
        if self._stimuli is not None:
            return self._stimuli.metrics if self._ratings else {}
        return form.metrics_by_label(self._ratings, metrics_of(self._columns))

    @cached_property
    def _clip_votes(self) -> list[ClipVote]:
        return list(form.clip_votes(self._ratings))

    @cached_property
    def best(self) -> tuple[BestSet, ...]:
        if not self._labels:
            return ()
        better = {*self._higher, *(() if self._stimuli is None else self._stimuli.rising)}
        return best_sets(self._clip_votes, self._labels, higher_is_better=better, seed=self._seed)

    def _distributions(self) -> dict[str, Rows]:
        return {
            "scores": score_rows(self._ratings, scale=self._scale),
            "good-or-better": share_rows(self._ratings, scale=self._scale),
            "mos-bootstrap": resampled_rows(self._ratings, scale=self._scale, seed=self._seed),
        }

    def _participants(self) -> dict[str, Rows]:
        models = subject_models(self._ratings)
        careless = careless_rows(form.main_answers(self._columns), self._plays)
        return {
            "reliability": reliability_rows(self._ratings),
            "sos": sos_rows(sos_points(self._ratings), scale=self._scale),
            "subjects": models.participants,
            "subject-clips": models.clips,
            "straight-lining": (straight_row(careless),) if careless else (),
            "sensitivity": ()
            if self._stimuli is not None
            else sensitivity_rows(self._ratings, careless, scale=self._scale),
        }

    def _groups(self) -> dict[str, Rows]:
        group_of = form.group_of(self._columns)
        known = [vote for vote in self._ratings if vote.participant in group_of]
        several = len({group_of[vote.participant] for vote in known}) > 1
        return {
            "contexts": context_mos_rows(self._ratings, scale=self._scale),
            "context-differences": context_difference_rows(self._ratings),
            "group-mos": group_mos_rows(known, group_of, scale=self._scale) if several else (),
            "group-offsets": group_offset_rows(known, group_of) if several else (),
            "group-effects": tuple(
                row for pair in self._pairs() for row in group_effect_rows(known, group_of, pair=pair)
            )
            if several
            else (),
        }

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Yields the pairs that hypotheses are about; without any, every pair of stacks."""
        planned = (
            []
            if self._plan is None
            else [hypothesis.pair for hypothesis in self._plan.hypotheses if hypothesis.kind == "rate"]
        )
        yield from dict.fromkeys(pair for pair in planned if pair is not None)
        if not planned:
            yield from combinations(sorted({vote.stack for vote in self._ratings}), 2)

    def _order(self) -> dict[str, Rows]:
        return {
            "order": order_rows(form.ordered_votes(self._columns)),
            "sides": side_rows(sorted(comparisons_of(self._columns))),
        }

    def _metrics(self) -> dict[str, Rows]:
        clips = clip_scores(self._clip_votes)
        return {
            "leaderboard": leaderboard(clips, self._labels, higher_is_better=self._higher, seed=self._seed)
            if self._labels
            else (),
            "noise-ceilings": ceilings(self._clip_votes, seed=self._seed) if self._clip_votes else (),
            "mappings": tuple(mapping_rows(clips, self._labels, scale=self._scale))
            if self._stimuli is None or self._stimuli.has_mappings(clips)
            else (),
            "best-metrics": tuple(row for best_set in self.best for row in best_set.rows),
            "metric-differences": tuple(row for best_set in self.best for row in best_set.differences),
            "signs": sign_matches(self._sides(), higher_is_better=self._higher),
        }

    def _sides(self) -> Mapping[str, list[SideVote]]:
        stimuli = self._stimuli
        return dict(form.side_votes(self._columns) if stimuli is None else side_votes(self._columns, stimuli.metrics))

    def _same(self) -> list[SameVote]:
        votes = form.same_votes(self._columns)
        # a stimulus is one film
        return votes if self._stimuli is None else [vote._replace(one_take=True) for vote in votes]

    def _comparisons(self) -> dict[str, Rows]:
        sided = self._stimuli is None or self._stimuli.sided
        same = self._same()
        results = pair_results(pair_votes(self._columns), same, side_bias=sided)
        return {
            "pair-components": results.components,
            "worths": results.worths,
            "jod": results.jods,
            "slopes": results.slopes,
            "thresholds": results.thresholds,
            "detection": results.detection if same or self._stimuli is None else (),
            "sureness": results.sureness,
            "sureness-means": results.sureness_means,
            "sureness-differences": results.sureness_differences,
            "replays": results.replays,
        }

    def _recalled(self) -> dict[str, Rows]:
        return {
            "recalled-correlations": vote_correlation_rows(self._ratings, metrics_of(self._columns)),
            "recalled-anova": score_anova_rows(self._ratings),
        }

    def _ordinal(self) -> dict[str, Rows]:
        if self._plan is None:
            return {}
        return {"ordinal-effects": tuple(ordinal_rows(self._plan.hypotheses, self._ratings))}

    def _multiverse(self) -> dict[str, Rows]:
        if self._completed is None or self._plan is None:
            return {}
        results = multiverse(
            self._completed.broken,
            ratings_of(self._completed.columns),
            comparisons_of(self._completed.columns),
            self._plan.hypotheses,
            plan_rules=self._completed.plan_rules,
            alpha=self._plan.alpha,
        )
        return {"multiverse": results.cells, "multiverse-summary": results.summary}
