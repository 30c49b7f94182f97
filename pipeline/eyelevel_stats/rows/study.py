"""Tables of the results of a study, and the votes about a clip."""

from dataclasses import dataclass

from eyelevel_core.model.metrics import METRICS, MetricValues
from eyelevel_core.tables import Column, Table, column, columns
from eyelevel_stats.rows import shared

METRIC_COLUMNS = tuple(
    Column(
        metric.field,
        "number",
        metric.unit or None,
        f"{metric.name} of the clip's take; empty if unknown",
        description_de=f"{metric.name_de}, gemessen an der Aufnahme des Clips; leer, wenn unbekannt",
        head=metric.label,
        format="ms" if metric.unit else "precise",
    )
    for metric in METRICS
)


@dataclass(frozen=True)
class MosRow:
    """MOS of one condition; `n` counts participants; sd and interval (95 %, within 1 to 7) are None where n < 2."""

    site: str = column(*shared.SITE)
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    context: str = column(*shared.CONTEXT)
    n: int = column("number of participants", "Personen", head="participants", head_de="Personen")
    mos: float = column(
        *shared.MOS_OF_SEVEN,
        head="MOS",
    )
    ci_low: float | None = shared.interval(
        *shared.STUDENT_LOW,
        until="ci_high",
    )
    ci_high: float | None = column(
        *shared.STUDENT_HIGH,
    )
    sd: float | None = column(*shared.SD, head="SD")


@dataclass(frozen=True)
class ComparisonRow:
    """Answers about one pair of stacks, whichever was left; `share_a` of all n answers, with its 95 % interval."""

    site: str = column(*shared.SITE)
    network: str = column(*shared.STIMULUS_NETWORK)
    stack_a: str = column(
        "first of the two stacks in alphabetical order, regardless of the side it was shown on",
        "von beiden Stacks der, dessen Name alphabetisch zuerst kommt, gleich auf welcher Seite er zu sehen war",
        head="A",
    )
    stack_b: str = column("second of the two stacks in alphabetical order", "der andere Stack", head="B")
    context: str = column(*shared.CONTEXT)
    n: int = column("number of answers", "Antworten", head="answers", head_de="Antworten")
    prefer_a: int = column(
        "number of answers that stack_a loaded faster",
        "Antworten, dass stack_a schneller geladen hat",
        head="A faster",
        head_de="A schneller",
    )
    prefer_b: int = column(
        "number of answers that stack_b loaded faster",
        "Antworten, dass stack_b schneller geladen hat",
        head="B faster",
        head_de="B schneller",
    )
    no_difference: int = column(*shared.NO_DIFFERENCE, head_de="kein Unterschied")
    share_a: float = column(
        'prefer_a / n; n includes answers "no difference"',
        "prefer_a / n; Antworten ohne Unterschied zählen in n mit",
        head="share for A",
        head_de="Anteil für A",
        shown="share",
    )
    ci_low: float = shared.interval(
        *shared.WILSON_LOW,
        until="ci_high",
        shown="share",
    )
    ci_high: float = column(
        *shared.WILSON_HIGH,
        shown="share",
    )


@dataclass(frozen=True)
class CorrelationRow:
    """The clips' MOS against one metric of those very clips, within one network.

    With fewer than 10 clips or 5 sites, coefficients, interval and p are None, and `why` has the reason.
    """

    network: str = column(*shared.STIMULUS_NETWORK)
    metric: str = column(
        *shared.METRIC,
        shown="metric",
    )
    clips: int = column(
        "number of clips with votes and a known value of the metric; each is one point",
        "Clips mit Bewertungen und bekannter Metrik, je ein Punkt",
    )
    votes: int = column(*shared.VOTES)
    pearson: float | None = column(
        "Pearson's correlation of MOS and metric; if empty, why has the reason",
        "Korrelation nach Pearson von MOS und Metrik; leer aus dem Grund in why",
        head="Pearson",
    )
    spearman: float | None = column(
        *shared.SAME_POINTS_SPEARMAN,
        head="Spearman",
    )
    # these take clips as independent, so that pages do not show them
    pearson_ci_low: float | None = column(
        "lower end of the 95 % interval of pearson (Fisher's z); empty if pearson is empty",
        "untere Grenze des 95-%-Intervalls von pearson nach Fishers z; leer, wo pearson leer ist",
        shown="hidden",
    )
    pearson_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="hidden")
    p_value: float | None = column(
        *shared.P_VALUE,
        head="p",
        shown="hidden",
    )
    why: str | None = column(
        "reason why coefficients, interval and p-value are empty: fewer than 10 clips or 5 sites, or constant values",
        "warum Koeffizienten, Intervall und p leer sind: weniger als 10 Clips oder 5 Websites, oder konstante Werte",
        head="note",
        head_de="Anmerkung",
        default=None,
    )


