"""Table of noise ceilings: row and columns."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CeilingRow:
    """The ceilings of the clips of one network, or of all; what cannot be said is None, and `why` has the reasons."""

    network: str
    clips: int
    sites: int | None
    participants: int
    reliability: float | None = None
    reliability_ci_low: float | None = None
    reliability_ci_high: float | None = None
    ceiling: float | None = None
    ceiling_spearman: float | None = None
    lower_ceiling: float | None = None
    reliability_centred: float | None = None
    reliability_centred_ci_low: float | None = None
    reliability_centred_ci_high: float | None = None
    ceiling_centred: float | None = None
    why: str | None = None


COLUMNS = {
    "network": 'network of the clips; "all": clips of all networks together',
    "clips": "clips with votes",
    "sites": "sites of these clips; empty where sites are unknown",
    "participants": "participants with votes on these clips",
    "reliability": "1 - mean squared standard error of MOS / variance of MOS over clips",
    "reliability_ci_low": "lower end of the 95 % interval of reliability: Student's t with the standard error of a "
    "bootstrap over sites, or over clips where sites are unknown",
    "reliability_ci_high": "upper end of the same interval",
    "ceiling": "root of reliability: the largest |Pearson| that is expected of any metric; empty where the interval of "
    "reliability contains 0",
    "ceiling_spearman": "mean rank correlation of MOS with 1,000 simulated repetitions of it, by its standard error",
    "lower_ceiling": "mean Pearson correlation of the MOS of two random halves of the participants, over 200 splits; "
    "empty where no split has 10 clips with votes in both halves",
    "reliability_centred": "reliability of MOS centred within site and network",
    "reliability_centred_ci_low": "lower end of the 95 % interval of reliability_centred by the same bootstrap",
    "reliability_centred_ci_high": "upper end of the same interval",
    "ceiling_centred": "root of reliability_centred; empty where its interval contains 0",
    "why": "why cells of this row are empty: fewer than 10 clips or 5 sites, unknown sites, noise as large as the "
    "differences",
}
