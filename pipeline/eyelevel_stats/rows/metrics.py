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
        "clips with votes and a known value of the metric, one point each",
        "Clips mit Bewertungen und bekanntem Wert der Metrik, je ein Punkt",
    )
    sites: int | None = column(*shared.SITES_IF_KNOWN)
    pearson: float | None = column(
        "Pearson's correlation of metric and MOS over clips; below 0 where a larger value goes with a lower MOS",
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
        "Kendall's tau-b of the same points", "Kendalls Tau-b derselben Punkte", head="Kendall", default=None
    )
    pearson_centred: float | None = column(
        "Pearson's correlation after subtracting from MOS and metric their mean over the clips of the same site and "
        "network; clips that are alone there do not count",
        "Korrelation nach Pearson, nachdem von MOS und Metrik ihr Mittel über die Clips derselben Website und "
        "desselben Netzes abgezogen ist; Clips, die dort allein sind, zählen nicht",
        head="Pearson within sites",
        head_de="Pearson innerhalb der Websites",
        default=None,
    )
    spearman_centred: float | None = column(
        "Spearman's rank correlation of the same centred points",
        "Rangkorrelation nach Spearman derselben zentrierten Punkte",
        head="Spearman within sites",
        head_de="Spearman innerhalb der Websites",
        default=None,
    )
    kendall_centred: float | None = column(
        "Kendall's tau-b of the same centred points",
        "Kendalls Tau-b derselben zentrierten Punkte",
        head="Kendall within sites",
        head_de="Kendall innerhalb der Websites",
        default=None,
    )
    direction: str | None = column(
        "expected: by spearman, better values go with a higher MOS; opposite: they go with a lower one",
        "expected: nach spearman gehört zu besseren Werten eine höhere MOS; opposite: eine niedrigere",
        default=None,
    )
    mapping: str | None = column(
        "mapping of the metric to MOS (ITU-T P.1401): cubic, or linear where the cubic is not monotone",
        "Abbildung der Metrik auf MOS (ITU-T P.1401): cubic (kubisch) oder, wo diese nicht monoton ist, linear",
        default=None,
    )
    pearson_mapped: float | None = column(
        "Pearson's correlation of the mapped metric and MOS (ITU-T P.1401)",
        "Korrelation nach Pearson der abgebildeten Metrik mit der MOS (ITU-T P.1401)",
        head="Pearson, mapped",
        head_de="Pearson, abgebildet",
        default=None,
    )
    rmse: float | None = column(
        "root mean square error of the mapped metric, in points; divisor: clips - 4 (cubic) or 2 (linear)",
        "Wurzel des mittleren quadratischen Fehlers der abgebildeten Metrik, in Punkten; Divisor: clips - 4 "
        "(kubisch) oder 2 (linear)",
        default=None,
    )
    rmse_star: float | None = column(
        "the same of only that part of each error that is beyond the 95 % interval of the clip's MOS",
        "dasselbe nur für den Teil jedes Fehlers, der außerhalb des 95-%-Intervalls für die MOS des Clips liegt",
        head="rmse*",
        default=None,
    )
    outlier_ratio: float | None = column(
        "share of clips whose mapped metric is beyond the 95 % interval of their MOS",
        "Anteil der Clips, deren abgebildete Metrik außerhalb des 95-%-Intervalls ihrer MOS liegt",
        default=None,
    )
    rmse_p: float | None = column(
        "one-sided p of the F test (ITU-T P.1401, 7.6.4) of this rmse against the least one of the same network; "
        "empty for the metric with the least one; not corrected for the number of metrics. A metric known for fewer "
        "than 90 % of the clips of the most complete one is not tested",
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
        "root of reliability: the largest |pearson| that is expected of any metric; empty where the interval of "
        "reliability contains 0",
        "Wurzel von reliability: der größte |pearson|, der von einer Metrik zu erwarten ist; leer, wo das Intervall "
        "von reliability 0 enthält",
        default=None,
    )
    ceiling_spearman: float | None = column(*shared.CEILING_SPEARMAN, default=None)
    share: float | None = column(
        "|pearson| / ceiling; above 1 by chance",
        "|pearson| / ceiling; Werte über 1 sind Zufall",
        head="share of ceiling",
        head_de="Anteil der Obergrenze",
        default=None,
    )
    share_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of share by the same bootstrap; below 0 where the correlation may have the "
        "other sign",
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
        "|pearson_centred| / ceiling_centred; above 1 by chance",
        "|pearson_centred| / ceiling_centred; Werte über 1 sind Zufall",
        default=None,
    )
    share_centred_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of share_centred by the same bootstrap",
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
        "root of reliability: the largest |Pearson| that is expected of any metric; empty where the interval of "
        "reliability contains 0",
        "Wurzel von reliability: die größte |Korrelation nach Pearson|, die von einer Metrik zu erwarten ist; leer, "
        "wo das Intervall von reliability 0 enthält",
        default=None,
    )
    ceiling_spearman: float | None = column(
        *shared.CEILING_SPEARMAN, head="ceiling of Spearman", head_de="Obergrenze von Spearman", default=None
    )
    lower_ceiling: float | None = column(
        "mean Pearson correlation of the MOS of two random halves of the participants, over 200 splits; empty where "
        "no split has 10 clips with votes in both halves",
        "mittlere Korrelation nach Pearson zwischen den MOS zweier zufälliger Hälften der Personen, über 200 "
        "Teilungen; leer, wo keine Teilung 10 Clips mit Bewertungen in beiden Hälften hat",
        default=None,
    )
    reliability_centred: float | None = column(*shared.RELIABILITY_CENTRED, default=None)
    reliability_centred_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of reliability_centred by the same bootstrap",
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
    metric: str = column("the metric that is compared with others", "die Metrik, die mit anderen verglichen wird")
    clips: int = column(*shared.CLIPS_OF_ALL)
    sites: int | None = column(*shared.SITES_IF_KNOWN)
    participants: int = column(*shared.RATERS)
    within: str | None = column(
        "groups in which MOS and metric are centred before theta is computed: site and network, or network",
        "Gruppen, in denen MOS und Metrik zentriert werden, bevor theta berechnet wird: site and network (Website "
        "und Netz) oder network (Netz)",
        default=None,
    )
    theta: float | None = column(
        "Spearman's coefficient of MOS with the metric, centred, with the sign by which 1 is full agreement",
        "Rangkorrelation nach Spearman von MOS und Metrik, zentriert, mit dem Vorzeichen, bei dem 1 volle "
        "Übereinstimmung ist",
        head="agreement",
        head_de="Übereinstimmung",
        default=None,
    )
    ci_low: float | None = shared.interval(*shared.BOOTSTRAP_LOW, until="ci_high", default=None)
    ci_high: float | None = column(*shared.SAME_INTERVAL, default=None)
    theta_network: float | None = column(
        "the same as theta, centred within networks only",
        "dasselbe wie theta, nur innerhalb der Netze zentriert",
        default=None,
    )
    behind: float | None = column(
        "largest difference to another metric's theta, in standard errors of that difference by bootstrap; empty "
        "where that error is 0",
        "größter Unterschied zum theta einer anderen Metrik, in Standardfehlern dieses Unterschieds nach dem "
        "Bootstrap; leer, wo dieser Fehler 0 ist",
        default=None,
    )
    critical: float | None = column(
        "the largest value of behind at which the metric may be the best: 95 % quantile by bootstrap",
        "der größte Wert von behind, bei dem die Metrik die beste sein kann: 95-%-Quantil nach dem Bootstrap",
        default=None,
    )
    best: str | None = column(
        "yes: the metric may be the best one (behind <= critical); no: another one agrees better",
        "yes: die Metrik kann die beste sein (behind <= critical); no: eine andere stimmt besser überein",
        head="may be the best",
        head_de="vielleicht die beste",
        default=None,
    )
    why: str | None = column(
        "why the metric is not compared, or why there is no best set",
        "warum die Metrik nicht verglichen wird oder es keine Auswahl der besten gibt",
        default=None,
    )


