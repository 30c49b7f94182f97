"""Tables in depth of what people answered."""

from dataclasses import dataclass

from eyelevel_core.tables import Table, column
from eyelevel_stats.rows import shared
from eyelevel_stats.rows.words import SCOPES

# if all seven scores were used alike, each end would have 14 % of the votes. A MOS within half a point of an end of a
# scale of whole points has at least half of the votes there, so this share finds all such means as well
END_SHARE = 0.25
LIKE_THESE = "sites like these"
VERY_SITES = "these very sites"


@dataclass(frozen=True)
class ScoreRow:
    """How often one score was given in one condition."""

    site: str | None = column(*shared.SITE_OR_ALL)
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    context: str | None = column(*shared.CONTEXT_OR_ALL)
    score: int = column(
        "score on the scale; every score of the scale has a row, even without votes",
        "Wert auf der Skala; jeder Wert der Skala hat eine Zeile, auch ohne Bewertungen",
    )
    count: int = column(
        "number of votes with this score", "Bewertungen mit diesem Wert", head="votes", head_de="Bewertungen"
    )
    votes: int = column(
        "number of votes for the condition",
        "Bewertungen, die die Bedingung hat",
        head="votes of all scores",
        head_de="Bewertungen insgesamt",
    )
    share: float = column("count / votes", "count / votes", shown="share")


@dataclass(frozen=True)
class ShareRow:
    """Shares of one condition."""

    site: str | None = column(*shared.SITE_OR_ALL)
    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    context: str | None = column(*shared.CONTEXT_OR_ALL)
    n: int = column("number of participants who gave the votes", "Personen, die diese Bewertungen abgegeben haben")
    votes: int = column(*shared.VOTES)
    mos: float = column(*shared.MOS, head="MOS")
    median: float = column("median of the votes", "Median der Bewertungen")
    good_or_better: float | None = column(
        "share of votes that are good or better (%GoB / 100): 5 to 7 on the seven-point scale, 4 and 5 on "
        "five-point scales; empty for other scales",
        "Anteil der Bewertungen, die gut oder besser sind (%GoB / 100): 5 bis 7 von sieben Punkten, 4 und 5 von "
        "fünf Punkten; leer bei anderen Skalen",
        shown="share",
    )
    good_ci_low: float | None = shared.interval(
        *shared.WILSON, until="good_ci_high", of="good_or_better", shown="share"
    )
    good_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")
    poor_or_worse: float | None = column(
        "share of votes that are poor or worse (%PoW / 100): 1 to 3 on the seven-point scale, 1 and 2 on "
        "five-point scales; empty for other scales",
        "Anteil der Bewertungen, die dürftig oder schlechter sind (%PoW / 100): 1 bis 3 von sieben Punkten, 1 und 2 "
        "von fünf Punkten; leer bei anderen Skalen",
        shown="share",
    )
    poor_ci_low: float | None = shared.interval(*shared.WILSON, until="poor_ci_high", of="poor_or_worse", shown="share")
    poor_ci_high: float | None = column(*shared.SAME_INTERVAL, shown="share")
    lowest: float = column(
        "share of votes with the lowest score of the scale",
        "Anteil der Bewertungen mit dem niedrigsten Wert der Skala",
        shown="share",
    )
    highest: float = column(
        "share of votes with the highest score of the scale",
        "Anteil der Bewertungen mit dem höchsten Wert der Skala",
        shown="share",
    )
    end_effect: str = column(
        "ceiling or floor if more than 25 % of the votes have the highest or the lowest score, both if both do, "
        "else none; at such an end, the scale may not distinguish better or worse clips",
        "ceiling, floor oder both: mehr als 25 % der Bewertungen haben den höchsten Wert, den niedrigsten oder "
        "jeden von beiden, sodass die Skala bessere oder schlechtere Clips womöglich nicht unterscheidet; sonst "
        "none",
    )


