"""Table of the spread of scores against MOS: row and columns."""

from dataclasses import dataclass

_ROW = {
    "network": "network of the clips; all: every network together",
    "clips": "clips with votes of at least two participants, one point each",
    "sites": "sites of these clips",
    "a": "parameter of the SOS hypothesis by least squares: variance = a (MOS - lowest score) (highest score - MOS); "
    "0 where all agree, 1/6 for binomial scores of seven points, about 1 where scores are at the two ends only; "
    "empty under 3 clips",
    "ci_low": "lower end of the 95 % interval of a (Student's t, robust to unequal variances, clustered by site for "
    "sites like these)",
    "ci_high": "upper end of the same interval",
    "scope": "whether the interval holds for sites like these (5 sites or more), or for these very sites",
}

_POINT = {
    "clip_sha256": "the very clip that was shown",
    "site": "site of the clip",
    "network": "network of the clip",
    "stack": "stack of the clip",
    "n": "participants who rated the clip",
    "mos": "mean opinion score; several votes of one participant are averaged first",
    "variance": "variance between the participants (divisor n - 1)",
}


@dataclass(frozen=True)
class SosRow:
    """Parameter a of one network, or of all; `a` and its interval are None under 3 clips (see COLUMNS)."""

    network: str
    clips: int
    sites: int
    a: float | None
    ci_low: float | None
    ci_high: float | None
    scope: str


@dataclass(frozen=True)
class SosPoint:
    """One clip: the point that the parameter is fitted to (see COLUMNS)."""

    clip_sha256: str
    site: str
    network: str
    stack: str
    n: int
    mos: float
    variance: float


COLUMNS = {SosRow: _ROW, SosPoint: _POINT}