@dataclass(frozen=True)
class PointRow:
    """One clip: its MOS over all contexts with its interval (95 %, within 1 to 7), and its metrics."""

    clip_sha256: str = column(*shared.SHOWN_CLIP, head="clip", head_de="Clip", shown="hidden")
    site: str = column(*shared.SITE)
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    n: int = column("number of participants", "Personen", head="participants", head_de="Personen")
    mos: float = column(
        *shared.MOS_OF_SEVEN,
        head="MOS",
    )
    metrics: MetricValues = columns(*METRIC_COLUMNS)
    ci_low: float | None = shared.interval(
        *shared.STUDENT_LOW,
        until="ci_high",
        default=None,
    )
    ci_high: float | None = column(
        *shared.STUDENT_HIGH,
        default=None,
    )


@dataclass(frozen=True)
class ValueRow:
    """The mean of one kind's values about one condition; n, sd and interval (95 %, within its scale) as in MOS."""

    kind: str = column(*shared.KIND)
    site: str = column(*shared.SITE)
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    context: str = column(*shared.CONTEXT)
    n: int = column("number of participants", "Personen", head="participants", head_de="Personen")
    mean: float = column(*shared.MEAN_ON_OWN_SCALE)
    ci_low: float | None = shared.interval(
        *shared.STUDENT_LOW,
        until="ci_high",
    )
    ci_high: float | None = column(
        *shared.STUDENT_HIGH,
    )
    sd: float | None = column(*shared.SD, head="SD")


@dataclass(frozen=True)
class IdenticalAnswers:
    """Answers about identical pairs; `share_different` is (chose_left + chose_right) / n, with its 95 % interval."""

    n: int
    participants: int
    chose_left: int
    chose_right: int
    no_difference: int
    share_different: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class IdenticalRow:
    """The answers about one network and stack."""

    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    n: int = column("number of answers", "Antworten", head="answers", head_de="Antworten")
    participants: int = column(*shared.ANSWERED)
    chose_left: int = column(
        "number of answers that the left side loaded faster, although both sides show the same stack",
        "Antworten, dass die linke Seite schneller geladen hat, obwohl beide denselben Stack zeigen",
        head="left faster",
        head_de="links schneller",
    )
    chose_right: int = column(
        "number of answers that the right side loaded faster, although both sides show the same stack",
        "Antworten, dass die rechte Seite schneller geladen hat, obwohl beide denselben Stack zeigen",
        head="right faster",
        head_de="rechts schneller",
    )
    no_difference: int = column(*shared.NO_DIFFERENCE, head_de="kein Unterschied")
    share_different: float = column(
        "(chose_left + chose_right) / n: share of answers that see a difference where there is none",
        "(chose_left + chose_right) / n: wie oft ein Unterschied gesehen wurde, wo keiner ist",
        head="difference seen",
        head_de="Unterschied gesehen",
        shown="share",
    )
    ci_low: float = shared.interval(
        *shared.WILSON_LOW,
        until="ci_high",
        shown="share",
    )
    ci_high: float = column(
        *shared.WILSON_HIGH,
        shown="share",
    )


@dataclass(frozen=True)
class RepeatRow:
    """Repeats of one kind of trial: n pairs of answers, and how far they agree.

    `share_equal` with its 95 % interval; `mean_difference` is the mean of |second - first|, None where answers are
    words.
    """

    kind: str = column(*shared.KIND)
    n: int = column(
        "number of questions asked twice", "Fragen, die zweimal gestellt wurden", head="questions", head_de="Fragen"
    )
    participants: int = column(*shared.ANSWERED)
    equal: int = column(
        "number of questions with the same answer both times",
        "Fragen mit zweimal derselben Antwort",
        head="same answer",
        head_de="gleiche Antwort",
    )
    share_equal: float = column("equal / n", "equal / n", head="share", head_de="Anteil", shown="share")
    ci_low: float = shared.interval(
        *shared.WILSON_LOW,
        until="ci_high",
        shown="share",
    )
    ci_high: float = column(
        *shared.WILSON_HIGH,
        shown="share",
    )
    mean_difference: float | None = column(
        "mean of |second - first| on the scale of the kind; empty if answers are words",
        "Mittel von |zweite - erste| auf der Skala dieser Art; leer, wo Antworten Wörter sind",
        head_de="mittlerer Unterschied",
    )


