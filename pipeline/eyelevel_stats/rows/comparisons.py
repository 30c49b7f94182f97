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
    participants: int = column(
        "number of participants who gave these answers", "Personen, die diese Antworten gegeben haben"
    )
    nu: float | None = column(
        "tie parameter of the Davidson model: for two equal stacks, the answer none has probability nu / (2 + nu); "
        "0 if no answer is none",
        "Davidsons Parameter für Gleichstand: bei zwei gleichen Stacks hat die Antwort none die Wahrscheinlichkeit "
        "nu / (2 + nu); 0, wo keine Antwort none ist",
        shown="precise",
    )
    nu_se: float | None = column(
        "standard error of nu from the observed information; empty if nu is 0",
        "Standardfehler von nu aus der beobachteten Fisher-Information; leer, wo nu 0 ist",
        shown="precise",
    )
    side_bias: float | None = column(
        "log odds of left against right for equal stacks; above 0, left is favoured; empty if it cannot be "
        "separated from the worths, because each pair was always shown in the same order",
        "logarithmierte Chancen von links gegen rechts bei gleichen Stacks; über 0 wird links bevorzugt; leer, wo "
        "sie sich nicht von den Stärken trennen lassen, weil die Stacks jedes Paars immer auf denselben Seiten "
        "standen",
        shown="precise",
    )
    side_bias_se: float | None = column(
        "standard error of side_bias from the observed information",
        "Standardfehler von side_bias aus der beobachteten Fisher-Information",
        shown="precise",
    )
    side_bias_se_clustered: float | None = column(
        "standard error of side_bias, assuming that only participants are independent (sandwich)",
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
    stack: str = column("stack that the worth belongs to", "der Stack")
    n: int = column(*shared.COMPONENT_ANSWERS)
    worth: float | None = column(
        "worth pi of the Davidson model, with sum 1 over the component; a larger worth means chosen more often",
        "Davidsons Stärke pi, mit Summe 1 über die Komponente; der Stack mit der größeren wird öfter gewählt",
        shown="precise",
    )
    worth_se: float | None = column(
        "standard error of worth from the observed information, which assumes independent answers",
        "Standardfehler von worth aus der beobachteten Fisher-Information, die Antworten als unabhängig annimmt",
        shown="precise",
    )
    log_worth: float | None = column(
        "ln(worth) minus its mean over the component", "ln worth minus sein Mittel über die Komponente", shown="precise"
    )
    log_worth_se: float | None = column(
        "standard error of log_worth from the observed information",
        "Standardfehler von log_worth aus der beobachteten Fisher-Information",
        shown="precise",
    )
    log_worth_se_clustered: float | None = column(
        "standard error of log_worth, assuming that only participants are independent (sandwich); empty unless "
        "there are more participants than parameters",
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
        "number of the group of stacks connected by pairs, from 1 within the network",
        "Nummer der Komponente (durch Paare verbundene Stacks) im Netz, ab 1",
    )
    stack_a: str = column(
        "first stack of the pair in alphabetical order",
        "der Stack des Paars, dessen Name in der Sortierung zuerst kommt",
    )
    stack_b: str = column("second stack of the pair in alphabetical order", "der andere Stack des Paars")
    n: int = column(
        "number of answers about exactly this pair; 0 if only other pairs connect the two stacks",
        "Antworten zu genau diesem Paar; 0, wo andere Paare beide Stacks verbinden",
    )
    participants: int = column(
        "number of participants who answered about the component",
        "Personen, die zu Paaren der Komponente geantwortet haben",
    )
    jod: float | None = column(
        "ln(worth of a / worth of b) / ln 3, in just objectionable differences; above 0, a is chosen more often; "
        "at 1, a is chosen in 75 % of the decided answers",
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
        "number of answers about pairs in which both Speed Indexes are known and above 0",
        "Antworten zu Paaren, deren Speed Indexe beide bekannt und über 0 sind",
    )
    unknown: int = column(
        "number of other answers, about pairs in which the Speed Indexes are not both known and above 0",
        "weitere Antworten, bei denen mindestens ein Speed Index unbekannt oder 0 ist",
    )
    participants: int = column(*shared.ANSWERERS)
    least_ratio: float | None = column(
        "smallest ratio (larger / smaller) of the two Speed Indexes in a pair",
        "kleinstes Verhältnis des größeren Speed Index zum kleineren in einem Paar",
        shown="precise",
    )
    greatest_ratio: float | None = column(
        "largest ratio (larger / smaller) of the two Speed Indexes in a pair",
        "größtes solches Verhältnis",
        shown="precise",
    )
    slope: float | None = column(
        "b: log odds of the faster side against the slower side, per unit of the natural logarithm of the ratio of "
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
        "s: log odds of left against right if both sides are equally fast; empty if it cannot be separated from "
        "the slope",
        "s: logarithmierte Chancen von links gegen rechts, wo beide gleich schnell sind; leer, wo sie sich nicht "
        "von der Steigung trennen lassen",
        shown="precise",
    )
    side_bias_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of side_bias: Student's t, clustered by participant (sandwich); empty "
        "unless there are more participants than parameters",
        "untere Grenze des 95-%-Intervalls von side_bias, wie bei slope",
        until="side_bias_ci_high",
        of="side_bias",
        shown="precise",
    )
    side_bias_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    nu: float | None = column(
        "tie parameter: if both sides are equally fast, the answer none has probability nu / (2 + nu)",
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
        "frequent as the faster side, which depends on when participants choose none",
        "discrimination: 75 % der Antworten für eine Seite nennen die schnellere; indifference: die Antwort none "
        "ist so häufig wie die schnellere Seite, was davon abhängt, wann Personen none wählen",
    )
    value: float | None = column(
        "relative difference in Speed Index, (slower - faster) / faster, of a pair at the threshold, without side "
        "bias (0.25: the slower side takes 25 % longer)",
        "relativer Unterschied des Speed Index, (langsamerer - schnellerer) / schnellerer, bei einem Paar an der "
        "Schwelle (0,25: die langsamere Seite braucht 25 % länger), ohne Seitenneigung",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval (Fieller, clustered by participant), truncated at 0",
        "untere Grenze des 95-%-Intervalls nach Fieller, nach Personen geclustert; bei 0 abgeschnitten",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(
        "upper end of the same interval; empty if it is a ratio above 1000, because the interval of the slope "
        "nearly contains 0",
        "obere Grenze desselben Intervalls; leer, wo sie ein Verhältnis über 1000 ist, weil das Intervall der "
        "Steigung beinahe 0 enthält",
        shown="precise",
    )
    why: str | None = column(
        "reason why there is no threshold; empty if there is one", "warum es keine Schwelle gibt; leer, wo es eine gibt"
    )


@dataclass(frozen=True)
class DetectionRow:
    """Detection on one network."""

    network: str = column(*shared.NETWORK)
    n: int = column("number of answers about pairs of two stacks", "Antworten zu Paaren aus zwei Stacks")
    named: int = column(
        "number of these answers that name either side as faster",
        "davon Antworten, die eine der beiden Seiten als schneller nennen",
    )
    participants: int = column("number of participants who gave these answers", "Personen, die sie gegeben haben")
    one_take_n: int = column(
        "number of answers about pairs with the same take on both sides, which do not differ",
        "Antworten zu Paaren mit derselben Aufnahme auf beiden Seiten, bei denen nichts verschieden ist",
    )
    one_take_named: int = column(
        "number of these answers that name a side (false alarms)", "davon Antworten, die eine Seite nennen: Fehlalarme"
    )
    one_take_participants: int = column(
        "number of participants who gave these answers", "Personen, die sie gegeben haben"
    )
    two_takes_n: int = column(
        "number of answers about pairs of two runs of one stack; they differ slightly and are not used in d_prime",
        "Antworten zu Paaren aus zwei Läufen eines Stacks; sie unterscheiden sich ein wenig und zählen nicht in "
        "d_prime",
    )
    two_takes_named: int = column("number of these answers that name a side", "davon Antworten, die eine Seite nennen")
    unknown_takes_n: int = column(
        "number of answers about pairs of one stack for which it is unknown whether both sides show the same take; "
        "not used in d_prime",
        "Antworten zu Paaren eines Stacks, bei denen unbekannt ist, ob beide Seiten dieselbe Aufnahme zeigen; sie "
        "zählen nicht in d_prime",
    )
    d_prime: float | None = column(
        "z(hit rate) minus z(false alarm rate), with rates (count + 0.5) / (answers + 1); 0: participants name a "
        "side equally often for pairs that do not differ",
        "z(Trefferrate) minus z(Fehlalarmrate), Raten als (Anzahl + 0,5) / (Antworten + 1); 0: ebenso oft wird eine "
        "Seite genannt, wo nichts verschieden ist",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of d_prime: Student's t over participants, with the larger of the variance "
        "by Gourevitch and Galanter and the variance clustered by participant; empty for one participant",
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
    sureness: int = column(
        "sureness of the answer, from 1 (not sure at all) to 5 (very sure)", "1 gar nicht sicher bis 5 sehr sicher"
    )
    n: int = column(*shared.ANSWERS_KNOWN)
    share: float = column(
        "n as a share of the answers with this network and choice whose sureness is known",
        "Anteil von n an den Antworten dieses Netzes und dieser Wahl, deren Sicherheit bekannt ist",
        shown="share",
    )


@dataclass(frozen=True)
class AnswerMeanRow:
    """Mean sureness, or mean replays, of one kind of answer on one network."""

    network: str = column(*shared.NETWORK)
    answer: Answer = column(
        "decided: left or right; none: no difference",
        "decided: die Antworten links und rechts; none: kein Unterschied",
        words={"decided": ("left or right", "links oder rechts"), "none": ("no difference", "kein Unterschied")},
    )
    n: int = column(*shared.ANSWERS_KNOWN)
    participants: int = column(*shared.ANSWERERS)
    mean: float = column(
        "mean over participants of each participant's mean of sureness (1 to 5) or of the number of replays before "
        "the answer",
        "Mittel der Mittelwerte je Person: der Sicherheit (1 bis 5), oder wie oft vor der Antwort wiederholt "
        "abgespielt wurde",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of mean: Student's t over participants, truncated to the scale; empty for "
        "one participant",
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
        "number of participants with known sureness for both a decided answer and the answer none",
        "Personen, die sowohl eine Seite als auch none gewählt haben, mit bekannter Sicherheit",
    )
    decided_mean: float = column(
        "mean sureness of decided answers, over these participants",
        "mittlere Sicherheit der Antworten für eine Seite, über die Personen, die hier zählen",
        shown="precise",
    )
    none_mean: float = column(
        "mean sureness of answers none, over these participants",
        "mittlere Sicherheit der Antworten none, über dieselben Personen",
        shown="precise",
    )
    difference: float = column(
        "decided_mean minus none_mean; above 0, participants are surer when they name a side",
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
