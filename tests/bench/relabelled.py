"""What relabelling HTTP/3 as HTTP/2 does to the scores that Lighthouse simulates. Pure."""

from collections.abc import Mapping

from eyelevel.compare.saif2020.score import FormFactor, score
from eyelevel_stats.arms import Difference, difference

Metrics = Mapping[str, float]


def relabelling(form: FormFactor, found: Mapping[str, Mapping[int, Metrics]]) -> Difference | None:
    """By how many points the score of a simulated load rises once its responses are relabelled as `h2`.

    Mean over the rounds that both columns have, with its 95 % interval by Student's t: the two columns of a round are
    computed of one load, so their differences are paired. None without such a round.
    """
    simulated, relabelled = found["simulated"], found["relabelled"]
    rises = [score(relabelled[seed], form) - score(simulated[seed], form) for seed in simulated if seed in relabelled]
    return difference([(rises, [0.0] * len(rises))])