@dataclass(frozen=True)
class LayoutRow:
    """The votes of one kind in one layout; n counts participants.

    `mean` and `sd` are those of the answers on the kind's own scale, as in a row of MOS; None where answers are words.
    A layout follows the window, so a difference can be one of devices.
    """

    kind: str = column(*shared.KIND)
    layout: str = column(
        "layout of the answers: row or column; it depends on the window size, so devices differ as well",
        "wie die Antworten standen: row (Zeile) oder column (Spalte); das folgt dem Fenster, also unterscheiden "
        "sich auch die Geräte",
        head_de="Anordnung",
    )
    n: int = column("number of participants", "Personen", head="participants", head_de="Personen")
    votes: int = column(*shared.VOTES)
    mean: float | None = column(*shared.MEAN_ON_OWN_SCALE)
    sd: float | None = column(*shared.SD, head="SD")


@dataclass(frozen=True)
class AnswerCount:
    """`answer` as an export writes it: a score, or left, right or none."""

    answer: str
    votes: int


@dataclass(frozen=True)
class ClipVotesRow:
    """The votes about a clip of one kind of trial in one role; n counts participants.

    `mean` with its 95 % interval (Student's t over participants, cut at the ends of the scale) is in the unit of the
    kind's scale; None where answers are words. `answers` has a row per answer of the scale, also where nobody gave it;
    it is empty where a scale has many.
    """

    kind: str
    role: str
    n: int
    votes: int
    mean: float | None
    ci_low: float | None
    ci_high: float | None
    answers: tuple[AnswerCount, ...]


TABLES = (
    Table("mos", "Mean opinion score of each condition", "Mittlere Bewertung jeder Bedingung", MosRow, "mos"),
    Table(
        "comparisons",
        "Answers about each pair of stacks",
        "Antworten zu jedem Paar von Stacks",
        ComparisonRow,
        "comparisons",
    ),
    Table(
        "correlations",
        "Clips’ MOS and metrics by network",
        "MOS der Clips und Metriken nach Netz",
        CorrelationRow,
        "metrics",
        note="These correlations pool all sites of a network, so they are large wherever sites differ in speed. "
        "Prefer the agreement of metrics in the tables in depth, which also compares clips of the same site "
        "and has the noise ceiling and intervals over participants and sites. For a good metric, the "
        "correlations are close to −1: the larger the value, the lower the satisfaction. They are computed for "
        "at least 10 clips of 5 sites.",
        note_de="Diese Korrelationen fassen alle Websites eines Netzes zusammen und sind deshalb groß, wo immer "
        "Websites sich im Tempo unterscheiden; vorzuziehen ist die Übereinstimmung der Metriken bei den "
        "vertieften Tabellen: Sie vergleicht auch Clips derselben Website und hat eine Obergrenze durch das "
        "Rauschen und Intervalle über Teilnehmende und Websites. Bei einer guten Metrik liegen sie nahe −1: je "
        "größer, desto weniger zufrieden. Angegeben sind sie ab 10 Clips von 5 Websites.",
    ),
    Table("points", "MOS and metrics of each clip", "MOS und Metriken jedes Clips", PointRow, "metrics"),
    Table(
        "values",
        "Answers on other scales",
        "Antworten auf anderen Skalen",
        ValueRow,
        "mos",
        note="For trial kinds with a different scale, such as the slider from 0 to 100.",
        note_de="Für Fragearten mit anderer Skala, etwa den Schieberegler von 0 bis 100.",
    ),
    Table(
        "identical", "Pairs that show one stack twice", "Paare, die einen Stack zweimal zeigen", IdenticalRow, "checks"
    ),
    Table(
        "repeats",
        "Questions that were asked twice",
        "Fragen, die zweimal gestellt wurden",
        RepeatRow,
        "checks",
        note="Shows how often the second answer equals the first, and their mean difference on the scale of the "
        "trial kind.",
        note_de="Wie oft die zweite Antwort der ersten gleicht, und der mittlere Abstand auf der Skala der Frageart.",
    ),
    Table(
        "layouts",
        "Answers by layout",
        "Antworten nach Anordnung",
        LayoutRow,
        "checks",
        note="In narrow windows, answers are shown in a column. All results pool both layouts. A difference here "
        "can also come from different devices.",
        note_de="In schmalen Fenstern stehen die Antworten untereinander. Alle Ergebnisse fassen beide Anordnungen "
        "zusammen; ein Unterschied kann auch an den Geräten liegen.",
    ),
)
