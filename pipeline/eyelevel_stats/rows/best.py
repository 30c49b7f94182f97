"""Tables of metrics that may agree best with people, and of their differences: rows and columns."""

from dataclasses import dataclass

YES, NO = "yes", "no"


@dataclass(frozen=True)
class BestRow:
    """One metric's agreement with MOS on one network, or on all, and whether it may be the best; see COLUMNS."""

    network: str
    metric: str
    clips: int
    sites: int | None
    participants: int
    within: str | None = None
    theta: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    theta_network: float | None = None
    behind: float | None = None
    critical: float | None = None
    best: str | None = None
    why: str | None = None


@dataclass(frozen=True)
class DifferenceRow:
    """The difference between two metrics in theta on the same clips; see COLUMNS."""

    network: str
    metric_a: str
    metric_b: str
    clips: int
    difference: float
    ci_low: float | None
    ci_high: float | None
    meng_z: float | None
    meng_p: float | None
    zou_low: float | None
    zou_high: float | None


COLUMNS = {
    "network": 'network of the clips; "all": clips of all networks together',
    "metric": "the metric that is compared with others",
    "metric_a": "the first metric of the pair",
    "metric_b": "the second metric of the pair",
    "clips": "clips with votes on which all compared metrics are known",
    "sites": "sites of these clips; empty where sites are unknown",
    "participants": "participants with votes on these clips",
    "within": "groups in which MOS and metric are centred before theta is computed: site and network, or network",
    "theta": "Spearman's coefficient of MOS with the metric, centred, with the sign by which 1 is full agreement",
    "ci_low": "lower end of the 95 % percentile interval of theta, or of the difference, by two-way bootstrap over "
    "participants and sites (conservative); over participants and clips where sites are unknown",
    "ci_high": "upper end of the same interval",
    "theta_network": "the same as theta, centred within networks only",
    "behind": "largest difference to another metric's theta, in standard errors of that difference by "
    "bootstrap; empty where that error is 0",
    "critical": "the largest value of behind at which the metric may be the best: 95 % quantile by bootstrap",
    "best": "yes: the metric may be the best one (behind <= critical); no: another one agrees better",
    "difference": "theta of metric_a minus theta of metric_b",
    "meng_z": "test statistic of Meng, Rosenthal and Rubin for the same difference; assumes independent clips",
    "meng_p": "its two-sided p; assumes independent clips; not corrected for the number of pairs",
    "zou_low": "lower end of Zou's 95 % interval of the same difference; assumes independent clips",
    "zou_high": "upper end of the same interval",
    "why": "why the metric is not compared, or why there is no best set",
}
