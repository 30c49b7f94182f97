"""Tables in depth of comparisons."""

from dataclasses import dataclass
from typing import Literal

from eyelevel_core.tables import Table, column
from eyelevel_stats.pairs.observations import Choice
from eyelevel_stats.rows import shared

Kind = Literal["discrimination", "indifference"]
Answer = Literal["decided", "none"]


@dataclass(frozen=True)
class ComponentRow:
    """What all stacks of one component share."""

    network: str = column(*shared.NETWORK)
    component: int = column(*shared.COMPONENT)
    stacks: str = column("stacks of the component", "Stacks der Komponente")
    n: int = column(*shared.COMPONENT_ANSWERS)
    participants: int = column("people who gave these answers", "Personen, die diese Antworten gegeben haben")
    nu: float | None = column(
        "Davidson's parameter of ties: about two equal stacks, the answer none has probability nu / (2 + nu); 0 "
        "where no answer is none",
        "Davidsons Parameter für Gleichstand: bei zwei gleichen Stacks hat die Antwort none die Wahrscheinlichkeit "
        "nu / (2 + nu); 0, wo keine Antwort none ist",
        shown="precise",
    )
    nu_se: float | None = column(
        "standard error of nu by the observed information; empty where nu is 0",
        "Standardfehler von nu aus der beobachteten Fisher-Information; leer, wo nu 0 ist",
        shown="precise",
    )
    side_bias: float | None = column(
        "log odds of left against right between equal stacks; above 0, left is favoured; empty where it cannot be "
        "separated from the worths, because pairs were shown in one order",
        "logarithmierte Chancen von links gegen rechts bei gleichen Stacks; über 0 wird links bevorzugt; leer, wo "
        "sie sich nicht von den Stärken trennen lassen, weil die Stacks jedes Paars immer auf denselben Seiten "
        "standen",
        shown="precise",
    )
    side_bias_se: float | None = column(
        "standard error of side_bias by the observed information",
        "Standardfehler von side_bias aus der beobachteten Fisher-Information",
        shown="precise",
    )
    side_bias_se_clustered: float | None = column(
        "standard error of side_bias where only participants are independent (sandwich)",
        "Standardfehler von side_bias, der nur Personen als unabhängig annimmt (Sandwich)",
        shown="precise",
    )
    log_likelihood: float | None = column(*shared.LOG_LIKELIHOOD, shown="precise")
    why: str | None = column(*shared.NO_ESTIMATE)


@dataclass(frozen=True)
class WorthRow:
    """The worth of one stack within its component."""

    network: str = column(*shared.NETWORK)
    component: int = column(*shared.COMPONENT)
    stack: str = column("the stack", "der Stack")
    n: int = column(*shared.COMPONENT_ANSWERS)
    worth: float | None = column(
        "Davidson's worth pi, with sum 1 over the component; the greater one is chosen more often",
        "Davidsons Stärke pi, mit Summe 1 über die Komponente; der Stack mit der größeren wird öfter gewählt",
        shown="precise",
    )
    worth_se: float | None = column(
        "standard error of worth by the observed information, which assumes independent answers",
        "Standardfehler von worth aus der beobachteten Fisher-Information, die Antworten als unabhängig annimmt",
        shown="precise",
    )
    log_worth: float | None = column(
        "ln worth minus its mean over the component", "ln worth minus sein Mittel über die Komponente", shown="precise"
    )
    log_worth_se: float | None = column(
        "standard error of log_worth by the observed information",
        "Standardfehler von log_worth aus der beobachteten Fisher-Information",
        shown="precise",
    )
    log_worth_se_clustered: float | None = column(
        "standard error of log_worth where only participants are independent (sandwich); empty unless there are "
        "more participants than parameters",
        "Standardfehler von log_worth, der nur Personen als unabhängig annimmt (Sandwich); leer, außer bei mehr "
        "Personen als Parametern",
        shown="precise",
    )
    why: str | None = column(*shared.NO_ESTIMATE)


