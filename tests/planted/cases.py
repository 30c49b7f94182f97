"""The studies: planted Speed Indexes, the study file, who takes part, and the right outcome of each hypothesis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .batch import Load

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "fixtures" / "study-demo.yaml"
STUDY_2019 = REPOSITORY / "docs" / "guides" / "study-2019.yaml"
# a delay that a careful participant calls poor or worse, on the fastest page
CONTROL_DELAY_MS = 10_000
# with which a study of few participants still has words for a difference
PAIR = ("TCP+", "QUIC")
# QUIC takes so much longer with TCP+ where the difference is meant to be seen
SEEN = 1.6


@dataclass(frozen=True)
class Case:
    """`groups` are the keys of the groups that simulated participants come by, empty for the only one.

    `rated` and `compared` are the sites that blocks of each kind ask about; `outcomes` has a hypothesis's right
    outcomes by its key, several where the participants of a test are too few for one.
    """

    name: str
    study: Mapping[str, Any]
    si_ms: Mapping[Load, float]
    pairs: Sequence[tuple[str, str]]
    rated: Sequence[str]
    compared: Sequence[str]
    outcomes: Mapping[str, Sequence[str]]
    groups: Sequence[str] = ()
    careless: float = 0.2
    # of control clips; 0 for none
    control_delay_ms: int = CONTROL_DELAY_MS
    seed: int = 1
    networks: Sequence[str] = field(default=("DSL", "LTE"))


def known_effect(*, sites: int, whole: bool) -> Case:
    """On LTE, QUIC is clearly faster than TCP+; on DSL both are the same.

    The `whole` study has comparisons, control videos, and a hypothesis about metrics, which needs 8 sites. Without
    control videos, nobody finds those who only guess.
    """
    names = [f"site{number:02}.example" for number in range(sites)]
    si_ms = {
        (site, network, stack): round(least + step * number) * (SEEN if (network, stack) == ("LTE", "TCP+") else 1.0)
        for number, site in enumerate(names)
        for network, least, step in (("DSL", 700, 130), ("LTE", 900, 150))
        for stack in PAIR
    }
    outcomes = {"seen": ["supported"], "same": ["supported"]}
    if whole:
        outcomes |= {"chosen": ["supported"], "metric": ["supported"]}
    return Case(
        name="known-effect",
        study=_known_effect_study(whole=whole),
        si_ms=si_ms,
        pairs=[PAIR] if whole else [],
        rated=names,
        compared=names if whole else [],
        outcomes=outcomes,
        control_delay_ms=CONTROL_DELAY_MS if whole else 0,
    )


def study_2019() -> Case:
    """The study file of 2019, on a batch with its networks and stacks, the sites of its pairs, and further ones.

    QUIC is a little faster than TCP+ on DSL and LTE, and clearly on the networks of planes: it is chosen more often,
    and the MOS on DSL and LTE differ by less than the margin. Whether that is shown (H2) with one or two hundred
    participants is up to chance.
    """
    study = yaml.safe_load(STUDY_2019.read_text(encoding="utf-8"))
    compared, practised = study["trials"][1]["sites"], study["training_site"]
    rated = [*compared, "etsy.com", "gnu.org", "imdb.com", "joomla.com", "reddit.com"]
    rated = list(dict.fromkeys(rated))
    least = {"DSL": (700, 80), "LTE": (900, 90), "DA2GC": (1900, 100), "MSS": (2300, 100)}
    slower = {
        ground: {"TCP": 1.3, "TCP+": 1.08, "TCP+BBR": 1.12, "QUIC": 1.0, "QUIC+BBR": 1.03} for ground in ("DSL", "LTE")
    } | {air: {"TCP": 1.7, "TCP+": 1.45, "TCP+BBR": 1.35, "QUIC": 1.0, "QUIC+BBR": 1.05} for air in ("DA2GC", "MSS")}
    si_ms = {
        (site, network, stack): (first + step * number) * factor
        for number, site in enumerate([*rated, practised])
        for network, (first, step) in least.items()
        for stack, factor in slower[network].items()
    }
    return Case(
        name="wolsing2019",
        study=study,
        si_ms=si_ms,
        pairs=[(first, second) for first, second in study["trials"][1]["pairs"]],
        rated=rated,
        compared=compared,
        outcomes={"H1": ["supported"], "H2": ["supported", "undecided"], "H3": ["supported"]},
        groups=("laboratory", "volunteer"),
        networks=tuple(least),
    )


def _known_effect_study(*, whole: bool) -> dict[str, Any]:
    study: dict[str, Any] = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    study |= {"name": "known-effect", "batch": "known-effect"}
    # an answer before the first visual change must be possible to be found (R4)
    trials = [{"kind": "rate", "count": 12, "training": 0, "answer_from": "start"}]
    hypotheses = [
        _rated("seen", "On LTE, QUIC is rated higher than TCP+.", over="LTE", expects="higher"),
        _rated("same", "On DSL, QUIC and TCP+ are rated alike.", over="DSL", expects="equivalent"),
    ]
    if whole:
        study["controls"]["videos"] = {"count": 2, "max_score": 3}
        trials.append({"kind": "compare", "count": 4, "training": 0, "networks": ["LTE"], "identical": 0.15})
        hypotheses += [
            _rated("chosen", "On LTE, QUIC is chosen more often.", over="LTE", expects="higher")
            | {"kind": "compare", "margin": 0.15},
            {"key": "metric", "says": "SI agrees best with MOS.", "kind": "metrics", "metric": "SI"},
        ]
    study["trials"] = trials
    study["plan"] = {"hypotheses": hypotheses}
    study["quota"] = {"sessions": 1000}
    return study


def _rated(key: str, says: str, *, over: str, expects: str) -> dict[str, Any]:
    return {
        "key": key,
        "says": says,
        "kind": "rate",
        "pair": list(PAIR),
        "networks": "each",
        "over": [over],
        "expects": expects,
        "margin": 0.5,
        "margin_reason": "planted for a test",
    }
