"""Tables in depth of the reliability of answers."""

from dataclasses import dataclass
from typing import Literal

from eyelevel_core.tables import Table, column
from eyelevel_stats.conformance.rules import RULES
from eyelevel_stats.rows import shared
from eyelevel_stats.rows.words import SCOPES, VERDICTS, YES_OR_NO

NEWER = ("R8", "R9")
VARIED = tuple(rule for rule in RULES if rule not in NEWER)
# as a cell's rules: no session is excluded
NO_RULE = "none"


@dataclass(frozen=True)
class ReliabilityRow:
    """Agreement on the clips of one network, or of all. Coefficients are None where undefined."""

    network: str = column(*shared.NETWORK_OR_EVERY)
    clips: int = column(*shared.CLIPS_WITH_VOTES)
    participants: int = column("number of participants who rated", "Personen, die bewertet haben")
    votes: int = column(
        "number of pairs of participant and clip; several votes of one participant on one clip are averaged first",
        "Paare aus Person und Clip; mehrere Bewertungen einer Person für einen Clip werden vorher gemittelt",
    )
    complete: str = column(
        "yes if every participant rated every clip, otherwise no",
        "yes, wo jede Person jeden Clip bewertet hat, sonst no",
        words=YES_OR_NO,
    )
    raters_per_clip: float | None = column(
        "k in the ICC of means: harmonic mean of the number of participants per clip",
        "k der ICC von Mitteln: harmonisches Mittel der Personen je Clip",
    )
    alpha_ordinal: float | None = column(
        "Krippendorff's alpha for ordinal scores; 1 is full agreement, 0 is agreement by chance; empty if no clip "
        "has two participants, all scores are equal, or there are more than 101 different scores",
        "Krippendorffs Alpha für ordinale Bewertungen; 1 ist volle Übereinstimmung, 0 die des Zufalls; leer, wo "
        "kein Clip zwei Personen hat, alle Bewertungen gleich sind oder es mehr als 101 verschiedene gibt",
    )
    icc_1_1: float | None = column(
        "ICC of one vote, one-way (Shrout and Fleiss 1979): different participants rate each clip; for complete "
        "and incomplete designs",
        "ICC einer Bewertung, einfaktoriell (Shrout und Fleiss 1979): jeden Clip bewerten andere Personen; "
        "vollständige und andere Versuchspläne",
    )
    icc_1_k: float | None = column(*shared.ICC_MEAN)
    icc_2_1: float | None = column(
        "ICC of one vote, two-way random, absolute agreement: participants are a random sample, and their bias "
        "counts as error",
        "ICC einer Bewertung, zweifaktoriell mit Zufallseffekten, absolute Übereinstimmung: Personen sind eine "
        "Stichprobe, und ihre Neigung zählt",
    )
    icc_2_k: float | None = column(*shared.ICC_MEAN)
    icc_3_1: float | None = column(
        "ICC of one vote, two-way, consistency: the bias of participants does not count as error",
        "ICC einer Bewertung, zweifaktoriell, Konsistenz: die Neigung der Personen zählt nicht",
    )
    icc_3_k: float | None = column(*shared.ICC_MEAN)


