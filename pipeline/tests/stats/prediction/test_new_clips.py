"""New clips are predicted by the metric that predicts rated ones best, each by itself."""

from dataclasses import astuple

import numpy as np

from eyelevel_stats.prediction.coverage import ClipVote, best_metric, fitted
from eyelevel_stats.prediction.interval import predict
from eyelevel_stats.prediction.new_clips import NewClips, new_clips

CUTS = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)


def study(seed: int, *, sites: int = 8, clips: int = 2, people: int = 15) -> tuple[list[ClipVote], dict[str, float]]:
    """Everyone rates every clip; and the metric that decides, by clip."""
    rng = np.random.default_rng(seed)
    metric = np.exp(rng.normal(8, 0.7, (sites, clips)))
    level = -1.5 * (np.log(metric) - 8) + rng.normal(0, 0.3, (sites, clips))
    votes = [
        ClipVote(f"p{p}", f"s{s}", f"s{s}-{c}", 1 + int(np.searchsorted(CUTS, level[s, c] + opinion + rng.logistic())))
        for p, opinion in enumerate(rng.normal(0, 0.8, people))
        for s in range(sites)
        for c in range(clips)
    ]
    return votes, {f"s{s}-{c}": float(metric[s, c]) for s in range(sites) for c in range(clips)}


VOTES, SI = study(4)
NOISE = dict(zip(SI, np.random.default_rng(1).permutation(list(SI.values())).tolist(), strict=True))
METRICS = {"si": SI, "noise": NOISE}
MIDDLE = float(np.median(list(SI.values())))


def predicted(**values: list[float | None]) -> NewClips:
    return new_clips(VOTES, METRICS, values, n=20, network="all", rng=np.random.default_rng(7))


def test_the_metric_with_the_least_error_predicts_among_those_that_new_clips_have() -> None:
    assert best_metric(VOTES, METRICS) == "si"
    assert predicted(si=[MIDDLE], noise=[MIDDLE]).metric == "si"
    assert predicted(noise=[MIDDLE]).metric == "noise"


def test_a_row_is_what_the_model_of_all_sites_predicts_and_does_not_depend_on_later_clips() -> None:
    one, two = predicted(si=[MIDDLE]), predicted(si=[MIDDLE, 1.1 * MIDDLE])
    model = fitted(VOTES, SI)
    assert not isinstance(model, str)
    generator = np.random.default_rng(7).spawn(1)[0]
    assert one.rows == (predict(model, MIDDLE, 20, network="all", metric="si", rng=generator),)
    assert two.rows[0] is not None
    assert one.rows[0] is not None
    assert astuple(two.rows[0]) == astuple(one.rows[0])


def test_a_larger_index_has_a_lower_score_and_beyond_the_rated_range_there_is_none() -> None:
    fast, slow, far, unknown = predicted(si=[0.7 * MIDDLE, 1.4 * MIDDLE, 90 * MIDDLE, None]).rows
    assert fast is not None
    assert slow is not None
    assert far is not None
    assert fast.mos is not None
    assert slow.mos is not None
    assert slow.mos < fast.mos
    assert (far.mos, far.low, "is outside" in far.refused) == (None, None, True)
    assert unknown is None


def test_without_a_model_there_are_no_rows_but_the_reason() -> None:
    assert predicted(plt=[MIDDLE]) == NewClips(None, (), "no metric of the new clips has a mapping to the scores")
    few = [vote for vote in VOTES if vote.site in {"s0", "s1", "s2", "s3"}]
    row = new_clips(few, METRICS, {"si": [MIDDLE]}, n=20, network="all", rng=np.random.default_rng(7))
    assert (row.metric, row.rows) == ("si", ())
    assert row.why == "A prediction needs 10 clips of 5 sites; there are 8 of 4."