@dataclass(frozen=True)
class ResampledRow:
    """The mean score of one network and stack with a bootstrap interval, or the reason for none."""

    network: str = column(*shared.STIMULUS_NETWORK)
    stack: str = column(*shared.STACK)
    participants: int = column(
        "number of participants who rated the condition", "Personen, die die Bedingung bewertet haben"
    )
    sites: int = column("number of sites rated", "Websites, die bewertet wurden")
    votes: int = column(
        "number of votes used in this row; several votes of one participant on one clip count as one",
        "Bewertungen, die in der Zeile zählen; mehrere Bewertungen einer Person für einen Clip sind eine",
    )
    mean: float = column(
        "mean of these votes, in points of the scale", "Mittel dieser Bewertungen, in Punkten der Skala"
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval for people and sites like these (percentiles of 2,000 bootstrap draws, "
        "widened for the smaller of the numbers of participants and sites)",
        "untere Grenze des 95-%-Intervalls für Personen und Websites wie diese (Perzentile von 2.000 Ziehungen, "
        "aufgeweitet nach der kleineren Zahl von Personen und Websites)",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    method: str = column(
        "method of the interval; no bootstrap is exact for crossed participants and sites, and this one is "
        "conservative (rather too wide)",
        "wie das Intervall gebildet wurde; kein Bootstrap ist bei gekreuzten Personen und Websites exakt, und "
        "dieser ergibt eher zu weite Intervalle (konservativ)",
    )
    why: str | None = column(
        "reason why there is no interval: fewer than 8 sites, or fewer than 2 participants",
        "warum es kein Intervall gibt: weniger als 8 Websites oder weniger als 2 Personen",
    )


@dataclass(frozen=True)
class ContextMosRow:
    """MOS of one context."""

    context: str = column(
        *shared.CONTEXT,
    )
    n: int = column("number of participants", "Personen")
    votes: int = column(*shared.VOTES)
    mos: float = column(
        "mean opinion score; several votes of one participant are averaged first. Contexts can have different "
        "clips; to compare contexts, use the table of context differences",
        "mittlere Bewertung (MOS); mehrere Bewertungen einer Person werden vorher gemittelt. Situationen können "
        "andere Clips haben: ihr Vergleich steht bei den Unterschieden zwischen Situationen",
        head="MOS",
    )
    ci_low: float | None = shared.interval(*shared.STUDENT, until="ci_high")
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    sd: float | None = column(*shared.SD, head="SD")


@dataclass(frozen=True)
class ContextDifferenceRow:
    """Two contexts on the conditions that both have."""

    first: str = column(
        "first of the two contexts in alphabetical order",
        "von beiden Situationen die, deren Name in der Sortierung zuerst kommt",
        head="first context",
        head_de="erste Situation",
    )
    second: str = column(
        "second of the two contexts in alphabetical order",
        "die andere Situation",
        head="second context",
        head_de="zweite Situation",
    )
    conditions: int = column(
        "number of combinations of site, network and stack rated in both contexts; the row uses only these",
        "Websites, Netze und Stacks, die in beiden Situationen bewertet wurden; die Zeile zählt nur diese",
    )
    first_n: int = column(
        "number of participants with votes in the first context", "Personen mit Bewertungen in der ersten Situation"
    )
    second_n: int = column(
        "number of participants with votes in the second context", "Personen mit Bewertungen in der zweiten Situation"
    )
    difference: float | None = column(
        "mean over these conditions of (MOS in second - MOS in first), in points, with equal weights; empty if "
        "there is no such condition",
        "Mittel über diese Bedingungen von (MOS in second - MOS in first), in Punkten, jede mit gleichem Gewicht; "
        "leer ohne eine solche Bedingung",
        shown="precise",
    )
    ci_low: float | None = shared.interval(*shared.CLUSTERED, until="ci_high")
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    p_value: float | None = column(
        "two-sided p-value; null hypothesis: no difference",
        "zweiseitiger p-Wert für die Nullhypothese „kein Unterschied“",
        head="p",
        shown="p",
    )


@dataclass(frozen=True)
class GroupMosRow:
    """MOS of one group, of all its votes or on one network and stack."""

    group: str = column(
        "key of the group: participants who came through the same link",
        "Schlüssel der Gruppe: Personen, die über einen Link kamen",
        shown="group",
    )
    network: str | None = column(
        "network of the stimuli; empty if the row covers all networks", "Netz der Stimuli; leer: alle zusammen"
    )
    stack: str | None = column(
        "stack of the clips; empty if the row covers all stacks", "Stack der Clips; leer: alle zusammen"
    )
    n: int = column("number of participants", "Personen")
    votes: int = column(*shared.VOTES)
    mos: float = column(*shared.MOS, head="MOS")
    ci_low: float | None = shared.interval(*shared.STUDENT, until="ci_high")
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    sd: float | None = column(*shared.SD, head="SD")


@dataclass(frozen=True)
class GroupOffsetRow:
    """Two groups on the clips that both rated; estimates are None without such clips."""

    first_group: str = column(*shared.FIRST_GROUP, shown="group")
    second_group: str = column(*shared.OTHER_GROUP, shown="group")
    clips: int = column(
        "number of combinations of clip and context rated by both groups; the row uses only these",
        "Clips und Situationen, die beide Gruppen bewertet haben; die Zeile zählt nur diese",
    )
    first_n: int = column("number of participants of first_group", "Personen von first_group")
    second_n: int = column("number of participants of second_group", "Personen von second_group")
    offset: float | None = column(
        "mean over these clips of (MOS of second_group - MOS of first_group), in points, with equal weights",
        "Mittel über diese Clips von (MOS von second_group - MOS von first_group), in Punkten, jeder mit gleichem "
        "Gewicht",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval (Student's t, clustered by participant, for these clips only)",
        "untere Grenze des 95-%-Intervalls (Student-t, nach Personen geclustert, für genau diese Clips)",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    p_value: float | None = column(
        "two-sided p-value; null hypothesis: no offset",
        "zweiseitiger p-Wert für die Nullhypothese „kein Abstand“",
        head="p",
        shown="p",
    )
    pearson: float | None = column(
        "Pearson's correlation between the MOS of the two groups over these clips; empty for fewer than 3 clips",
        "Korrelation nach Pearson zwischen den MOS beider Gruppen über diese Clips; leer bei weniger als 3",
        head="Pearson",
    )
    pearson_ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of pearson (Fisher's z); empty for fewer than 4 clips",
        "untere Grenze ihres 95-%-Intervalls nach Fishers z; leer bei weniger als 4 Clips",
        until="pearson_ci_high",
        of="pearson",
    )
    pearson_ci_high: float | None = column(*shared.SAME_INTERVAL)
    spearman: float | None = column(
        *shared.SAME_POINTS_SPEARMAN,
        head="Spearman",
    )


@dataclass(frozen=True)
class GroupEffectRow:
    """The effect of the stack in two groups, and its difference."""

    first_group: str = column(*shared.FIRST_GROUP, shown="group")
    second_group: str = column(*shared.OTHER_GROUP, shown="group")
    network: str = column(
        "network of the clips; pooled: all networks together, with equal weights for each combination of site and "
        "network",
        "Netz der Clips; pooled: alle zusammen, jede Website in jedem Netz mit gleichem Gewicht",
    )
    first: str = column("first stack of the pair", "erster Stack des Paars", head="first stack", head_de="erster Stack")
    second: str = column(
        "second stack of the pair", "zweiter Stack des Paars", head="second stack", head_de="zweiter Stack"
    )
    places: int = column(
        "number of combinations of site and network in which both groups rated both stacks; the row uses only these",
        "Paare aus Website und Netz, in denen beide Gruppen beide Stacks bewertet haben; die Zeile zählt nur diese",
    )
    first_n: int = column(
        "number of participants of first_group with votes in these combinations",
        "Personen von first_group mit Bewertungen dort",
    )
    second_n: int = column(
        "number of participants of second_group with votes in these combinations",
        "Personen von second_group mit Bewertungen dort",
    )
    first_effect: float = column(
        "MOS of second minus MOS of first in first_group, in points, adjusted for participant, site, network and "
        "context",
        "MOS von second minus MOS von first in first_group, in Punkten, bei gegebener Person, Website, Situation "
        "und gegebenem Netz",
        shown="precise",
    )
    second_effect: float = column(
        "MOS of second minus MOS of first in second_group, in points, adjusted for participant, site, network and "
        "context",
        "dasselbe in second_group",
        shown="precise",
    )
    difference: float = column(
        "second_effect - first_effect: the interaction of group and stack",
        "second_effect - first_effect: die Wechselwirkung von Gruppe und Stack",
        shown="precise",
    )
    ci_low: float | None = shared.interval(*shared.CLUSTERED, until="ci_high")
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    p_value: float | None = column(
        "two-sided p-value; null hypothesis: no interaction",
        "zweiseitiger p-Wert für die Nullhypothese „keine Wechselwirkung“",
        head="p",
        shown="p",
    )


@dataclass(frozen=True)
class OrdinalEffect:
    """Effect of the second stack; positive where it is rated higher. Standard deviations are on the latent scale.

    Estimates are None where the model could not be fitted or did not converge, and standard deviations where it has no
    such term; `why` says so. With fewer than 5 sites, sites are fixed, and the claim is about these very sites.
    """

    effect: float | None = column(
        "effect of the second stack on the latent logistic scale (log odds ratio of a higher score), from a "
        "cumulative logit mixed model (Laplace approximation); mean over networks with equal weights",
        "Effekt des zweiten Stacks auf der latenten logistischen Skala (logarithmiertes Chancenverhältnis einer "
        "höheren Bewertung); Mittel über die Netze mit gleichen Gewichten, nach einem kumulativen gemischten "
        "Logit-Modell (Laplace-Näherung)",
        shown="precise",
    )
    se: float | None = column(
        "standard error of effect, from the observed information of all parameters",
        "Standardfehler von effect, aus der beobachteten Fisher-Information aller Parameter",
        shown="precise",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % Wald interval of effect (Student's t); degrees of freedom: the smaller of the "
        "numbers of participants and sites, minus 1, or the number of participants minus 1 if sites are fixed",
        "untere Grenze des 95-%-Wald-Intervalls von effect, nach Student-t; Freiheitsgrade: die kleinere der beiden "
        "Anzahlen von Personen und Websites, minus 1, oder bei festen Websites die Anzahl der Personen minus 1",
        until="ci_high",
        shown="precise",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL, shown="precise")
    odds_ratio: float | None = column(
        "exp(effect): odds of a score above any threshold with the second stack, divided by the odds with the first",
        "exp(effect): Chance (Odds) einer Bewertung oberhalb einer beliebigen Stufe der Skala beim zweiten Stack, "
        "geteilt durch die beim ersten",
        shown="precise",
    )
    odds_ratio_low: float | None = shared.interval(
        "exp(ci_low)", "exp(ci_low)", until="odds_ratio_high", of="odds_ratio", shown="precise"
    )
    odds_ratio_high: float | None = column(
        "exp(ci_high); empty if it exceeds the largest floating-point number, about 1e308",
        "exp(ci_high); leer, wo es größer ist, als eine Zahl sein kann, etwa 1e308",
        shown="precise",
    )
    p_value: float | None = column(
        "two-sided p-value of the Wald test of effect against 0, with the degrees of freedom of the interval",
        "zweiseitiger p-Wert des Wald-Tests von effect gegen 0, mit denselben Freiheitsgraden",
        head="p",
        shown="p",
    )
    participant_sd: float | None = column(
        "standard deviation between participants, on the latent scale",
        "Standardabweichung zwischen Personen, latente Skala",
        shown="precise",
    )
    participant_arm_sd: float | None = column(
        "standard deviation of the effect between participants, on the latent scale",
        "Standardabweichung des Effekts zwischen Personen, latente Skala",
        shown="precise",
    )
    site_sd: float | None = column(
        "standard deviation between sites, on the latent scale; empty if sites are fixed",
        "Standardabweichung zwischen Websites, latente Skala; leer, wo Websites feste Effekte sind",
        shown="precise",
    )
    site_arm_sd: float | None = column(
        "standard deviation of the effect between sites, on the latent scale; empty if sites are fixed",
        "Standardabweichung des Effekts zwischen Websites, latente Skala; leer, wo Websites feste Effekte sind",
        shown="precise",
    )
    clip_sd: float | None = column(
        "standard deviation between clips of the same site and stack, on the latent scale; empty if there is one "
        "clip for each",
        "Standardabweichung zwischen Clips einer Website und eines Stacks, latente Skala; leer, wo es je einen Clip "
        "gibt",
        shown="precise",
    )
    log_likelihood: float | None = column(
        "log likelihood at the estimates (Laplace approximation)",
        "logarithmierte Likelihood bei den Schätzungen, nach der Laplace-Näherung",
        shown="precise",
    )
    scope: str = column(
        "sites like these: sites are random effects (5 sites or more); these very sites: sites are fixed effects",
        "sites like these: Websites sind zufällige Effekte (5 Websites oder mehr); these very sites: Websites sind "
        "feste Effekte",
        words=SCOPES,
    )
    votes: int = column(
        "number of votes on sites that have both stacks on the same network",
        "Bewertungen von Websites, die beide Stacks im selben Netz haben",
    )
    participants: int = column(
        "number of participants who gave these votes", "Personen, die diese Bewertungen abgegeben haben"
    )
    sites: int = column("number of sites of these votes", "Websites dieser Bewertungen")
    clips: int = column("number of clips of these votes", "Clips dieser Bewertungen")
    converged: bool = column(
        "whether the fit found the maximum of the likelihood", "ob das Maximum der Likelihood gefunden wurde"
    )
    why: str = column(
        "reason why the estimate, the convergence or a term is missing; names variances estimated as 0",
        "warum eine Schätzung, die Konvergenz oder ein Term fehlt; welche Varianzen 0 sind",
    )


@dataclass(frozen=True)
class OrdinalEffectRow(OrdinalEffect):
    """The effect of a hypothesis on one network, or pooled, on the latent scale."""

    hypothesis: str = column(*shared.HYPOTHESIS)
    network: str = column(*shared.CLAIM_NETWORK)
    first: str = column(*shared.FIRST_OF_PAIR, head="first stack", head_de="erster Stack")
    second: str = column(
        "second stack of the pair; a positive effect means that it is rated higher than the first",
        "zweiter Stack des Paars; ein positiver Effekt bedeutet, dass er höher bewertet wird",
        head="second stack",
        head_de="zweiter Stack",
    )


TABLES = (
    Table("scores", "Votes by score", "Bewertungen nach Wert", ScoreRow, "mos"),
    Table(
        "good-or-better", "Good or better, poor or worse", "Gut oder besser, dürftig oder schlechter", ShareRow, "mos"
    ),
    Table(
        "mos-bootstrap",
        "MOS with two-way bootstrap intervals",
        "MOS mit Intervallen aus einem Bootstrap über Personen und Websites",
        ResampledRow,
        "mos",
    ),
    Table("contexts", "MOS by context", "MOS nach Situation", ContextMosRow, "mos"),
    Table(
        "context-differences",
        "Differences between contexts",
        "Unterschiede zwischen Situationen",
        ContextDifferenceRow,
        "groups",
    ),
    Table("group-mos", "MOS by group", "MOS nach Gruppe", GroupMosRow, "groups"),
    Table("group-offsets", "Groups compared", "Vergleich der Gruppen", GroupOffsetRow, "groups"),
    Table("group-effects", "Effect of the stack by group", "Effekt des Stacks nach Gruppe", GroupEffectRow, "groups"),
    Table(
        "ordinal-effects",
        "Effects by an ordinal mixed model",
        "Effekte nach einem ordinalen gemischten Modell",
        OrdinalEffectRow,
        "mos",
    ),
)
