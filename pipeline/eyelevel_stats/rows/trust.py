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
    participants: int = column("people who rated", "Personen, die bewertet haben")
    votes: int = column(
        "pairs of participant and clip; several votes of one participant on one clip are averaged first",
        "Paare aus Person und Clip; mehrere Bewertungen einer Person für einen Clip werden vorher gemittelt",
    )
    complete: str = column(
        "yes where every participant rated every clip, else no",
        "yes, wo jede Person jeden Clip bewertet hat, sonst no",
        words=YES_OR_NO,
    )
    raters_per_clip: float | None = column(
        "k of the ICC of means: harmonic mean of the participants per clip",
        "k der ICC von Mitteln: harmonisches Mittel der Personen je Clip",
    )
    alpha_ordinal: float | None = column(
        "Krippendorff's alpha of ordinal scores; 1 is full agreement, 0 that of chance; empty where no clip has two "
        "participants, all scores are equal, or there are over 101 different ones",
        "Krippendorffs Alpha für ordinale Bewertungen; 1 ist volle Übereinstimmung, 0 die des Zufalls; leer, wo "
        "kein Clip zwei Personen hat, alle Bewertungen gleich sind oder es mehr als 101 verschiedene gibt",
    )
    icc_1_1: float | None = column(
        "ICC of one vote, one-way (Shrout and Fleiss 1979): other participants rate each clip; complete designs and "
        "others",
        "ICC einer Bewertung, einfaktoriell (Shrout und Fleiss 1979): jeden Clip bewerten andere Personen; "
        "vollständige und andere Versuchspläne",
    )
    icc_1_k: float | None = column(*shared.ICC_MEAN)
    icc_2_1: float | None = column(
        "ICC of one vote, two-way random, absolute agreement: participants are a sample, and their bias counts",
        "ICC einer Bewertung, zweifaktoriell mit Zufallseffekten, absolute Übereinstimmung: Personen sind eine "
        "Stichprobe, und ihre Neigung zählt",
    )
    icc_2_k: float | None = column(*shared.ICC_MEAN)
    icc_3_1: float | None = column(
        "ICC of one vote, two-way, consistency: the participants' bias does not count",
        "ICC einer Bewertung, zweifaktoriell, Konsistenz: die Neigung der Personen zählt nicht",
    )
    icc_3_k: float | None = column(*shared.ICC_MEAN)


@dataclass(frozen=True)
class SosRow:
    """Parameter a of one network, or of all; `a` and its interval are None under 3 clips."""

    network: str = column(*shared.NETWORK_OR_EVERY)
    clips: int = column(
        "clips with votes of at least two participants, one point each",
        "Clips mit Bewertungen von mindestens zwei Personen, je ein Punkt",
    )
    sites: int = column(*shared.SITES_OF_CLIPS)
    a: float | None = column(
        "parameter of the SOS hypothesis by least squares: variance = a (MOS - lowest score) (highest score - MOS); "
        "0 where all agree, 1/6 for binomial scores of seven points, about 1 where scores are at the two ends only; "
        "empty under 3 clips",
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
        "quality by maximum likelihood with a bias and an inconsistency per participant (ITU-T P.910 annex E); a "
        "sensitivity column; empty where the design is not connected",
        "Qualität nach Maximum Likelihood mit einer Neigung und einer Schwankung je Person (ITU-T P.910 Anhang E); "
        "nur zur Sensitivitätsanalyse; leer, wo der Versuchsplan nicht zusammenhängt",
    )
    mos_zrec: float = column(
        "quality by ZREC (Zhu et al. 2023): bias removed in units of the clip's standard deviation, votes weighted "
        "by the inverse square of inconsistency; a sensitivity column",
        "Qualität nach ZREC (Zhu et al. 2023): Neigung in Einheiten der Standardabweichung des Clips entfernt, "
        "Bewertungen gewichtet mit dem Kehrwert der quadrierten Schwankung; nur zur Sensitivitätsanalyse",
    )


