"""Rows of a small study, from which every figure can be drawn."""

from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from eyelevel_core.model.metrics import complete
from eyelevel_figures.figure import NARROW, WIDE, Figure, Look
from eyelevel_figures.study import Screening, study_figures
from eyelevel_figures.words import Words
from eyelevel_stats.conformance.funnel import GroupFunnel, Step
from eyelevel_stats.rows.answers import GroupMosRow, GroupOffsetRow, ScoreRow, ShareRow
from eyelevel_stats.rows.hypotheses import EffectRow
from eyelevel_stats.rows.metrics import BestRow, LeaderRow, ModelRow
from eyelevel_stats.rows.study import ComparisonRow, MosRow, PointRow
from eyelevel_stats.rows.trust import MultiverseRow, MultiverseSummaryRow

SVG = "{http://www.w3.org/2000/svg}"
EN = Look(Words("en"), WIDE, clips=True)
PHONE = Look(Words("en"), NARROW, clips=True)
DE = Look(Words("de"), WIDE, clips=True)


def effect(**changed: Any) -> EffectRow:
    values: dict[str, Any] = {
        "hypothesis": "H1", "kind": "rate", "network": "DSL", "first": "TCP+", "second": "QUIC", "estimate": 0.3,
        "level": 0.95, "ci_low": 0.1, "ci_high": 0.5, "inner_level": 0.9, "inner_low": 0.15, "inner_high": 0.45,
        "p_value": 0.01, "p_holm": 0.02, "holds_alone": "yes", "claim": "supported", "p_equivalence": 0.1,
        "margin": 0.5, "margin_d": 0.4, "margin_si": 0.12, "margin_si_why": None, "margin_si_reason": None,
        "least_margin": 0.45, "power": 0.8, "detectable": 0.3, "scope": "these very sites",
        "verdict": "different, but smaller than the margin", "votes": 80, "participants": 20, "sites": 4,
        "sentence": "",
    }  # fmt: skip
    return EffectRow(**values | changed)


def opinion(stack: str = "QUIC", mos: float = 4.0, **changed: Any) -> MosRow:
    values: dict[str, Any] = {
        "site": "garden", "network": "DSL", "stack": stack, "context": "work", "n": 9, "mos": mos,
        "ci_low": mos - 0.5, "ci_high": mos + 0.5, "sd": 1.0,
    }  # fmt: skip
    return MosRow(**values | changed)


def share(row: MosRow, end_effect: str) -> ShareRow:
    return ShareRow(
        row.site, row.network, row.stack, row.context, row.n, 9, row.mos, 4, None, None, None, None, None, None, 0.1,
        0.4, end_effect,
    )  # fmt: skip


def point(stack: str = "QUIC", mos: float = 4.0, si_ms: float | None = 1000.0, **changed: Any) -> PointRow:
    values: dict[str, Any] = {
        "clip_sha256": "a" * 64, "site": "garden", "network": "DSL", "stack": stack, "n": 9, "mos": mos,
        "metrics": complete({"si_ms": si_ms}),
    }  # fmt: skip
    return PointRow(**values | changed)


def pair(**changed: Any) -> ComparisonRow:
    values: dict[str, Any] = {
        "site": "garden", "network": "DSL", "stack_a": "QUIC", "stack_b": "TCP+", "context": "work", "n": 10,
        "prefer_a": 5, "prefer_b": 2, "no_difference": 3, "share_a": 0.5, "ci_low": 0.24, "ci_high": 0.76,
    }  # fmt: skip
    return ComparisonRow(**values | changed)


FUNNEL = GroupFunnel(
    group="crowd",
    started=20,
    completed=10,
    waiting=1,
    steps=(Step("R1", 1, 0, 9), Step("R2", 5, 2, 5), Step("R6", 0, 0, 5), Step("R8", 1, 0, 5)),
    otherwise={"beyond_quota": 1},
    used=4,
    accepted=8,
    skipped=2,
)
SUMMARY = MultiverseSummaryRow("H1", "DSL", 4, 3, 3, -0.1, 0.4, "R1", 0.2, "undecided", 2, 0.5)
CELLS = (
    MultiverseRow("none", "no", 20, "H1", "DSL", 0.4, 0.1, 0.7, "different"),
    MultiverseRow("R1", "no", 18, "H1", "DSL", 0.2, -0.1, 0.5, "undecided"),
    MultiverseRow("R1 R3", "yes", 12, "H1", "DSL", -0.1, -0.6, 0.4, "undecided"),
    MultiverseRow("R3", "yes", 0, "H1", "DSL", None, None, None, None),
)


