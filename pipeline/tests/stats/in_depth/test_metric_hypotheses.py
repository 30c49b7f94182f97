"""Sentences that answer hypotheses about metrics."""

from dataclasses import replace

import pytest

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.agreement.best import BestSet
from eyelevel_stats.hypotheses.metric_agreement import MetricAgreement, agreement_of
from eyelevel_stats.in_depth.metric_hypotheses import metric_answers
from eyelevel_stats.reasons import Reason, reason_of
from eyelevel_stats.rows.metrics import BestRow

H3 = Hypothesis("H3", "SI agrees best.", kind="metrics", metric="SI")
FEW = Reason("few_clips", {"clips": 4, "least": 10})
KNOWN = Reason("known_for_few", {"clips": 3, "all": 20, "percent": 90})


def row(metric: str, best: str | None) -> BestRow:
    return BestRow("all", metric, clips=20, sites=10, participants=30, best=best)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            BestSet("all", ("SI", "PLT"), None, (row("SI", "yes"), row("PLT", "yes"), row("FVC", "no")), {}),
            "H3 is undecided. The metrics that may agree best with MOS are SI, PLT. Less well agree: FVC.",
        ),
        (
            BestSet("all", ("PLT",), None, (row("SI", "no"), row("PLT", "yes")), {}),
            "H3 is contradicted. The metrics that may agree best with MOS are PLT. Less well agree: SI.",
        ),
        (
            BestSet("all", None, FEW, (row("SI", None),), {"SI": FEW}),
            "H3 is undecided. There is no set of best metrics: too few clips: 4 of at least 10.",
        ),
        (
            BestSet("all", ("PLT",), None, (row("SI", None), row("PLT", "yes")), {"SI": KNOWN, "PLT": FEW}),
            "H3 is undecided. SI is not compared: known for 3 of 20 clips; to be compared, a metric has to be known "
            "for 90 %.",
        ),
        (BestSet("all", ("PLT",), None, (row("PLT", "yes"),), {}), "H3 is undecided. SI is not compared."),
    ],
)
def test_the_sentence_says_what_the_set_shows(found: BestSet, sentence: str) -> None:
    (answer,) = metric_answers([H3], [found])
    assert answer.sentence == sentence
    assert answer.outcome == sentence.split()[2].removesuffix(".")


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ([], Reason("no_rated_clips")),
        ([BestSet("all", None, FEW, (row("SI", None),), {"SI": KNOWN})], FEW),
        ([BestSet("all", ("PLT",), None, (row("SI", None), row("PLT", "yes")), {"SI": KNOWN})], KNOWN),
        ([BestSet("all", ("PLT",), None, (row("PLT", "yes"),), {})], None),
        ([BestSet("all", ("PLT",), None, (row("SI", "no"), row("PLT", "yes")), {"FVC": KNOWN})], None),
    ],
)
def test_the_reason_why_metrics_are_not_compared_is_a_code_with_values(
    found: list[BestSet], reason: Reason | None
) -> None:
    (answer,) = metric_answers([H3], found)
    assert (None if answer.reason is None else reason_of(answer.reason)) == reason
    assert reason is None or f": {reason}." in answer.sentence


def test_the_agreement_of_a_metric_comes_from_the_rows_of_all_networks() -> None:
    rows = [row("SI", None), row("PLT", "yes"), row("FVC", "no")]
    other = replace(row("LVC", "yes"), network="DSL")
    expected = MetricAgreement("SI", ("PLT",), ("FVC",), compared=False)
    assert agreement_of(H3, [*rows, other]) == expected
    assert agreement_of(H3, []) == MetricAgreement("SI", (), (), compared=False)


def test_hypotheses_about_stacks_are_answered_elsewhere() -> None:
    assert metric_answers([Hypothesis("H1", "QUIC is better.", kind="rate", pair=("TCP+", "QUIC"))], []) == ()