@dataclass(frozen=True)
class JodRow:
    """The difference between two stacks of one component."""

    network: str = column(*shared.NETWORK)
    component: int = column(
        "number of the group of connected stacks within the network, from 1",
        "Nummer der Komponente (durch Paare verbundene Stacks) im Netz, ab 1",
    )
    stack_a: str = column(
        "the stack of the pair whose name sorts first",
        "der Stack des Paars, dessen Name in der Sortierung zuerst kommt",
    )
    stack_b: str = column("the other stack of the pair", "der andere Stack des Paars")
    n: int = column(
        "answers about exactly this pair; 0 where other pairs connect both stacks",
        "Antworten zu genau diesem Paar; 0, wo andere Paare beide Stacks verbinden",
    )
    participants: int = column(
        "people who answered about the component", "Personen, die zu Paaren der Komponente geantwortet haben"
    )
    jod: float | None = column(
        "ln(worth of a / worth of b) / ln 3, in just-objectionable differences; above 0, a is chosen more often; at "
        "1, by 75 % of the decided answers",
        "ln(Stärke von a / Stärke von b) / ln 3, in gerade störenden Unterschieden (JOD); über 0 wird a öfter "
        "gewählt; bei 1 in 75 % der Antworten für eine Seite",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of jod: Student's t, clustered by participant (sandwich); empty unless "
        "there are more participants than parameters",
        "untere Grenze des 95-%-Intervalls von jod: Student-t, nach Personen geclustert (Sandwich); leer, außer bei "
        "mehr Personen als Parametern",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    why: str | None = column(*shared.NO_ESTIMATE)


@dataclass(frozen=True)
class SlopeRow:
    """The fitted model of one network."""

    network: str = column(*shared.NETWORK_OR_POOLED)
    n: int = column(
        "answers about pairs whose Speed Indexes are both known and above 0",
        "Antworten zu Paaren, deren Speed Indexe beide bekannt und über 0 sind",
    )
    unknown: int = column(
        "answers about pairs whose Speed Indexes are not both known and above 0",
        "weitere Antworten, bei denen mindestens ein Speed Index unbekannt oder 0 ist",
    )
    participants: int = column(*shared.ANSWERERS)
    least_ratio: float | None = column(
        "least ratio of the greater Speed Index to the smaller one in a pair",
        "kleinstes Verhältnis des größeren Speed Index zum kleineren in einem Paar",
        shown="precise",
    )
    greatest_ratio: float | None = column("greatest such ratio", "größtes solches Verhältnis", shown="precise")
    slope: float | None = column(
        "b: log odds of the faster side against the slower one, per unit of the natural logarithm of the ratio of "
        "their Speed Indexes",
        "b: logarithmierte Chancen der schnelleren Seite gegen die langsamere, je Einheit des natürlichen "
        "Logarithmus vom Verhältnis ihrer Speed Indexe",
        shown="precise",
    )
    slope_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of slope: Student's t, clustered by participant (sandwich); empty unless "
        "there are more participants than parameters",
        "untere Grenze des 95-%-Intervalls von slope: Student-t, nach Personen geclustert (Sandwich); leer, außer "
        "bei mehr Personen als Parametern",
        until="slope_ci_high",
        of="slope",
        shown="precise",
    )
    slope_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    side_bias: float | None = column(
        "s: log odds of left against right where both are equally fast; empty where it cannot be separated from the "
        "slope",
        "s: logarithmierte Chancen von links gegen rechts, wo beide gleich schnell sind; leer, wo sie sich nicht "
        "von der Steigung trennen lassen",
        shown="precise",
    )
    side_bias_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of side_bias, as of slope",
        "untere Grenze des 95-%-Intervalls von side_bias, wie bei slope",
        until="side_bias_ci_high",
        of="side_bias",
        shown="precise",
    )
    side_bias_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    nu: float | None = column(
        "parameter of ties: where both sides are equally fast, the answer none has probability nu / (2 + nu)",
        "Parameter für Gleichstand: wo beide Seiten gleich schnell sind, hat die Antwort none die "
        "Wahrscheinlichkeit nu / (2 + nu)",
        shown="precise",
    )
    log_likelihood: float | None = column(*shared.LOG_LIKELIHOOD, shown="precise")
    why: str | None = column(*shared.NO_ESTIMATE)


