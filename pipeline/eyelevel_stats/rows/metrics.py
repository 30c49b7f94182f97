"""Tables in depth of metrics against people."""

from dataclasses import dataclass

from eyelevel_core.tables import Table, column
from eyelevel_stats.rows import shared

EXPECTED, OPPOSITE = "expected", "opposite"
YES, NO = "yes", "no"


@dataclass(frozen=True)
class LeaderRow:
    """One metric against the MOS of the clips of one network, or of all.

    What cannot be said is None, and `why` has the reasons.
    """

    network: str = column(*shared.NETWORK_OR_ALL)
    metric: str = column(*shared.METRIC)
    clips: int = column(
        "number of clips with votes and a known value of the metric; each is one point",
        "Clips mit Bewertungen und bekanntem Wert der Metrik, je ein Punkt",
    )
    sites: int | None = column(*shared.SITES_IF_KNOWN)
    pearson: float | None = column(
        "Pearson's correlation of metric and MOS over clips; below 0 if a larger value goes with a lower MOS",
        "Korrelation nach Pearson von Metrik und MOS über Clips; unter 0, wo zu größeren Werten eine niedrigere MOS "
        "gehört",
        head="Pearson",
        default=None,
    )
    spearman: float | None = column(
        *shared.SAME_POINTS_SPEARMAN,
        head="Spearman",
        default=None,
    )
    kendall: float | None = column(
        "Kendall's tau-b over the same points as pearson",
        "Kendalls Tau-b derselben Punkte",
        head="Kendall",
        default=None,
    )
    pearson_centred: float | None = column(
        "Pearson's correlation after subtracting from MOS and metric the means of the clips of the same site and "
        "network; clips that are the only one of their site and network are not used",
        "Korrelation nach Pearson, nachdem von MOS und Metrik ihr Mittel über die Clips derselben Website und "
        "desselben Netzes abgezogen ist; Clips, die dort allein sind, zählen nicht",
        head="Pearson within sites",
        head_de="Pearson innerhalb der Websites",
        default=None,
    )
    spearman_centred: float | None = column(
        "Spearman's rank correlation over the same points as pearson_centred",
        "Rangkorrelation nach Spearman derselben zentrierten Punkte",
        head="Spearman within sites",
        head_de="Spearman innerhalb der Websites",
        default=None,
    )
    kendall_centred: float | None = column(
        "Kendall's tau-b over the same points as pearson_centred",
        "Kendalls Tau-b derselben zentrierten Punkte",
        head="Kendall within sites",
        head_de="Kendall innerhalb der Websites",
        default=None,
    )
    direction: str | None = column(
        "expected: according to spearman, better values go with a higher MOS; opposite: better values go with a "
        "lower MOS",
        "expected: nach spearman gehört zu besseren Werten eine höhere MOS; opposite: eine niedrigere",
        default=None,
    )
    mapping: str | None = column(
        "mapping from the metric to MOS (ITU-T P.1401): cubic, or linear if the cubic is not monotone",
        "Abbildung der Metrik auf MOS (ITU-T P.1401): cubic (kubisch) oder, wo diese nicht monoton ist, linear",
        default=None,
    )
    pearson_mapped: float | None = column(
        "Pearson's correlation of mapped metric and MOS (ITU-T P.1401)",
        "Korrelation nach Pearson der abgebildeten Metrik mit der MOS (ITU-T P.1401)",
        head="Pearson, mapped",
        head_de="Pearson, abgebildet",
        default=None,
    )
    rmse: float | None = column(
        "root mean square error of the mapped metric, in points; divisor: clips - 4 (cubic) or clips - 2 (linear)",
        "Wurzel des mittleren quadratischen Fehlers der abgebildeten Metrik, in Punkten; Divisor: clips - 4 "
        "(kubisch) oder 2 (linear)",
        default=None,
    )
    rmse_star: float | None = column(
        "root mean square error as in rmse, counting only the part of each error beyond the 95 % interval of the "
        "clip's MOS",
        "dasselbe nur für den Teil jedes Fehlers, der außerhalb des 95-%-Intervalls für die MOS des Clips liegt",
        head="rmse*",
        default=None,
    )
    outlier_ratio: float | None = column(
        "share of clips whose mapped metric lies outside the 95 % interval of their MOS",
        "Anteil der Clips, deren abgebildete Metrik außerhalb des 95-%-Intervalls ihrer MOS liegt",
        default=None,
    )
    rmse_p: float | None = column(
        "one-sided p-value of the F test (ITU-T P.1401, 7.6.4) of rmse against the smallest rmse on the same "
        "network; empty for the metric with the smallest rmse; not corrected for the number of metrics. Metrics "
        "known for fewer than 90 % of the clips of the most complete metric are not tested",
        "einseitiger p-Wert des F-Tests (ITU-T P.1401, 7.6.4) von diesem rmse gegen das kleinste desselben Netzes; "
        "leer bei der Metrik mit dem kleinsten; nicht nach der Zahl der Metriken korrigiert. Eine Metrik, die für "
        "weniger als 90 % der Clips der vollständigsten bekannt ist, wird nicht getestet",
        head="p",
        shown="p",
        default=None,
    )
    reliability: float | None = column(*shared.RELIABILITY, default=None)
    reliability_ci_low: float | None = shared.interval(
        *shared.RELIABILITY_LOW, until="reliability_ci_high", of="reliability", default=None
    )
    reliability_ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    ceiling: float | None = column(
        "square root of reliability: the largest |pearson| expected of any metric; empty if the interval of "
        "reliability contains 0",
        "Wurzel von reliability: der größte |pearson|, der von einer Metrik zu erwarten ist; leer, wo das Intervall "
        "von reliability 0 enthält",
        default=None,
    )
    ceiling_spearman: float | None = column(*shared.CEILING_SPEARMAN, default=None)
    share: float | None = column(
        "|pearson| / ceiling; can exceed 1 by chance",
        "|pearson| / ceiling; Werte über 1 sind Zufall",
        head="share of ceiling",
        head_de="Anteil der Obergrenze",
        default=None,
    )
    share_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of share, from the bootstrap used for reliability; below 0 if the "
        "correlation may have the opposite sign",
        "untere Grenze des 95-%-Intervalls von share nach demselben Bootstrap; unter 0, wo die Korrelation das "
        "andere Vorzeichen haben kann",
        until="share_ci_high",
        of="share",
        default=None,
    )
    share_ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    reliability_centred: float | None = column(*shared.RELIABILITY_CENTRED, default=None)
    ceiling_centred: float | None = column(*shared.CEILING_CENTRED, default=None)
    share_centred: float | None = column(
        "|pearson_centred| / ceiling_centred; can exceed 1 by chance",
        "|pearson_centred| / ceiling_centred; Werte über 1 sind Zufall",
        default=None,
    )
    share_centred_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of share_centred, from the bootstrap used for reliability",
        "untere Grenze des 95-%-Intervalls von share_centred nach demselben Bootstrap",
        until="share_centred_ci_high",
        of="share_centred",
        default=None,
    )
    share_centred_ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    why: str | None = column(*shared.WHY_EMPTY, default=None)