@dataclass(frozen=True)
class SubjectRow:
    """One participant: bias and inconsistency by both models."""

    participant: str = column(
        "random identity of the participant's session", "zufällige Kennung der Sitzung der Person"
    )
    votes: int = column("clips that the participant rated", "Clips, die die Person bewertet hat")
    bias: float | None = column(
        "how much higher than others the participant scores, in points, by maximum likelihood; the mean over "
        "participants is 0; never a reason for exclusion",
        "um wie viel höher als andere die Person bewertet, in Punkten, nach Maximum Likelihood; das Mittel über die "
        "Personen ist 0; niemand wird deswegen ausgeschlossen",
        shown="precise",
    )
    inconsistency: float | None = column(
        "standard deviation of the participant's scores about quality plus bias, in points, by maximum likelihood; "
        "at least 0.29, the deviation of rounding to whole points; never a reason for exclusion",
        "Standardabweichung der Bewertungen der Person um Qualität plus Neigung, in Punkten, nach Maximum "
        "Likelihood; mindestens 0,29, die Standardabweichung des Fehlers beim Runden auf ganze Punkte; niemand wird "
        "deswegen ausgeschlossen",
        shown="precise",
    )
    zrec_bias: float | None = column(
        "mean z-score of the participant's votes (ZREC); empty where no rated clip has a spread",
        "mittlerer z-Wert der Bewertungen der Person (ZREC); leer, wo kein bewerteter Clip streut",
        shown="precise",
    )
    zrec_inconsistency: float | None = column(
        "standard deviation (divisor n) of the participant's z-scores (ZREC); empty under 5 votes with a z-score, "
        "and the votes then have the median participant's weight",
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
        "people with 5 main answers or more", "Personen mit 5 oder mehr Antworten auf Hauptfragen"
    )
    straight_lining: int = column(
        "of these, people who gave each kind of trial one answer throughout (same_answer_share 1 in sessions.csv)",
        "davon Personen, die bei jeder Frageart immer dieselbe Antwort gaben (same_answer_share 1 in sessions.csv)",
    )
    share: float | None = column(
        "straight_lining / participants; empty without participants",
        "straight_lining / participants; leer ohne Personen",
        shown="share",
    )
    ci_low: float | None = shared.interval(*shared.WILSON, until="ci_high", shown="share")
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")