def tables() -> dict[str, Sequence[Any]]:
    """A row at least of every table that a figure is drawn from."""
    mos = [
        opinion(stack, mos, site=site, network=network)
        for site in ("garden", "teashop-with-a-long-name.example.org")
        for network, mos in (("DSL", 6.4), ("LTE", 3.0))
        for stack in ("QUIC", "QUIC+BBR", "TCP", "TCP+", "TCP+BBR")
    ]
    points = [
        point(row.stack, row.mos, 900 + 500 * at, site=row.site, network=row.network, clip_sha256=f"{at:064x}",
              ci_low=row.ci_low, ci_high=row.ci_high)
        for at, row in enumerate(mos)
    ]  # fmt: skip
    return {
        "effects": [effect(), effect(network="LTE"), effect(hypothesis="H2", kind="compare", network="pooled")],
        "mos": mos,
        "points": points,
        "comparisons": [pair(), pair(network="LTE"), pair(site="teashop")],
        "scores": [
            ScoreRow(None, network, stack, None, score, count, 20, count / 20)
            for network in ("DSL", "LTE")
            for stack in ("QUIC", "TCP+")
            for score, count in zip(range(1, 8), (0, 1, 2, 3, 4, 4, 6), strict=True)
        ],
        "good-or-better": [share(row, "ceiling" if row.network == "DSL" else "none") for row in mos],
        "leaderboard": [leader("SI", -0.9), leader("PLT", -0.4)],
        "best-metrics": [best("SI", 0.8, "yes"), best("PLT", 0.3, "no")],
        "mappings": [model("linear", chosen=True)],
        "group-mos": [
            GroupMosRow(group, network, stack, 9, 40, 4.5, 4.0, 5.0, 1.0)
            for group in ("crowd", "lab")
            for network, stack in ((None, None), ("DSL", "QUIC"), ("DSL", "TCP+"))
        ],
        "group-offsets": [
            GroupOffsetRow("crowd", "lab", 12, 9, 9, 0.25, 0.05, 0.45, 0.01, 0.9, 0.8, 0.95, 0.9),
        ],
        "multiverse": CELLS,
        "multiverse-summary": [SUMMARY],
    }


def leader(metric: str, spearman: float, **changed: Any) -> LeaderRow:
    values: dict[str, Any] = {
        "network": "all", "metric": metric, "clips": 20, "sites": 5, "pearson": spearman, "spearman": spearman,
        "spearman_centred": spearman + 0.1, "direction": "expected", "ceiling": 0.95, "ceiling_spearman": 0.96,
        "ceiling_centred": 0.85,
    }  # fmt: skip
    return LeaderRow(**values | changed)


def best(metric: str, theta: float, which: str) -> BestRow:
    return BestRow("all", metric, 20, 5, 9, "site", theta, theta - 0.2, theta + 0.1, theta, 0.0, 1.6, which)


def model(name: str, *, chosen: bool, network: str = "all") -> ModelRow:
    return ModelRow(network, "SI", name, 7.0, -0.0003, None, 20, 5, 0.4, 0.5, chosen, 0.5)


def every(look: Look) -> list[Figure]:
    """Every figure of the study."""
    screening = Screening([FUNNEL], {"R1", "R2", "R8"}, {"R8": False})
    return list(study_figures(tables(), look, scores={1: 3, 4: 5, 7: 12}, screening=screening))


def root(figure: Figure) -> Element:
    return fromstring(figure.svg)  # noqa: S314 - it is our own


def all_of(figure: Figure, name: str) -> list[Element]:
    return list(root(figure).iter(f"{SVG}{name}"))


def texts(figure: Figure) -> list[str]:
    return [(element.text or "").replace("\u00a0", " ") for element in all_of(figure, "text")]


def tooltips(figure: Figure) -> list[str]:
    """Titles of marks, without that of the figure."""
    return [(element.text or "").replace("\u00a0", " ") for element in all_of(figure, "title")[1:]]