@dataclass(frozen=True)
class DifferenceRow:
    """The difference between two metrics in theta on the same clips."""

    network: str = column(*shared.NETWORK_OR_ALL)
    metric_a: str = column("the first metric of the pair", "die erste Metrik des Paars")
    metric_b: str = column("the second metric of the pair", "die zweite Metrik des Paars")
    clips: int = column(*shared.CLIPS_OF_ALL)
    difference: float = column(
        "theta of metric_a minus theta of metric_b", "theta von metric_a minus theta von metric_b"
    )
    ci_low: float | None = shared.interval(*shared.BOOTSTRAP_LOW, until="ci_high")
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    meng_z: float | None = column(
        "test statistic of Meng, Rosenthal and Rubin for the same difference; assumes independent clips",
        "Prüfgröße von Meng, Rosenthal und Rubin für denselben Unterschied; setzt unabhängige Clips voraus",
    )
    meng_p: float | None = column(
        "its two-sided p; assumes independent clips; not corrected for the number of pairs",
        "ihr zweiseitiger p-Wert; setzt unabhängige Clips voraus; nicht nach der Zahl der Paare korrigiert",
        head="p (Meng)",
        shown="p",
    )
    zou_low: float | None = column(
        "lower end of Zou's 95 % interval of the same difference; assumes independent clips",
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
    metric: str = column("the metric that predicts", "die Metrik, die vorhersagt")
    model: str = column(
        "linear: a + b x; wql: a + b ln x; iqx: a + b exp(-c x); logistic: between the ends of the scale, with the "
        "exponent a + b x; x is the metric in its own unit",
        "linear: a + b x; wql: a + b ln x; iqx: a + b exp(-c x); logistic: zwischen den Enden der Skala, mit dem "
        "Exponenten a + b x; x ist die Metrik in ihrer Einheit",
    )
    a: float | None = column(
        "parameter of the model; fitted to the MOS of all clips by least squares, weighted by votes",
        "Parameter des Modells; nach kleinsten Quadraten an die MOS aller Clips angepasst, nach der Zahl der "
        "Bewertungen gewichtet",
        shown="precise",
    )
    b: float | None = column("parameter of the model", "Parameter des Modells", shown="precise")
    c: float | None = column(
        "parameter of iqx, per unit of the metric; empty for other models",
        "Parameter von iqx, je Einheit der Metrik; leer bei anderen Modellen",
        shown="precise",
    )
    clips: int = column("clips with votes and a known metric", "Clips mit Bewertungen und bekannter Metrik")
    sites: int = column(*shared.SITES_OF_CLIPS)
    rmse: float | None = column(
        "root mean square error of the fitted clips, in points of the scale, weighted by votes",
        "Wurzel des mittleren quadratischen Fehlers bei den Clips der Anpassung, in Punkten der Skala, nach der "
        "Zahl der Bewertungen gewichtet",
        shown="precise",
    )
    rmse_loso: float | None = column(
        "the same for clips of a site that was left out of the fit, each site in turn",
        "dasselbe für Clips einer Website, die bei der Anpassung fehlt, jede Website der Reihe nach",
        shown="precise",
    )
    chosen: bool = column(
        "whether rmse_loso is the smallest of the models of this metric",
        "ob rmse_loso das kleinste unter den Modellen dieser Metrik ist",
    )
    rmse_nested: float | None = column(
        "the same error where the model is chosen again without the left-out site; it belongs to the metric",
        "derselbe Fehler, wo das Modell ohne die fehlende Website neu gewählt wird; er gehört zur Metrik",
        shown="precise",
    )


@dataclass(frozen=True)
class SignRow:
    """How often one metric agrees with the majority, on one network or on all."""

    network: str = column(*shared.NETWORK_OR_ALL)
    metric: str = column("the metric whose sides are compared", "die Metrik, deren Seiten verglichen werden")
    clips: int = column(
        "side-by-side clips with a majority, on whose sides the metric differs",
        "Clips mit zwei Seiten und einer Mehrheit, auf deren Seiten die Metrik verschieden ist",
    )
    agreeing: int = column(
        "of these, clips on which the majority chose the side with the better value of the metric",
        "davon Clips, bei denen die Mehrheit die Seite mit dem besseren Wert der Metrik gewählt hat",
    )
    share: float | None = column("agreeing / clips", "agreeing / clips", shown="share")
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of share: Wilson's score interval over clips",
        "untere Grenze des 95-%-Intervalls von share: Score-Intervall von Wilson über Clips",
        until="ci_high",
        shown="share",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")
    without_majority: int = column(
        "clips that do not count: as many participants chose left as right, or nobody chose a side",
        "Clips, die nicht zählen: gleich viele Personen wählten links und rechts, oder niemand wählte eine Seite",
        head="no majority",
        head_de="keine Mehrheit",
    )
    without_difference: int = column(
        "clips that do not count although they have a majority: the metric is equal on both sides or unknown on one",
        "Clips, die trotz einer Mehrheit nicht zählen: die Metrik ist auf beiden Seiten gleich oder auf einer "
        "unbekannt",
        head="no difference of the metric",
        head_de="kein Unterschied der Metrik",
    )
    why: str | None = column("why share is empty", "warum share leer ist")


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