@dataclass(frozen=True)
class CeilingRow:
    """The ceilings of the clips of one network, or of all; what cannot be said is None, and `why` has the reasons."""

    network: str = column(*shared.NETWORK_OR_ALL)
    clips: int = column(*shared.CLIPS_WITH_VOTES)
    sites: int | None = column(*shared.SITES_IF_KNOWN)
    participants: int = column(*shared.RATERS)
    reliability: float | None = column(*shared.RELIABILITY, default=None)
    reliability_ci_low: float | None = shared.interval(
        *shared.RELIABILITY_LOW, until="reliability_ci_high", of="reliability", default=None
    )
    reliability_ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    ceiling: float | None = column(
        "square root of reliability: the largest |Pearson| expected of any metric; empty if the interval of "
        "reliability contains 0",
        "Wurzel von reliability: die größte |Korrelation nach Pearson|, die von einer Metrik zu erwarten ist; leer, "
        "wo das Intervall von reliability 0 enthält",
        default=None,
    )
    ceiling_spearman: float | None = column(
        *shared.CEILING_SPEARMAN, head="ceiling of Spearman", head_de="Obergrenze von Spearman", default=None
    )
    lower_ceiling: float | None = column(
        "mean Pearson correlation between the MOS of two random halves of the participants, over 200 splits; empty "
        "if no split has 10 clips with votes in both halves",
        "mittlere Korrelation nach Pearson zwischen den MOS zweier zufälliger Hälften der Personen, über 200 "
        "Teilungen; leer, wo keine Teilung 10 Clips mit Bewertungen in beiden Hälften hat",
        default=None,
    )
    reliability_centred: float | None = column(*shared.RELIABILITY_CENTRED, default=None)
    reliability_centred_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of reliability_centred, from the bootstrap used for reliability",
        "untere Grenze des 95-%-Intervalls von reliability_centred nach demselben Bootstrap",
        until="reliability_centred_ci_high",
        of="reliability_centred",
        default=None,
    )
    reliability_centred_ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    ceiling_centred: float | None = column(
        *shared.CEILING_CENTRED, head="ceiling within sites", head_de="Obergrenze innerhalb der Websites", default=None
    )
    why: str | None = column(*shared.WHY_EMPTY, default=None)


