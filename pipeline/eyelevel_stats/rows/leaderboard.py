"""Leaderboard of metrics: row and columns."""

from dataclasses import dataclass

EXPECTED, OPPOSITE = "expected", "opposite"


@dataclass(frozen=True)
class LeaderRow:
    """One metric against the MOS of the clips of one network, or of all; COLUMNS explains the fields.

    What cannot be said is None, and `why` has the reasons.
    """

    network: str
    metric: str
    clips: int
    sites: int | None
    pearson: float | None = None
    spearman: float | None = None
    kendall: float | None = None
    pearson_centred: float | None = None
    spearman_centred: float | None = None
    kendall_centred: float | None = None
    direction: str | None = None
    mapping: str | None = None
    pearson_mapped: float | None = None
    rmse: float | None = None
    rmse_star: float | None = None
    outlier_ratio: float | None = None
    rmse_p: float | None = None
    reliability: float | None = None
    reliability_ci_low: float | None = None
    reliability_ci_high: float | None = None
    ceiling: float | None = None
    ceiling_spearman: float | None = None
    share: float | None = None
    share_ci_low: float | None = None
    share_ci_high: float | None = None
    reliability_centred: float | None = None
    ceiling_centred: float | None = None
    share_centred: float | None = None
    share_centred_ci_low: float | None = None
    share_centred_ci_high: float | None = None
    why: str | None = None


COLUMNS = {
    "network": 'network of the clips; "all": clips of all networks together',
    "metric": "the metric that the clips' MOS is compared with",
    "clips": "clips with votes and a known value of the metric, one point each",
    "sites": "sites of these clips; empty where sites are unknown",
    "pearson": "Pearson's correlation of metric and MOS over clips; below 0 where a larger value goes with a lower MOS",
    "spearman": "Spearman's rank correlation of the same points",
    "kendall": "Kendall's tau-b of the same points",
    "pearson_centred": "Pearson's correlation after subtracting from MOS and metric their mean over the clips of the "
    "same site and network; clips that are alone there do not count",
    "spearman_centred": "Spearman's rank correlation of the same centred points",
    "kendall_centred": "Kendall's tau-b of the same centred points",
    "direction": "expected: by spearman, better values go with a higher MOS; opposite: they go with a lower one",
    "mapping": "mapping of the metric to MOS (ITU-T P.1401): cubic, or linear where the cubic is not monotone",
    "pearson_mapped": "Pearson's correlation of the mapped metric and MOS (ITU-T P.1401)",
    "rmse": "root mean square error of the mapped metric, in points; divisor: clips - 4 (cubic) or 2 (linear)",
    "rmse_star": "the same of only that part of each error that is beyond the 95 % interval of the clip's MOS",
    "outlier_ratio": "share of clips whose mapped metric is beyond the 95 % interval of their MOS",
    "rmse_p": "one-sided p of the F test (ITU-T P.1401, 7.6.4) of this rmse against the least one of the same network; "
    "empty for the metric with the least one; not corrected for the number of metrics. A metric known for fewer than "
    "90 % of the clips of the most complete one is not tested",
    "reliability": "1 - mean squared standard error of MOS / variance of MOS over clips",
    "reliability_ci_low": "lower end of the 95 % interval of reliability: Student's t with the standard error of a "
    "bootstrap over sites, or over clips where sites are unknown",
    "reliability_ci_high": "upper end of the same interval",
    "ceiling": "root of reliability: the largest |pearson| that is expected of any metric; empty where the interval of "
    "reliability contains 0",
    "ceiling_spearman": "mean rank correlation of MOS with 1,000 simulated repetitions of it, by its standard error",
    "share": "|pearson| / ceiling; above 1 by chance",
    "share_ci_low": "lower end of the 95 % interval of share by the same bootstrap; below 0 where the correlation may "
    "have the other sign",
    "share_ci_high": "upper end of the same interval",
    "reliability_centred": "reliability of MOS centred within site and network",
    "ceiling_centred": "root of reliability_centred; empty where its interval contains 0",
    "share_centred": "|pearson_centred| / ceiling_centred; above 1 by chance",
    "share_centred_ci_low": "lower end of the 95 % interval of share_centred by the same bootstrap",
    "share_centred_ci_high": "upper end of the same interval",
    "why": "why cells of this row are empty: fewer than 10 clips or 5 sites, unknown sites, noise as large as the "
    "differences",
}