@dataclass(frozen=True)
class ThresholdRow:
    """One threshold on one network, or pooled over networks."""

    network: str = column(*shared.NETWORK_OR_POOLED)
    threshold: Kind = column(
        "discrimination: 75 % of the decided answers name the faster side; indifference: the answer none is as "
        "frequent as the faster side, which depends on people's criterion for none",
        "discrimination: 75 % der Antworten für eine Seite nennen die schnellere; indifference: die Antwort none "
        "ist so häufig wie die schnellere Seite, was davon abhängt, wann Personen none wählen",
    )
    value: float | None = column(
        "relative difference of Speed Index, slower minus faster over faster, of a pair at the threshold (0.25: the "
        "slower side takes 25 % longer), between sides without bias",
        "relativer Unterschied des Speed Index, (langsamerer - schnellerer) / schnellerer, bei einem Paar an der "
        "Schwelle (0,25: die langsamere Seite braucht 25 % länger), ohne Seitenneigung",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval by Fieller, clustered by participant; cut at 0",
        "untere Grenze des 95-%-Intervalls nach Fieller, nach Personen geclustert; bei 0 abgeschnitten",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(
        "upper end of the same interval; empty where it is a ratio above 1000, because the interval of the slope "
        "nearly contains 0",
        "obere Grenze desselben Intervalls; leer, wo sie ein Verhältnis über 1000 ist, weil das Intervall der "
        "Steigung beinahe 0 enthält",
        shown="precise",
    )
    why: str | None = column(
        "why there is no threshold; empty where there is one", "warum es keine Schwelle gibt; leer, wo es eine gibt"
    )


@dataclass(frozen=True)
class DetectionRow:
    """Detection on one network."""

    network: str = column(*shared.NETWORK)
    n: int = column("answers about pairs of two stacks", "Antworten zu Paaren aus zwei Stacks")
    named: int = column(
        "of these, answers that name either side as faster",
        "davon Antworten, die eine der beiden Seiten als schneller nennen",
    )
    participants: int = column("people who gave them", "Personen, die sie gegeben haben")
    one_take_n: int = column(
        "answers about pairs that show the same take on both sides, in which nothing differs",
        "Antworten zu Paaren mit derselben Aufnahme auf beiden Seiten, bei denen nichts verschieden ist",
    )
    one_take_named: int = column(
        "of these, answers that name a side: false alarms", "davon Antworten, die eine Seite nennen: Fehlalarme"
    )
    one_take_participants: int = column("people who gave them", "Personen, die sie gegeben haben")
    two_takes_n: int = column(
        "answers about pairs of two runs of one stack; they differ a little and are not used in d_prime",
        "Antworten zu Paaren aus zwei Läufen eines Stacks; sie unterscheiden sich ein wenig und zählen nicht in "
        "d_prime",
    )
    two_takes_named: int = column("of these, answers that name a side", "davon Antworten, die eine Seite nennen")
    unknown_takes_n: int = column(
        "answers about pairs of one stack that may or may not show one take; not used in d_prime",
        "Antworten zu Paaren eines Stacks, bei denen unbekannt ist, ob beide Seiten dieselbe Aufnahme zeigen; sie "
        "zählen nicht in d_prime",
    )
    d_prime: float | None = column(
        "z(hit rate) minus z(false alarm rate), rates as (count + 0.5) / (answers + 1); 0: a side is named as often "
        "where nothing differs",
        "z(Trefferrate) minus z(Fehlalarmrate), Raten als (Anzahl + 0,5) / (Antworten + 1); 0: ebenso oft wird eine "
        "Seite genannt, wo nichts verschieden ist",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of d_prime: Student's t over participants, with the variance by Gourevitch "
        "and Galanter, or clustered by participant where that is greater; empty for one participant",
        "untere Grenze des 95-%-Intervalls von d_prime: Student-t über Personen, mit der Varianz nach Gourevitch "
        "und Galanter oder, wo diese größer ist, nach Personen geclustert; leer bei einer Person",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    why: str | None = column(*shared.NO_ESTIMATE)


@dataclass(frozen=True)
class SurenessRow:
    """How often one sureness went with one answer on one network."""

    network: str = column(*shared.NETWORK)
    choice: Choice = column(
        "left, right or none", "left (links), right (rechts) oder none (kein Unterschied)",
        words={"left": ("left", "links"), "right": ("right", "rechts"), "none": ("no difference", "kein Unterschied")},
    )  # fmt: skip
    sureness: int = column("1 not sure at all to 5 very sure", "1 gar nicht sicher bis 5 sehr sicher")
    n: int = column(*shared.ANSWERS_KNOWN)
    share: float = column(
        "share of n in the answers of this network and choice whose sureness is known",
        "Anteil von n an den Antworten dieses Netzes und dieser Wahl, deren Sicherheit bekannt ist",
        shown="share",
    )


@dataclass(frozen=True)
class AnswerMeanRow:
    """Mean sureness, or mean replays, of one kind of answer on one network."""

    network: str = column(*shared.NETWORK)
    answer: Answer = column(
        "decided: the answers left and right; none: no difference",
        "decided: die Antworten links und rechts; none: kein Unterschied",
        words={"decided": ("left or right", "links oder rechts"), "none": ("no difference", "kein Unterschied")},
    )
    n: int = column(*shared.ANSWERS_KNOWN)
    participants: int = column(*shared.ANSWERERS)
    mean: float = column(
        "mean over participants of each one's mean: of sureness (1 to 5), or of replays before the answer",
        "Mittel der Mittelwerte je Person: der Sicherheit (1 bis 5), oder wie oft vor der Antwort wiederholt "
        "abgespielt wurde",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of mean: Student's t over participants, cut at the ends of the scale; empty "
        "for one participant",
        "untere Grenze des 95-%-Intervalls von mean: Student-t über Personen, an den Enden der Skala abgeschnitten; "
        "leer bei einer Person",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)


@dataclass(frozen=True)
class SurenessDifferenceRow:
    """Mean sureness of decided answers against none on one network."""

    network: str = column(*shared.NETWORK)
    both: int = column(
        "participants who gave both a decided answer and none, with known sureness",
        "Personen, die sowohl eine Seite als auch none gewählt haben, mit bekannter Sicherheit",
    )
    decided_mean: float = column(
        "mean sureness of decided answers, over the participants counted here",
        "mittlere Sicherheit der Antworten für eine Seite, über die Personen, die hier zählen",
        shown="precise",
    )
    none_mean: float = column(
        "mean sureness of answers none, over the same participants",
        "mittlere Sicherheit der Antworten none, über dieselben Personen",
        shown="precise",
    )
    difference: float = column(
        "decided_mean minus none_mean: above 0, people are surer where they name a side",
        "decided_mean minus none_mean: über 0 sind Personen sicherer, wo sie eine Seite nennen",
        shown="precise",
    )
    difference_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of difference: Student's t of the differences within participants; empty "
        "for one participant",
        "untere Grenze des 95-%-Intervalls von difference: Student-t der Unterschiede innerhalb von Personen; leer "
        "bei einer Person",
        until="difference_ci_high",
        of="difference",
        shown="precise",
    )
    difference_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")


TABLES = (
    Table("pair-components", "Fits of worths", "Anpassung der Stärken", ComponentRow, "comparisons"),
    Table("worths", "Worths of stacks", "Stärken der Stacks", WorthRow, "comparisons"),
    Table("jod", "Just objectionable differences", "Gerade störende Unterschiede (JOD)", JodRow, "comparisons"),
    Table(
        "slopes",
        "Answers against the ratio of Speed Indexes",
        "Antworten gegen das Verhältnis der Speed Indexe",
        SlopeRow,
        "comparisons",
    ),
    Table(
        "thresholds",
        "Thresholds of discrimination and indifference",
        "Schwellen der Unterscheidung und der Gleichgültigkeit",
        ThresholdRow,
        "comparisons",
    ),
    Table(
        "detection", "Sensitivity d' of comparisons", "Empfindlichkeit d' der Vergleiche", DetectionRow, "comparisons"
    ),
    Table("sureness", "Sureness by answer", "Sicherheit nach Antwort", SurenessRow, "comparisons"),
    Table(
        "sureness-means", "Mean sureness by answer", "Mittlere Sicherheit nach Antwort", AnswerMeanRow, "comparisons"
    ),
    Table(
        "sureness-differences",
        "Sureness of decided answers and of no difference",
        "Sicherheit bei einer Seite und bei „kein Unterschied“",
        SurenessDifferenceRow,
        "comparisons",
    ),
    Table("replays", "Replays by answer", "Wiederholtes Abspielen nach Antwort", AnswerMeanRow, "comparisons"),
)