@dataclass(frozen=True)
class BestRow:
    """One metric's agreement with MOS on one network, or on all, and whether it may be the best."""

    network: str = column(*shared.NETWORK_OR_ALL)
    metric: str = column("metric compared with the other metrics", "die Metrik, die mit anderen verglichen wird")
    clips: int = column(*shared.CLIPS_OF_ALL)
    sites: int | None = column(*shared.SITES_IF_KNOWN)
    participants: int = column(*shared.RATERS)
    within: str | None = column(
        "groups within which MOS and metric are centred before theta is computed: site and network, or network",
        "Gruppen, in denen MOS und Metrik zentriert werden, bevor theta berechnet wird: site and network (Website "
        "und Netz) oder network (Netz)",
        default=None,
    )
    theta: float | None = column(
        "Spearman's rank correlation of MOS and metric, centred, with the sign set so that 1 is full agreement",
        "Rangkorrelation nach Spearman von MOS und Metrik, zentriert, mit dem Vorzeichen, bei dem 1 volle "
        "Übereinstimmung ist",
        head="agreement",
        head_de="Übereinstimmung",
        default=None,
    )
    ci_low: float | None = shared.interval(*shared.BOOTSTRAP_LOW, until="ci_high", default=None)
    ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    theta_network: float | None = column(
        "Spearman's rank correlation as in theta, but centred within networks only",
        "dasselbe wie theta, nur innerhalb der Netze zentriert",
        default=None,
    )
    behind: float | None = column(
        "largest difference from the theta of another metric, in bootstrap standard errors of that difference; "
        "empty if that standard error is 0",
        "größter Unterschied zum theta einer anderen Metrik, in Standardfehlern dieses Unterschieds nach dem "
        "Bootstrap; leer, wo dieser Fehler 0 ist",
        default=None,
    )
    critical: float | None = column(
        "largest value of behind at which the metric may be the best: 95 % quantile from the bootstrap",
        "der größte Wert von behind, bei dem die Metrik die beste sein kann: 95-%-Quantil nach dem Bootstrap",
        default=None,
    )
    best: str | None = column(
        "yes: the metric may be the best (behind <= critical); no: another metric agrees better",
        "yes: die Metrik kann die beste sein (behind <= critical); no: eine andere stimmt besser überein",
        head="may be the best",
        head_de="vielleicht die beste",
        default=None,
    )
    why: str | None = column(
        "reason why the metric is not compared, or why there is no best set",
        "warum die Metrik nicht verglichen wird oder es keine Auswahl der besten gibt",
        default=None,
    )


@dataclass(frozen=True)
class DifferenceRow:
    """The difference between two metrics in theta on the same clips."""

    network: str = column(*shared.NETWORK_OR_ALL)
    metric_a: str = column("first metric of the pair", "die erste Metrik des Paars")
    metric_b: str = column("second metric of the pair", "die zweite Metrik des Paars")
    clips: int = column(*shared.CLIPS_OF_ALL)
    difference: float = column(
        "theta of metric_a minus theta of metric_b", "theta von metric_a minus theta von metric_b"
    )
    ci_low: float | None = shared.interval(*shared.BOOTSTRAP_LOW, until="ci_high")
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    meng_z: float | None = column(
        "test statistic of Meng, Rosenthal and Rubin for difference; assumes independent clips",
        "Prüfgröße von Meng, Rosenthal und Rubin für denselben Unterschied; setzt unabhängige Clips voraus",
    )
    meng_p: float | None = column(
        "two-sided p-value of meng_z; assumes independent clips; not corrected for the number of pairs",
        "ihr zweiseitiger p-Wert; setzt unabhängige Clips voraus; nicht nach der Zahl der Paare korrigiert",
        head="p (Meng)",
        shown="p",
    )
    zou_low: float | None = column(
        "lower end of Zou's 95 % interval of difference; assumes independent clips",
        "untere Grenze des 95-%-Intervalls von Zou für denselben Unterschied; setzt unabhängige Clips voraus",
        until="zou_high",
        head="95 % interval of difference (Zou)",
        head_de="95-%-Intervall: Unterschied (Zou)",
    )
    zou_high: float | None = column(*shared.SAME_INTERVAL)


