"""Sentences that answer hypotheses about metrics."""

from dataclasses import replace

import pytest

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.agreement.best import BestSet
from eyelevel_stats.hypotheses.metric_agreement import MetricAgreement, agreement_of
from eyelevel_stats.in_depth.metric_hypotheses import metric_answers
from eyelevel_stats.rows.best import BestRow

H3 = Hypothesis("H3", "SI agrees best.", kind="metrics", metric="SI")


def row(metric: str, best: str | None, why: str | None = None) -> BestRow:
    return BestRow("all", metric, clips=20, sites=10, participants=30, best=best, why=why)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            BestSet("all", ("SI", "PLT"), None, (row("SI", "yes"), row("PLT", "yes"), row("FVC", "no"))),
            "H3 is undecided. The metrics that may agree best with MOS are SI, PLT. Less well agree: FVC.",
        ),
        (
            BestSet("all", ("PLT",), None, (row("SI", "no"), row("PLT", "yes"))),
            "H3 is contradicted. The metrics that may agree best with MOS are PLT. Less well agree: SI.",
        ),
        (
            BestSet("all", None, "too few clips: 4 of at least 10", (row("SI", None),)),
            "H3 is undecided. There is no set of best metrics: too few clips: 4 of at least 10.",
        ),
        (
            BestSet("all", ("PLT",), None, (row("SI", None, "known for 3 of 20 clips"), row("PLT", "yes"))),
            "H3 is undecided. SI is not compared: known for 3 of 20 clips.",
        ),
        (BestSet("all", ("PLT",), None, (row("PLT", "yes"),)), "H3 is undecided. SI is not compared."),
    ],
)
def test_the_sentence_says_what_the_set_shows(found: BestSet, sentence: str) -> None:
    (answer,) = metric_answers([H3], [found])
    assert answer.sentence == sentence
    assert answer.outcome == sentence.split()[2].removesuffix(".")


def test_the_agreement_of_a_metric_comes_from_the_rows_of_all_networks() -> None:
    rows = [row("SI", None, "known for 3 of 20 clips"), row("PLT", "yes"), row("FVC", "no")]
    other = replace(row("LVC", "yes"), network="DSL")
    expected = MetricAgreement("SI", ("PLT",), ("FVC",), compared=False, why="known for 3 of 20 clips")
    assert agreement_of(H3, [*rows, other]) == expected
    assert agreement_of(H3, []) == MetricAgreement("SI", (), (), compared=False, why=None)


def test_hypotheses_about_stacks_are_answered_elsewhere() -> None:
    assert metric_answers([Hypothesis("H1", "QUIC is better.", kind="rate", pair=("TCP+", "QUIC"))], []) == ()
