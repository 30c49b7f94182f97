"""Meanings that several columns have, in English and German, and the start of an interval."""

from dataclasses import MISSING
from typing import Any

from eyelevel_core.tables import Format, column
from eyelevel_core.titles import GERMAN

CLIP_NETWORK = ("network of the clip", "Netz des Clips")
RATED = ("participants who rated the clip", "Personen, die den Clip bewertet haben")
CONTEXT = (
    "key of the context that participants were asked to imagine",
    "Schlüssel der Situation, die sich die Personen vorstellen sollten",
)
SAME_POINTS_SPEARMAN = (
    "Spearman's rank correlation over the same points as pearson",
    "Rangkorrelation nach Spearman derselben Punkte",
)
FIRST_OF_PAIR = ("first stack of the pair in the hypothesis", "erster Stack im Paar der Hypothese")
KIND = ("kind of trial", "Art des Versuchs")
P_VALUE = (
    "two-sided p-value (Student's t); null hypothesis: no correlation (correlations.csv, for pearson) or no difference",
    "zweiseitiger p-Wert gegen keine Korrelation (correlations.csv: von pearson) oder keinen "
    "Unterschied, nach Students t",
)
SCOPE = (
    "population that the interval refers to: sites like these (5 sites or more) or these very sites",
    "ob das Intervall für Websites wie diese gilt (5 Websites oder mehr) oder für genau diese Websites",
)
ANSWERED = ("number of participants who gave the answers", "Personen, die diese Antworten gegeben haben")
SENTENCE = ("the row as a sentence", "die Zeile in Worten, auf Englisch")
METRIC = ("metric compared with the MOS of the clips", "die Metrik, mit der die MOS der Clips verglichen wird")
CLIPS_WITH_VOTES = ("number of clips with votes", "Clips mit Bewertungen")
SITES_OF_CLIPS = ("number of sites of these clips", "Websites dieser Clips")
SITE = ("site of the stimulus", "Website des Stimulus")
MOS_OF_SEVEN = (
    "mean opinion score from 1 (extremely bad) to 7 (ideal); several votes of one participant are averaged first",
    "mittlere Bewertung (MOS), 1 äußerst schlecht bis 7 ideal; mehrere Bewertungen einer Person werden "
    "vorher gemittelt",
)
STUDENT_LOW = (
    "lower end of the 95 % interval (Student's t over participants, truncated to the scale); empty if unknown",
    "untere Grenze des 95-%-Intervalls (Students t über Personen, an den Enden der Skala abgeschnitten); "
    "leer, wenn unbekannt",
)
STUDENT_HIGH = (
    "upper end of the 95 % interval (Student's t over participants, truncated to the scale); empty if unknown",
    "obere Grenze des 95-%-Intervalls (Students t über Personen, an den Enden der Skala abgeschnitten); "
    "leer, wenn unbekannt",
)
NO_DIFFERENCE = ('number of answers "no difference"', "Antworten, dass es keinen Unterschied gibt")
WILSON_LOW = (
    "lower end of the 95 % interval (Wilson's score interval over participants); empty if unknown",
    "untere Grenze des 95-%-Intervalls (Score-Intervall von Wilson über Personen); leer, wenn unbekannt",
)
WILSON_HIGH = (
    "upper end of the 95 % interval (Wilson's score interval over participants); empty if unknown",
    "obere Grenze des 95-%-Intervalls (Score-Intervall von Wilson über Personen); leer, wenn unbekannt",
)
SHOWN_CLIP = ("digest of the clip shown", "genau der Clip, der gezeigt wurde")
MEAN_ON_OWN_SCALE = (
    "mean value on the scale of the kind; several votes of one participant are averaged first",
    "Mittelwert auf der Skala dieser Art; mehrere Bewertungen einer Person werden vorher gemittelt",
)
SAME_INTERVAL = ("upper end of the same interval", "obere Grenze desselben Intervalls")
NETWORK = ("network of the clips", "Netz der Clips")
NETWORK_OR_ALL = (
    'network of the clips; "all": all networks together',
    "Netz der Clips; „all“: Clips aller Netze zusammen",
)
NETWORK_OR_POOLED = (
    "network of the clips; pooled: all networks together",
    "Netz der Clips; pooled: alle Netze zusammen",
)
NETWORK_OR_EVERY = ("network of the clips; all: all networks together", "Netz der Clips; all: alle Netze zusammen")
STIMULUS_NETWORK = ("network of the stimulus", "Netz des Stimulus")
CLAIM_NETWORK = ("network of the claim; pooled: all networks together", "Netz oder pooled")
STACK = ("stack of the clip", "Stack des Clips")
SITE_OR_ALL = (
    "site of the stimulus; empty if the row covers all sites",
    "Website des Stimulus; leer, wo alle Websites zusammen gezählt sind",
)
CONTEXT_OR_ALL = (
    "key of the context; empty if the row covers all contexts",
    "Schlüssel der Situation; leer, wo alle Situationen zusammen gezählt sind",
)
NO_ESTIMATE = (
    "reason why there is no estimate; empty if there is one",
    "warum es keine Schätzung gibt; leer, wo es eine gibt",
)
VOTES = ("number of votes used in this row", "Bewertungen, die in der Zeile zählen")
MOS = (
    "mean opinion score; several votes of one participant are averaged first",
    "mittlere Bewertung (MOS); mehrere Bewertungen einer Person werden vorher gemittelt",
)
WILSON = (
    "lower end of the 95 % interval (Wilson's score interval over participants)",
    "untere Grenze des 95-%-Intervalls (Score-Intervall von Wilson über Personen)",
)
STUDENT = (
    "lower end of the 95 % interval (Student's t over participants, truncated to the scale); empty if n is 1",
    "untere Grenze des 95-%-Intervalls (Student-t über Personen, an den Enden der Skala abgeschnitten); leer, wo n "
    "1 ist",
)
CLUSTERED = (
    "lower end of the 95 % interval (Student's t, clustered by participant, for these sites only)",
    "untere Grenze des 95-%-Intervalls (Student-t, nach Personen geclustert, für genau diese Websites)",
)
SD = (
    "standard deviation between participants (divisor n - 1); empty if n is 1",
    "Standardabweichung zwischen Personen (Divisor n - 1); leer, wo n 1 ist",
)
HYPOTHESIS = ("key of the hypothesis in the plan of the study", "Schlüssel der Hypothese im Plan der Studie")
SITES_IF_KNOWN = (
    "number of sites of these clips; empty if sites are unknown",
    "Websites dieser Clips; leer, wo die Websites unbekannt sind",
)
ANSWERERS = ("number of participants who gave the n answers", "Personen, die die n Antworten gegeben haben")
ICC_MEAN = (
    "ICC of the previous column, for the mean of k votes instead of one vote",
    "dieselbe für das Mittel von k Bewertungen",
)
FIRST_GROUP = (
    "first of the two groups in alphabetical order",
    "von beiden Gruppen die, deren Name in der Sortierung zuerst kommt",
)
OTHER_GROUP = ("second of the two groups in alphabetical order", "die andere Gruppe")
COMPONENT = (
    "number of the group of stacks connected by pairs, from 1 within the network; worths of different components "
    "are not comparable",
    "Nummer, im Netz ab 1, einer Komponente: Stacks, die durch Paare verbunden sind; Stärken verschiedener "
    "Komponenten lassen sich nicht vergleichen",
)
LOG_LIKELIHOOD = (
    "natural logarithm of the likelihood at its maximum",
    "natürlicher Logarithmus der Likelihood in ihrem Maximum",
)
RELIABILITY = (
    "1 - mean squared standard error of MOS / variance of MOS over clips",
    "1 - mittlerer quadrierter Standardfehler der MOS / Varianz der MOS über Clips",
)
RELIABILITY_LOW = (
    "lower end of the 95 % interval of reliability: Student's t with the standard error from a bootstrap over "
    "sites, or over clips if sites are unknown",
    "untere Grenze des 95-%-Intervalls von reliability: Student-t mit dem Standardfehler eines Bootstraps über "
    "Websites oder, wo diese unbekannt sind, über Clips",
)
CEILING_SPEARMAN = (
    "mean rank correlation between MOS and 1,000 repetitions of it, simulated from its standard error",
    "mittlere Rangkorrelation der MOS mit 1.000 Wiederholungen, die nach ihrem Standardfehler simuliert sind",
)
RELIABILITY_CENTRED = (
    "reliability of MOS centred within site and network",
    "Reliabilität der MOS, innerhalb von Website und Netz zentriert",
)
CEILING_CENTRED = (
    "square root of reliability_centred; empty if the interval of reliability_centred contains 0",
    "Wurzel von reliability_centred; leer, wo dessen Intervall 0 enthält",
)
WHY_EMPTY = (
    "reason why cells of this row are empty: fewer than 10 clips or 5 sites, unknown sites, or noise as large as "
    "the differences",
    "warum Zellen dieser Zeile leer sind: weniger als 10 Clips oder 5 Websites, unbekannte Websites, Rauschen so "
    "groß wie die Unterschiede",
)
RATERS = ("number of participants who rated these clips", "Personen mit Bewertungen dieser Clips")
ANSWERS_KNOWN = (
    "number of answers with this network, choice and sureness; in tables of means, number of answers with a known "
    "value",
    "Antworten von Netz, Wahl und Sicherheit dieser Zeile; in Tabellen von Mitteln die Antworten, deren Wert "
    "bekannt ist",
)
BOOTSTRAP_LOW = (
    "lower end of the 95 % percentile interval of theta, or of the difference, from a two-way bootstrap over "
    "participants and sites (conservative); over participants and clips if sites are unknown",
    "untere Grenze des 95-%-Perzentilintervalls von theta oder des Unterschieds, aus einem Bootstrap über Personen "
    "und Websites zugleich (konservativ); über Personen und Clips, wo Websites unbekannt sind",
)
CLIPS_OF_ALL = (
    "number of clips with votes and with known values of all compared metrics",
    "Clips mit Bewertungen, für die alle verglichenen Metriken bekannt sind",
)
COMPONENT_ANSWERS = (
    "number of answers about pairs of the component; in a row about one stack, about pairs with that stack",
    "Antworten zu Paaren der Komponente; in einer Zeile über einen Stack die zu Paaren mit ihm",
)


def interval(
    meaning: str, de: str, *, until: str, of: str = "", shown: Format | None = None, default: Any = MISSING
) -> Any:
    """Declares the lower end of a 95 % interval, which pages show in one cell with its upper end.

    `of` names the column of the estimate, if it is not the previous one.
    """
    of_what = (f" of {of.replace('_', ' ')}", f": {GERMAN.get(of, of)}") if of else ("", "")
    heads = (f"95 % interval{of_what[0]}", f"95-%-Intervall{of_what[1]}")
    return column(meaning, de, head=heads[0], head_de=heads[1], until=until, shown=shown, default=default)