@dataclass(frozen=True)
class SensitivityRow:
    """MOS of one network and stack with all participants and without some."""

    without: str = column(
        "the participants left out of mos_without: straight-lining, or plays off speed (one such play or more)",
        "die Personen, die in mos_without fehlen: straight-lining (immer dieselbe Antwort) oder plays off speed "
        "(mindestens eine Wiedergabe nicht in normaler Geschwindigkeit)",
    )
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    n: int = column("participants who rated the condition", "Personen, die die Bedingung bewertet haben")
    mos: float = column("mean opinion score of all of them", "mittlere Bewertung (MOS) von allen", head="MOS")
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of mos (Student's t over participants, cut at the ends of the scale); empty "
        "where n is 1",
        "untere Grenze des 95-%-Intervalls von mos (Student-t über Personen, an den Enden der Skala abgeschnitten); "
        "leer, wo n 1 ist",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    n_without: int = column("participants that remain", "Personen, die übrig bleiben")
    mos_without: float | None = column(
        "mean opinion score of these; empty where none remains",
        "mittlere Bewertung (MOS) von diesen; leer, wo niemand übrig bleibt",
    )
    ci_low_without: float | None = shared.interval(
        "lower end of its 95 % interval; empty where n_without is below 2",
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
        "the MOS of the clip that the participant rated before (below 0: contrast, above 0: assimilation)",
        "position: Änderung der Bewertung je Frage der Sitzung; previous clip: Änderung der Bewertung je Punkt der "
        "MOS des Clips, den die Person davor bewertet hat (unter 0: Kontrast, über 0: Angleichung)",
    )
    participants: int = column("people whose votes the row counts", "Personen, deren Bewertungen in der Zeile zählen")
    votes: int = column(
        "votes that the row counts; the first vote of a participant has no previous clip",
        "Bewertungen, die in der Zeile zählen; die erste Bewertung einer Person hat keinen Clip davor",
    )
    slope: float | None = column(
        "least-squares slope given participant and clip in its context; empty where these explain the order",
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
        "two-sided p against no effect", "zweiseitiger p-Wert für die Nullhypothese „kein Effekt“", head="p", shown="p"
    )


@dataclass(frozen=True)
class SideRow:
    """Decided answers by side; share, interval and p are None without a decided answer."""

    network: str = column(
        "network of the pairs; all: every network together", "Netz der Paare; all: alle Netze zusammen"
    )
    participants: int = column("people who gave decided answers", "Personen, die eine Seite gewählt haben")
    left: int = column("answers that the left video loaded faster", "Antworten, dass das linke Video schneller lud")
    right: int = column("answers that the right video loaded faster", "Antworten, dass das rechte Video schneller lud")
    undecided: int = column(
        "answers of no difference; they are not part of share_left",
        "Antworten „kein Unterschied“; sie zählen nicht in share_left",
    )
    share_left: float | None = column(
        "left / (left + right); sides are drawn at random, so 0.5 is expected without a side bias",
        "left / (left + right); die Seiten werden ausgelost, ohne Seitenneigung ist also 0,5 zu erwarten",
        shown="share",
    )
    effective_n: float | None = column(
        "decided answers divided by the design effect of answers of one participant",
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
        "two-sided p against 0.5, of the score test that the interval belongs to",
        "zweiseitiger p-Wert gegen 0,5, nach dem Score-Test, zu dem das Intervall gehört",
        head="p",
        shown="p",
    )


@dataclass(frozen=True)
class MultiverseRow:
    """One effect under one combination of rules."""

    rules: str = column(
        "rules R1 to R7 of the cell, none for the empty subset; sessions that break one are excluded",
        "Regeln R1 bis R7 der Zelle, none für die leere Teilmenge; Sitzungen, die eine davon verletzen, sind "
        "ausgeschlossen",
    )
    newer: Literal["yes", "no"] = column(
        "yes: sessions that break R8 or R9 are excluded, too; no: these rules are not applied",
        "yes: Sitzungen, die R8 oder R9 verletzen, sind ebenfalls ausgeschlossen; no: diese Regeln gelten nicht",
        words=YES_OR_NO,
    )
    sessions: int = column("completed sessions that the cell uses", "abgeschlossene Sitzungen, die die Zelle verwendet")
    hypothesis: str = column(*shared.HYPOTHESIS)
    network: str = column(*shared.CLAIM_NETWORK)
    estimate: float | None = column(
        "the hypothesis's effect from the votes of these sessions, as in effects.csv; empty where they do not "
        "compare the stacks",
        "Effekt der Hypothese aus den Bewertungen dieser Sitzungen, wie in effects.csv; leer, wo sie die Stacks "
        "nicht vergleichen",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the interval of level 1 - alpha, as in effects.csv",
        "untere Grenze des Intervalls vom Niveau 1 - alpha, wie in effects.csv",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    verdict: str | None = column(
        "verdict of the effect, as in effects.csv; empty without an estimate",
        "Urteil über den Effekt, wie in effects.csv; leer ohne Schätzung",
        words=VERDICTS,
    )


@dataclass(frozen=True)
class MultiverseSummaryRow:
    """One effect over all combinations of rules."""

    hypothesis: str = column(*shared.HYPOTHESIS)
    network: str = column(*shared.CLAIM_NETWORK)
    cells: int = column("combinations of rules", "Kombinationen von Regeln")
    session_sets: int = column(
        "different sets of sessions that they use", "verschiedene Mengen von Sitzungen, die sie verwenden"
    )
    answered: int = column("combinations that have an estimate", "Kombinationen, die eine Schätzung haben")
    least_estimate: float = column(
        "least estimate over all combinations", "kleinste Schätzung über alle Kombinationen", shown="precise"
    )
    greatest_estimate: float = column(
        "greatest estimate over all combinations", "größte Schätzung über alle Kombinationen", shown="precise"
    )
    plan_rules: str = column(
        "the rules by which the study itself excludes, or none; no cell has exactly these where the study applies "
        "only one of R8 and R9",
        "die Regeln, nach denen die Studie selbst ausschließt, oder none; keine Zelle hat genau diese, wo die "
        "Studie nur R8 oder nur R9 anwendet",
    )
    plan_estimate: float | None = column(
        "estimate with the rules by which the study itself excludes; empty where there is none",
        "Schätzung mit den Regeln, nach denen die Studie selbst ausschließt; leer, wo es keine gibt",
        shown="precise",
    )
    plan_verdict: str | None = column("verdict with these rules", "Urteil mit diesen Regeln", words=VERDICTS)
    same_verdict: int | None = column(
        "combinations with the verdict plan_verdict; empty where there is none",
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
