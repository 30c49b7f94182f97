"""Tables of the answers to a plan's hypotheses, and of the effects behind them; the looks that a plan names."""

from dataclasses import dataclass

from eyelevel_core.tables import Table, column
from eyelevel_stats.rows import shared


@dataclass(frozen=True)
class EffectRow:
    """The effect that a hypothesis is about, on one network, or pooled over networks.

    Positive: the second stack is rated higher, or chosen more often. `ci` is the interval of `level`, `inner` that of
    `inner_level`, by which equivalence is judged. `p_holm` is corrected for the networks of the same hypothesis, where
    each is a claim by itself; `holds_alone` says (yes or no) whether the verdict stays the same after that correction.
    `margin_d` is the margin over the standard deviation of single votes, `margin_si` the relative change of SI that is
    worth it; `margin_si_why` is the English sentence why it is unknown, and `margin_si_reason` the same as JSON of
    `reasons.Reason`. `detectable` is the smallest difference that a study of the planned size
    finds at its end with probability `power`, also where the effect is that of an earlier look. `leading_part` is the
    part of the estimate that comes from the votes on `leading_site`, the site with the largest part; the parts of all
    sites sum to the estimate.
    """

    hypothesis: str = column(*shared.HYPOTHESIS)
    kind: str = column(*shared.KIND)
    network: str = column(*shared.STIMULUS_NETWORK)
    first: str = column(*shared.FIRST_OF_PAIR, head="first stack", head_de="erster Stack")
    second: str = column(
        "second stack of the pair, which the hypothesis makes a claim about",
        "zweiter Stack des Paars, um den es in der Hypothese geht",
        head="second stack",
        head_de="zweiter Stack",
    )
    estimate: float = column(
        "ratings: MOS of second minus MOS of first in points, with equal weights for each combination of site and "
        "network, adjusted for participant, site, network and context; choices: share of answers for second minus "
        "share for first",
        "Bewertungen: MOS von second minus MOS von first in Punkten, jede Website in jedem Netz mit gleichem "
        "Gewicht, bei gegebener Person, Website, Netz und Situation; Vergleiche: Anteil der Antworten für second "
        "minus den für first",
    )
    level: float = column(
        "level of the interval from ci_low to ci_high: 1 - alpha, as a fraction",
        "Niveau des Intervalls von ci_low bis ci_high: 1 - alpha, ein Bruch",
        head_de="Niveau",
        shown="share",
    )
    ci_low: float | None = column(
        "lower end of the interval at level 1 - alpha (Student's t, clustered by participant, for sites like these "
        "also by site); empty if unknown",
        "untere Grenze des Intervalls zum Niveau 1 - alpha (Students t, nach Personen geclustert, bei Websites wie "
        "diesen auch nach Websites); leer, wenn unbekannt",
        until="ci_high",
        head="interval",
        head_de="Intervall",
    )
    ci_high: float | None = column(
        "upper end of the interval at level 1 - alpha (Student's t, clustered by participant, for sites like these "
        "also by site); empty if unknown",
        "obere Grenze des Intervalls zum Niveau 1 - alpha (Students t, nach Personen geclustert, bei Websites wie "
        "diesen auch nach Websites); leer, wenn unbekannt",
    )
    inner_level: float = column(
        "level of the interval from inner_low to inner_high: 1 - 2 alpha, as a fraction",
        "Niveau des Intervalls von inner_low bis inner_high: 1 - 2 alpha, ein Bruch",
        head="level for equivalence",
        head_de="Niveau für Gleichwertigkeit",
        shown="share",
    )
    inner_low: float | None = column(
        "lower end of the interval at level inner_level, which decides equivalence",
        "untere Grenze des Intervalls zum Niveau inner_level, nach dem über Gleichwertigkeit entschieden wird",
        until="inner_high",
        head="interval for equivalence",
        head_de="Intervall für Gleichwertigkeit",
    )
    inner_high: float | None = column(*shared.SAME_INTERVAL)
    p_value: float | None = column(
        *shared.P_VALUE,
        head="p",
        shown="p",
    )
    p_holm: float | None = column(
        "p_value with Holm's correction over the networks of the same hypothesis",
        "p_value, nach Holm für die Netze derselben Hypothese korrigiert",
        head="p (Holm)",
        shown="p",
    )
    p_equivalence: float | None = column(
        "p-value of two one-sided tests; null hypothesis: a difference as large as the margin or larger; empty if "
        "there is no margin",
        "p-Wert der zwei einseitigen Tests gegen einen Unterschied in Höhe der Schwelle; leer ohne Schwelle",
        head="p (equivalence)",
        head_de="p (Gleichwertigkeit)",
        shown="p",
    )
    margin: float | None = column(
        "smallest difference that matters, from the plan; empty if the plan has none",
        "kleinster Unterschied von Bedeutung laut Plan; leer, wo er keinen nennt",
        head_de="Schwelle",
    )
    margin_d: float | None = column(
        "margin / standard deviation of single votes around the fitted values (participants, sites, contexts, "
        "stack); choices count as 1, 0 and -1",
        "margin / Standardabweichung einzelner Bewertungen um die angepassten Werte (Personen, Websites, "
        "Situationen, Stack); Vergleiche zählen 1, 0 und -1",
        head="margin in SD of votes",
        head_de="Schwelle in SD der Bewertungen",
    )
    margin_si: float | None = column(
        "relative change in SI that corresponds to the margin, as a fraction (0.12: an SI that is 12 % larger); "
        "ratings: from the mapping wql of the clips' MOS; choices: from the slope of answers on the ratio of the "
        "two SI values",
        "relative Änderung des SI, die der Schwelle entspricht, ein Bruch (0,12: ein um 12 % größerer SI); "
        "Bewertungen: nach der Abbildung wql der MOS der Clips; Vergleiche: nach der Steigung der Antworten über "
        "dem Verhältnis beider SI",
        head="margin as a change of SI",
        head_de="Schwelle als Änderung des SI",
        shown="share",
    )
    margin_si_why: str | None = column(
        "reason why margin_si is empty; empty if margin_si has a value",
        "warum margin_si leer ist; leer, wenn margin_si einen Wert hat",
        head="why no change of SI",
        head_de="warum keine Änderung des SI",
    )
    margin_si_reason: str | None = column(
        "reason in margin_si_why as JSON: a code, and the values used in the sentence",
        "dasselbe als JSON: ein Code und die Werte, die der Satz in margin_si_why nennt",
        shown="hidden",
    )
    least_margin: float | None = column(
        "smallest margin at which the votes would show equivalence; unit as in estimate",
        "kleinste Schwelle, bei der die Bewertungen Gleichwertigkeit zeigen würden; Einheit wie bei estimate",
        head="smallest margin for equivalence",
        head_de="kleinste Schwelle für Gleichwertigkeit",
    )
    power: float | None = column(
        "power of the plan, used for detectable; as a fraction",
        "Teststärke des Plans, zu der detectable gehört; ein Bruch",
        head_de="Teststärke",
        shown="share",
    )
    detectable: float | None = column(
        "smallest true difference that the planned number of participants finds with this power, assuming the "
        "variance of these votes and the same sites; unit as in estimate; empty if unknown",
        "kleinster wahrer Unterschied, den die geplante Zahl von Personen mit dieser Teststärke findet, wenn "
        "Bewertungen wie hier streuen und die Websites gleich bleiben; Einheit wie bei estimate; leer, wenn "
        "unbekannt",
        head_de="nachweisbar",
    )
    verdict: str = column(
        "verdict on the difference: different; different, but smaller than the margin; equivalent; or undecided",
        "different (verschieden); different, but smaller than the margin (verschieden, aber unter der Schwelle); "
        "equivalent (gleichwertig); oder undecided (offen)",
    )
    claim: str = column(
        "answer to the hypothesis on this network alone: supported, contradicted or undecided; contradicted uses "
        "Holm's correction over the networks of the same hypothesis",
        "supported (gestützt), contradicted (widerlegt) oder undecided (offen): die Antwort auf die Hypothese für "
        "dieses Netz allein; contradicted ist nach Holm für die Netze derselben Hypothese korrigiert",
        head="says of the hypothesis",
        head_de="sagt über die Hypothese",
    )
    holds_alone: str = column(
        "yes or no: whether the verdict is the same for this network alone, with Holm's correction of p_value and "
        "p_equivalence over the networks of the same hypothesis",
        "yes oder no: ob das Urteil für dieses Netz allein gleich bleibt, wenn p_value und p_equivalence nach Holm "
        "für die Netze derselben Hypothese korrigiert sind",
        head_de="gilt auch allein",
    )
    scope: str = column(
        *shared.SCOPE,
        head="holds for",
        head_de="gilt für",
    )
    votes: int = column(*shared.VOTES)
    participants: int = column(*shared.ANSWERED)
    sites: int = column("number of sites used in this row", "Websites, die in der Zeile zählen")
    sentence: str = column(*shared.SENTENCE, head="in words", head_de="in Worten")
    leading_site: str | None = column(
        "site that contributes the largest part of the estimate; empty if there is only one site",
        "Website, von der der größte Teil von estimate kommt; leer bei einer einzigen Website",
        head="largest part from",
        head_de="größter Teil von",
        default=None,
    )
    leading_part: float | None = column(
        "part of the estimate contributed by the votes on leading_site; the parts of all sites sum to estimate",
        "Teil von estimate, der von den Bewertungen zu leading_site kommt; die Teile aller Websites ergeben "
        "zusammen estimate",
        head="largest part",
        head_de="größter Teil",
        default=None,
    )