@dataclass(frozen=True)
class ModelRow:
    """A mapping fitted to all clips of a network, with its errors. None where it is not defined for these values.

    `rmse_nested` is the error of the whole procedure, the choice included, and the same in all rows of a metric.
    """

    network: str = column(*shared.NETWORK)
    metric: str = column("metric that the model predicts from", "die Metrik, die vorhersagt")
    model: str = column(
        "linear: a + b x; wql: a + b ln x; iqx: a + b exp(-c x); logistic: logistic curve between the ends of the "
        "scale with exponent a + b x; x is the metric in its own unit",
        "linear: a + b x; wql: a + b ln x; iqx: a + b exp(-c x); logistic: zwischen den Enden der Skala, mit dem "
        "Exponenten a + b x; x ist die Metrik in ihrer Einheit",
    )
    a: float | None = column(
        "parameter a of the model, fitted to the MOS of all clips by least squares weighted by votes",
        "Parameter des Modells; nach kleinsten Quadraten an die MOS aller Clips angepasst, nach der Zahl der "
        "Bewertungen gewichtet",
        shown="precise",
    )
    b: float | None = column("parameter b of the model", "Parameter des Modells", shown="precise")
    c: float | None = column(
        "parameter c of iqx, per unit of the metric; empty for other models",
        "Parameter von iqx, je Einheit der Metrik; leer bei anderen Modellen",
        shown="precise",
    )
    clips: int = column(
        "number of clips with votes and a known value of the metric", "Clips mit Bewertungen und bekannter Metrik"
    )
    sites: int = column(*shared.SITES_OF_CLIPS)
    rmse: float | None = column(
        "root mean square error over the clips of the fit, in points of the scale, weighted by votes",
        "Wurzel des mittleren quadratischen Fehlers bei den Clips der Anpassung, in Punkten der Skala, nach der "
        "Zahl der Bewertungen gewichtet",
        shown="precise",
    )
    rmse_loso: float | None = column(
        "root mean square error for clips of sites excluded from the fit, excluding each site in turn (leave one "
        "site out)",
        "dasselbe für Clips einer Website, die bei der Anpassung fehlt, jede Website der Reihe nach",
        shown="precise",
    )
    chosen: bool = column(
        "whether rmse_loso is the smallest among the models of this metric",
        "ob rmse_loso das kleinste unter den Modellen dieser Metrik ist",
    )
    rmse_nested: float | None = column(
        "rmse_loso of the whole procedure, with the model chosen again without the excluded site; the same for all "
        "models of a metric",
        "derselbe Fehler, wo das Modell ohne die fehlende Website neu gewählt wird; er gehört zur Metrik",
        shown="precise",
    )


@dataclass(frozen=True)
class SignRow:
    """How often one metric agrees with the majority, on one network or on all."""

    network: str = column(*shared.NETWORK_OR_ALL)
    metric: str = column(
        "metric whose values on the two sides are compared", "die Metrik, deren Seiten verglichen werden"
    )
    clips: int = column(
        "number of side-by-side clips that have a majority and different values of the metric on the two sides",
        "Clips mit zwei Seiten und einer Mehrheit, auf deren Seiten die Metrik verschieden ist",
    )
    agreeing: int = column(
        "number of these clips for which the majority chose the side with the better value of the metric",
        "davon Clips, bei denen die Mehrheit die Seite mit dem besseren Wert der Metrik gewählt hat",
    )
    share: float | None = column("agreeing / clips", "agreeing / clips", shown="share")
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of share (Wilson's score interval over clips)",
        "untere Grenze des 95-%-Intervalls von share: Score-Intervall von Wilson über Clips",
        until="ci_high",
        shown="share",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")
    without_majority: int = column(
        "number of clips not used: equally many participants chose left and right, or nobody chose a side",
        "Clips, die nicht zählen: gleich viele Personen wählten links und rechts, oder niemand wählte eine Seite",
        head="no majority",
        head_de="keine Mehrheit",
    )
    without_difference: int = column(
        "number of clips with a majority that are not used: the metric is equal on both sides or unknown on one",
        "Clips, die trotz einer Mehrheit nicht zählen: die Metrik ist auf beiden Seiten gleich oder auf einer "
        "unbekannt",
        head="no difference of the metric",
        head_de="kein Unterschied der Metrik",
    )
    why: str | None = column("reason why share is empty", "warum share leer ist")


TABLES = (
    Table("leaderboard", "Metrics against MOS", "Metriken gegen MOS", LeaderRow, "metrics"),
    Table("noise-ceilings", "Noise ceilings", "Obergrenzen durch das Rauschen", CeilingRow, "metrics"),
    Table(
        "best-metrics",
        "Metrics that may agree best with people",
        "Metriken, die am besten mit Menschen übereinstimmen könnten",
        BestRow,
        "metrics",
    ),
    Table(
        "metric-differences", "Differences between metrics", "Unterschiede zwischen Metriken", DifferenceRow, "metrics"
    ),
    Table("mappings", "Mappings from metrics to MOS", "Abbildungen von Metriken auf MOS", ModelRow, "metrics"),
    Table(
        "signs",
        "Metrics against the majority of comparisons",
        "Metriken gegen die Mehrheit der Vergleiche",
        SignRow,
        "metrics",
    ),
)