@dataclass(frozen=True)
class SosRow:
    """Parameter a of one network, or of all; `a` and its interval are None under 3 clips."""

    network: str = column(*shared.NETWORK_OR_EVERY)
    clips: int = column(
        "number of clips with votes of at least two participants; each is one point",
        "Clips mit Bewertungen von mindestens zwei Personen, je ein Punkt",
    )
    sites: int = column(*shared.SITES_OF_CLIPS)
    a: float | None = column(
        "parameter of the SOS hypothesis, fitted by least squares: variance = a (MOS - lowest score) (highest "
        "score - MOS); 0 if all participants agree, 1/6 for binomial scores on seven points, about 1 if scores are "
        "only at the two ends; empty for fewer than 3 clips",
        "Parameter der SOS-Hypothese nach kleinsten Quadraten: Varianz = a (MOS - niedrigster Wert) (höchster Wert "
        "- MOS); 0, wo alle übereinstimmen, 1/6 bei binomialverteilten Bewertungen auf sieben Punkten, etwa 1, wo "
        "nur die beiden Enden gewählt werden; leer unter 3 Clips",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of a (Student's t, robust to unequal variances, clustered by site for sites "
        "like these)",
        "untere Grenze des 95-%-Intervalls von a (Student-t, robust gegen ungleiche Varianzen, für Websites wie "
        "diese nach Websites geclustert)",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    scope: str = column(*shared.SCOPE, words=SCOPES)


@dataclass(frozen=True)
class SosPoint:
    """One clip: the point that the parameter is fitted to."""

    clip_sha256: str
    site: str
    network: str
    stack: str
    n: int
    mos: float
    variance: float


@dataclass(frozen=True)
class SubjectClipRow:
    """One clip: MOS and the two recovered scores, in points of the scale."""

    clip_sha256: str = column(*shared.SHOWN_CLIP)
    site: str = column("site of the clip", "Website des Clips")
    network: str = column(*shared.CLIP_NETWORK)
    stack: str = column(*shared.STACK)
    n: int = column(*shared.RATED)
    mos: float = column(*shared.MOS, head="MOS")
    mos_ml: float | None = column(
        "quality estimated by maximum likelihood with a bias and an inconsistency per participant (ITU-T P.910 "
        "annex E); for sensitivity analysis only; empty if the design is not connected",
        "Qualität nach Maximum Likelihood mit einer Neigung und einer Schwankung je Person (ITU-T P.910 Anhang E); "
        "nur zur Sensitivitätsanalyse; leer, wo der Versuchsplan nicht zusammenhängt",
    )
    mos_zrec: float = column(
        "quality estimated by ZREC (Zhu et al. 2023): bias removed in units of the clip's standard deviation, "
        "votes weighted by the inverse square of inconsistency; for sensitivity analysis only",
        "Qualität nach ZREC (Zhu et al. 2023): Neigung in Einheiten der Standardabweichung des Clips entfernt, "
        "Bewertungen gewichtet mit dem Kehrwert der quadrierten Schwankung; nur zur Sensitivitätsanalyse",
    )


@dataclass(frozen=True)
class SubjectRow:
    """One participant: bias and inconsistency by both models."""

    participant: str = column(
        "random identifier of the participant's session", "zufällige Kennung der Sitzung der Person"
    )
    votes: int = column("number of clips rated by the participant", "Clips, die die Person bewertet hat")
    bias: float | None = column(
        "difference between the participant's scores and those of other participants, in points, by maximum "
        "likelihood; positive: scores higher; the mean over participants is 0; never a reason for exclusion",
        "um wie viel höher als andere die Person bewertet, in Punkten, nach Maximum Likelihood; das Mittel über die "
        "Personen ist 0; niemand wird deswegen ausgeschlossen",
        shown="precise",
    )
    inconsistency: float | None = column(
        "standard deviation of the participant's scores around quality plus bias, in points, by maximum "
        "likelihood; at least 0.29, the standard deviation of the error from rounding to whole points; never a "
        "reason for exclusion",
        "Standardabweichung der Bewertungen der Person um Qualität plus Neigung, in Punkten, nach Maximum "
        "Likelihood; mindestens 0,29, die Standardabweichung des Fehlers beim Runden auf ganze Punkte; niemand wird "
        "deswegen ausgeschlossen",
        shown="precise",
    )
    zrec_bias: float | None = column(
        "mean z-score of the participant's votes (ZREC); empty if the votes of no rated clip vary",
        "mittlerer z-Wert der Bewertungen der Person (ZREC); leer, wo kein bewerteter Clip streut",
        shown="precise",
    )
    zrec_inconsistency: float | None = column(
        "standard deviation (divisor n) of the participant's z-scores (ZREC); empty for fewer than 5 votes with a "
        "z-score, in which case the votes have the weight of the median participant",
        "Standardabweichung (Divisor n) der z-Werte der Person (ZREC); leer unter 5 Bewertungen mit z-Wert, und die "
        "Bewertungen haben dann das Gewicht der mittleren Person (Median)",
        shown="precise",
    )


@dataclass(frozen=True)
class CarelessRow:
    """One participant."""

    participant: str
    answers: int
    straight_lining: str | None
    plays: int | None
    off_speed_plays: int | None
    off_speed_share: float | None


@dataclass(frozen=True)
class StraightRow:
    """How many participants give one answer to everything."""

    participants: int = column(
        "number of participants with 5 main answers or more", "Personen mit 5 oder mehr Antworten auf Hauptfragen"
    )
    straight_lining: int = column(
        "number of these participants who gave the same answer throughout for each kind of trial "
        "(same_answer_share 1 in sessions.csv)",
        "davon Personen, die bei jeder Frageart immer dieselbe Antwort gaben (same_answer_share 1 in sessions.csv)",
    )
    share: float | None = column(
        "straight_lining / participants; empty if there are no participants",
        "straight_lining / participants; leer ohne Personen",
        shown="share",
    )
    ci_low: float | None = shared.interval(*shared.WILSON, until="ci_high", shown="share")
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")


@dataclass(frozen=True)
class SensitivityRow:
    """MOS of one network and stack with all participants and without some."""

    without: str = column(
        "participants excluded from mos_without: straight-lining, or plays off speed (at least one such play)",
        "die Personen, die in mos_without fehlen: straight-lining (immer dieselbe Antwort) oder plays off speed "
        "(mindestens eine Wiedergabe nicht in normaler Geschwindigkeit)",
    )
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    n: int = column("number of participants who rated the condition", "Personen, die die Bedingung bewertet haben")
    mos: float = column(
        "mean opinion score of all these participants", "mittlere Bewertung (MOS) von allen", head="MOS"
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of mos (Student's t over participants, truncated to the scale); empty if n "
        "is 1",
        "untere Grenze des 95-%-Intervalls von mos (Student-t über Personen, an den Enden der Skala abgeschnitten); "
        "leer, wo n 1 ist",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    n_without: int = column("number of remaining participants", "Personen, die übrig bleiben")
    mos_without: float | None = column(
        "mean opinion score of the remaining participants; empty if none remains",
        "mittlere Bewertung (MOS) von diesen; leer, wo niemand übrig bleibt",
    )
    ci_low_without: float | None = shared.interval(
        "lower end of the 95 % interval of mos_without; empty if n_without is below 2",
        "untere Grenze ihres 95-%-Intervalls; leer, wo n_without unter 2 liegt",
        until="ci_high_without",
        of="mos_without",
        shown="precise",
    )
    ci_high_without: float | None = column(*shared.SAME_INTERVAL, shown="precise")


@dataclass(frozen=True)
class OrderRow:
    """One order effect; slope, interval and p are None where the design cannot tell it."""

    effect: str = column(
        "position: change of the score per trial of the session; previous clip: change of the score per point of "
        "MOS of the clip that the participant rated before (below 0: contrast, above 0: assimilation)",
        "position: Änderung der Bewertung je Frage der Sitzung; previous clip: Änderung der Bewertung je Punkt der "
        "MOS des Clips, den die Person davor bewertet hat (unter 0: Kontrast, über 0: Angleichung)",
    )
    participants: int = column(
        "number of participants whose votes are used in this row", "Personen, deren Bewertungen in der Zeile zählen"
    )
    votes: int = column(
        "number of votes used in this row; the first vote of a participant has no previous clip",
        "Bewertungen, die in der Zeile zählen; die erste Bewertung einer Person hat keinen Clip davor",
    )
    slope: float | None = column(
        "least-squares slope, adjusted for participant and for clip and context; empty if these determine the "
        "order completely",
        "Steigung nach kleinsten Quadraten bei gegebener Person und gegebenem Clip in seiner Situation; leer, wo "
        "diese die Reihenfolge erklären",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval (Student's t, clustered by participant)",
        "untere Grenze des 95-%-Intervalls (Student-t, nach Personen geclustert)",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    p_value: float | None = column(
        "two-sided p-value; null hypothesis: no effect",
        "zweiseitiger p-Wert für die Nullhypothese „kein Effekt“",
        head="p",
        shown="p",
    )


@dataclass(frozen=True)
class SideRow:
    """Decided answers by side; share, interval and p are None without a decided answer."""

    network: str = column(
        "network of the pairs; all: all networks together", "Netz der Paare; all: alle Netze zusammen"
    )
    participants: int = column(
        "number of participants who gave decided answers", "Personen, die eine Seite gewählt haben"
    )
    left: int = column(
        "number of answers that the left video loaded faster", "Antworten, dass das linke Video schneller lud"
    )
    right: int = column(
        "number of answers that the right video loaded faster", "Antworten, dass das rechte Video schneller lud"
    )
    undecided: int = column(
        'number of answers "no difference", which are not part of share_left',
        "Antworten „kein Unterschied“; sie zählen nicht in share_left",
    )
    share_left: float | None = column(
        "left / (left + right); sides are randomised, so 0.5 is expected without side bias",
        "left / (left + right); die Seiten werden ausgelost, ohne Seitenneigung ist also 0,5 zu erwarten",
        shown="share",
    )
    effective_n: float | None = column(
        "number of decided answers divided by the design effect of several answers per participant",
        "Zahl der Antworten für eine Seite, geteilt durch den Designeffekt mehrerer Antworten einer Person",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval (Wilson's score interval over effective_n)",
        "untere Grenze des 95-%-Intervalls (Score-Intervall von Wilson über effective_n)",
        until="ci_high",
        shown="share",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")
    p_value: float | None = column(
        "two-sided p-value against 0.5, from the score test that corresponds to the interval",
        "zweiseitiger p-Wert gegen 0,5, nach dem Score-Test, zu dem das Intervall gehört",
        head="p",
        shown="p",
    )


@dataclass(frozen=True)
class MultiverseRow:
    """One effect under one combination of rules."""

    rules: str = column(
        "rules R1 to R7 applied in this combination, or none; sessions that violate one of them are excluded",
        "Regeln R1 bis R7 der Zelle, none für die leere Teilmenge; Sitzungen, die eine davon verletzen, sind "
        "ausgeschlossen",
    )
    newer: Literal["yes", "no"] = column(
        "yes: sessions that violate R8 or R9 are excluded, too; no: these rules are not applied",
        "yes: Sitzungen, die R8 oder R9 verletzen, sind ebenfalls ausgeschlossen; no: diese Regeln gelten nicht",
        words=YES_OR_NO,
    )
    sessions: int = column(
        "number of completed sessions used in this combination", "abgeschlossene Sitzungen, die die Zelle verwendet"
    )
    hypothesis: str = column(*shared.HYPOTHESIS)
    network: str = column(*shared.CLAIM_NETWORK)
    estimate: float | None = column(
        "effect of the hypothesis from the votes of these sessions, as in effects.csv; empty if they do not "
        "compare the stacks",
        "Effekt der Hypothese aus den Bewertungen dieser Sitzungen, wie in effects.csv; leer, wo sie die Stacks "
        "nicht vergleichen",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the interval at level 1 - alpha, as in effects.csv",
        "untere Grenze des Intervalls vom Niveau 1 - alpha, wie in effects.csv",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    verdict: str | None = column(
        "verdict on the effect, as in effects.csv; empty if there is no estimate",
        "Urteil über den Effekt, wie in effects.csv; leer ohne Schätzung",
        words=VERDICTS,
    )


@dataclass(frozen=True)
class MultiverseSummaryRow:
    """One effect over all combinations of rules."""

    hypothesis: str = column(*shared.HYPOTHESIS)
    network: str = column(*shared.CLAIM_NETWORK)
    cells: int = column("number of combinations of rules", "Kombinationen von Regeln")
    session_sets: int = column(
        "number of different sets of sessions used by these combinations",
        "verschiedene Mengen von Sitzungen, die sie verwenden",
    )
    answered: int = column("number of combinations with an estimate", "Kombinationen, die eine Schätzung haben")
    least_estimate: float = column(
        "smallest estimate over all combinations", "kleinste Schätzung über alle Kombinationen", shown="precise"
    )
    greatest_estimate: float = column(
        "largest estimate over all combinations", "größte Schätzung über alle Kombinationen", shown="precise"
    )
    plan_rules: str = column(
        "rules by which the study itself excludes sessions, or none; no combination has exactly these rules if the "
        "study applies only one of R8 and R9",
        "die Regeln, nach denen die Studie selbst ausschließt, oder none; keine Zelle hat genau diese, wo die "
        "Studie nur R8 oder nur R9 anwendet",
    )
    plan_estimate: float | None = column(
        "estimate with the rules of the study; empty if there is none",
        "Schätzung mit den Regeln, nach denen die Studie selbst ausschließt; leer, wo es keine gibt",
        shown="precise",
    )
    plan_verdict: str | None = column("verdict with the rules of the study", "Urteil mit diesen Regeln", words=VERDICTS)
    same_verdict: int | None = column(
        "number of combinations with the same verdict as plan_verdict; empty if there is no plan_verdict",
        "Kombinationen mit dem Urteil plan_verdict; leer, wo es keines gibt",
    )
    share_same_verdict: float | None = column("same_verdict / cells", "same_verdict / cells", shown="share")


TABLES = (
    Table("reliability", "Agreement of participants", "Übereinstimmung der Teilnehmenden", ReliabilityRow, "checks"),
    Table("sos", "Spread of scores against MOS", "Streuung der Bewertungen gegen MOS", SosRow, "checks"),
    Table(
        "subjects",
        "Bias and inconsistency of participants",
        "Neigung und Schwankung der Teilnehmenden",
        SubjectRow,
        "checks",
    ),
    Table("subject-clips", "MOS by subject models", "MOS nach Modellen der Teilnehmenden", SubjectClipRow, "checks"),
    Table(
        "straight-lining",
        "Participants who give one answer to everything",
        "Teilnehmende, die immer dieselbe Antwort geben",
        StraightRow,
        "checks",
    ),
    Table(
        "sensitivity",
        "MOS without participants who may be careless",
        "MOS ohne Teilnehmende, die vielleicht unaufmerksam sind",
        SensitivityRow,
        "checks",
    ),
    Table("order", "Effects of order", "Effekte der Reihenfolge", OrderRow, "checks"),
    Table("sides", "Side bias of comparisons", "Seitenneigung bei Vergleichen", SideRow, "checks"),
    Table(
        "multiverse",
        "Effects under each combination of rules",
        "Effekte unter jeder Kombination der Regeln",
        MultiverseRow,
        "checks",
    ),
    Table(
        "multiverse-summary",
        "Effects over all combinations of rules",
        "Effekte über alle Kombinationen der Regeln",
        MultiverseSummaryRow,
        "checks",
    ),
)