@dataclass(frozen=True)
class HypothesisRow:
    """The answer to one hypothesis of the plan, or that there is none; `sentence` says it in words.

    `unknown` are the networks that it is about and on which no votes distinguish the stacks; with one, no hypothesis
    about each network is supported.

    `reason` is why an answer about metrics is undecided without a comparison, as JSON of `reasons.Reason`.

    Where it is about several networks, the sentence names the verdict of each; their effects have their own sentences.
    """

    hypothesis: str = column(*shared.HYPOTHESIS)
    says: str = column(
        "statement of the hypothesis in the plan",
        "die Hypothese, wie sie im Plan steht",
        head="statement",
        head_de="Aussage",
    )
    outcome: str = column(
        "supported, contradicted or undecided; without an answer: pending, failed (computation failed), or "
        "unanswerable (the hypothesis has no kind)",
        "supported (gestützt), contradicted (widerlegt) oder undecided (offen); ohne Antwort pending (steht aus), "
        "failed (Berechnung gescheitert) oder unanswerable (die Hypothese hat keine Art)",
        head="answer",
        head_de="Antwort",
    )
    sentence: str = column(*shared.SENTENCE, head="in words", head_de="in Worten")
    unknown: str = column(
        "networks of the hypothesis on which no votes distinguish the stacks; if there is one, the hypothesis is "
        "not supported",
        "Netze, um die es in der Hypothese geht und in denen keine Bewertung die Stacks unterscheidet; mit einem "
        "solchen gilt sie nicht als gestützt",
        head="networks without votes",
        head_de="Netze ohne Bewertungen",
    )
    reason: str | None = column(
        "for metrics: reason why they are not compared, as JSON: a code, and the values used in the sentence; "
        "otherwise empty",
        "bei Metriken: warum sie nicht verglichen werden, als JSON: ein Code und die Werte, die der Satz nennt; "
        "sonst leer",
        shown="hidden",
        default=None,
    )


@dataclass(frozen=True)
class Look:
    """`level` is the two-sided nominal alpha at which this look judges, `boundary` the same in standard deviations.

    `sessions` counts the used sessions that are looked at; `spent` is the part of the plan's alpha spent up to here.
    """

    number: int
    sessions: int
    is_final: bool
    spent: float
    boundary: float
    level: float


@dataclass(frozen=True)
class LookRow(Look):
    """A look with the answers of the sessions that it is over; the answers at the end are those of the results."""

    hypotheses: tuple[HypothesisRow, ...] = ()
    effects: tuple[EffectRow, ...] = ()


TABLES = (
    Table("hypotheses", "Answers to the hypotheses", "Antworten auf die Hypothesen", HypothesisRow),
    Table("effects", "Effects behind the hypotheses", "Effekte hinter den Hypothesen", EffectRow),
)
