"""Additional values of answers to hypotheses: the margin in SI, and the detectable difference of the planned study."""

from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.detectable import detectable
from eyelevel_stats.hypotheses.estimand import Effect
from eyelevel_stats.hypotheses.in_si import ClipSi, SiChange, si_change_of_choices, si_change_of_ratings
from eyelevel_stats.pairs.observations import PairVote, in_order
from eyelevel_stats.pairs.slopes import slopes
from eyelevel_stats.reasons import Reason
from eyelevel_stats.rows.words import POOLED


@dataclass(frozen=True)
class Reference:
    """The rated clips and the comparisons of a study, with any stacks, and its planned size.

    `sessions` is the number of participants that the answers are from, `planned` that of the plan, None where unknown.
    `power` is the plan's: the probability with which a detectable difference is found. `level` is the two-sided level
    at which the planned study judges at its end.
    """

    clips: Sequence[ClipSi]
    comparisons: Sequence[PairVote]
    sessions: int
    planned: int | None
    power: float
    level: float

    def margin_in_si(self, hypothesis: Hypothesis, network: str) -> SiChange:
        """Computes the change of SI that equals the margin, on one network or over those of the hypothesis together."""
        if hypothesis.margin is None:
            return SiChange(None, Reason("no_margin"))

        def asked(name: str) -> bool:
            if network == POOLED:
                return hypothesis.over is None or name in hypothesis.over
            return name == network

        if hypothesis.kind == "rate":
            return si_change_of_ratings(hypothesis.margin, [clip for clip in self.clips if asked(clip.network)])
        fits = slopes(in_order(vote for vote in self.comparisons if asked(vote.network)))
        if not fits:
            return SiChange(None, Reason("no_si_of_pairs"))
        # the last one is about all networks together
        return si_change_of_choices(hypothesis.margin, fits[-1])

    def detectable(self, effect: Effect) -> float | None:
        """Computes the smallest difference that the planned study finds at its end, for the effect of any look.

        None where its size or the variance is unknown.
        """
        if not self.planned or not self.sessions:
            return None
        return detectable(effect, growth=self.planned / self.sessions, alpha=self.level, power=self.power)
