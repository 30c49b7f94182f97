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
        "second stack of the pair, which the hypothesis is about",
        "zweiter Stack des Paars, um den es in der Hypothese geht",
        head="second stack",
        head_de="zweiter Stack",
    )
    estimate: float = column(
        "ratings: MOS of second minus MOS of first in points, each site on each network with the same weight, given "
        "participant, site, network and context; choices: the share of answers for second minus that for first",
        "Bewertungen: MOS von second minus MOS von first in Punkten, jede Website in jedem Netz mit gleichem "
        "Gewicht, bei gegebener Person, Website, Netz und Situation; Vergleiche: Anteil der Antworten für second "
        "minus den für first",
    )
    level: float = column(
        "level of the interval from ci_low to ci_high: 1 - alpha, a fraction",
        "Niveau des Intervalls von ci_low bis ci_high: 1 - alpha, ein Bruch",
        head_de="Niveau",
        shown="share",
    )
    ci_low: float | None = column(
        "lower end of the interval of level 1 - alpha (Student's t, clustered by participant, and by site for sites "
        "like these); empty where unknown",
        "untere Grenze des Intervalls zum Niveau 1 - alpha (Students t, nach Personen geclustert, bei Websites wie "
        "diesen auch nach Websites); leer, wenn unbekannt",
        until="ci_high",
        head="interval",
        head_de="Intervall",
    )
    ci_high: float | None = column(
        "upper end of the interval of level 1 - alpha (Student's t, clustered by participant, and by site for sites "
        "like these); empty where unknown",
        "obere Grenze des Intervalls zum Niveau 1 - alpha (Students t, nach Personen geclustert, bei Websites wie "
        "diesen auch nach Websites); leer, wenn unbekannt",
    )
    inner_level: float = column(
        "level of the interval from inner_low to inner_high: 1 - 2 alpha, a fraction",
        "Niveau des Intervalls von inner_low bis inner_high: 1 - 2 alpha, ein Bruch",
        head="level for equivalence",
        head_de="Niveau für Gleichwertigkeit",
        shown="share",
    )
    inner_low: float | None = column(
        "lower end of the interval of level inner_level, by which equivalence is judged",
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
        "p_value corrected by Holm for the networks of the same hypothesis",
        "p_value, nach Holm für die Netze derselben Hypothese korrigiert",
        head="p (Holm)",
        shown="p",
    )
    p_equivalence: float | None = column(
        "p of the two one-sided tests against a difference as large as the margin; empty without a margin",
        "p-Wert der zwei einseitigen Tests gegen einen Unterschied in Höhe der Schwelle; leer ohne Schwelle",
        head="p (equivalence)",
        head_de="p (Gleichwertigkeit)",
        shown="p",
    )
    margin: float | None = column(
        "the smallest difference that matters, by the plan; empty where it states none",
        "kleinster Unterschied von Bedeutung laut Plan; leer, wo er keinen nennt",
        head_de="Schwelle",
    )
    margin_d: float | None = column(
        "margin / standard deviation of single votes about the fitted values (participants, sites, contexts, "
        "stack); choices count 1, 0 and -1",
        "margin / Standardabweichung einzelner Bewertungen um die angepassten Werte (Personen, Websites, "
        "Situationen, Stack); Vergleiche zählen 1, 0 und -1",
        head="margin in SD of votes",
        head_de="Schwelle in SD der Bewertungen",
    )
    margin_si: float | None = column(
        "the relative change of SI that corresponds to the margin, a fraction (0.12: an SI that is 12 % larger); "
        "ratings: by the mapping wql of the clips' MOS; choices: by the slope of answers on the ratio of both SI",
        "relative Änderung des SI, die der Schwelle entspricht, ein Bruch (0,12: ein um 12 % größerer SI); "
        "Bewertungen: nach der Abbildung wql der MOS der Clips; Vergleiche: nach der Steigung der Antworten über "
        "dem Verhältnis beider SI",
        head="margin as a change of SI",
        head_de="Schwelle als Änderung des SI",
        shown="share",
    )
    margin_si_why: str | None = column(
        "why margin_si is empty; empty if margin_si has a value",
        "warum margin_si leer ist; leer, wenn margin_si einen Wert hat",
        head="why no change of SI",
        head_de="warum keine Änderung des SI",
    )
    margin_si_reason: str | None = column(
        "the same as JSON: a code, and the values that the sentence in margin_si_why names",
        "dasselbe als JSON: ein Code und die Werte, die der Satz in margin_si_why nennt",
        shown="hidden",
    )
    least_margin: float | None = column(
        "the smallest margin for which the votes would show equivalence; unit as in estimate",
        "kleinste Schwelle, bei der die Bewertungen Gleichwertigkeit zeigen würden; Einheit wie bei estimate",
        head="smallest margin for equivalence",
        head_de="kleinste Schwelle für Gleichwertigkeit",
    )
    power: float | None = column(
        "the power of the plan, to which detectable belongs; a fraction",
        "Teststärke des Plans, zu der detectable gehört; ein Bruch",
        head_de="Teststärke",
        shown="share",
    )
    detectable: float | None = column(
        "the smallest true difference that the planned number of participants finds with that power, if votes vary "
        "as these do and sites stay the same; unit as in estimate; empty where unknown",
        "kleinster wahrer Unterschied, den die geplante Zahl von Personen mit dieser Teststärke findet, wenn "
        "Bewertungen wie hier streuen und die Websites gleich bleiben; Einheit wie bei estimate; leer, wenn "
        "unbekannt",
        head_de="nachweisbar",
    )
    verdict: str = column(
        "different; different, but smaller than the margin; equivalent; or undecided",
        "different (verschieden); different, but smaller than the margin (verschieden, aber unter der Schwelle); "
        "equivalent (gleichwertig); oder undecided (offen)",
    )
    claim: str = column(
        "supported, contradicted or undecided: the answer to the hypothesis on this network alone; contradicted is "
        "corrected by Holm for the networks of the same hypothesis",
        "supported (gestützt), contradicted (widerlegt) oder undecided (offen): die Antwort auf die Hypothese für "
        "dieses Netz allein; contradicted ist nach Holm für die Netze derselben Hypothese korrigiert",
        head="says of the hypothesis",
        head_de="sagt über die Hypothese",
    )
    holds_alone: str = column(
        "yes or no: whether the verdict stays the same for this network alone: where p_value and p_equivalence are "
        "corrected by Holm for the networks of the same hypothesis",
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
    sites: int = column("sites that the row counts", "Websites, die in der Zeile zählen")
    sentence: str = column(*shared.SENTENCE, head="in words", head_de="in Worten")
    leading_site: str | None = column(
        "site from which the largest part of the estimate comes; empty with a single site",
        "Website, von der der größte Teil von estimate kommt; leer bei einer einzigen Website",
        head="largest part from",
        head_de="größter Teil von",
        default=None,
    )
    leading_part: float | None = column(
        "the part of the estimate that comes from the votes on leading_site; the parts of all sites sum to estimate",
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
        "the hypothesis as the plan states it",
        "die Hypothese, wie sie im Plan steht",
        head="statement",
        head_de="Aussage",
    )
    outcome: str = column(
        "supported, contradicted or undecided; without an answer pending, failed (its computation), or unanswerable "
        "(the hypothesis has no kind)",
        "supported (gestützt), contradicted (widerlegt) oder undecided (offen); ohne Antwort pending (steht aus), "
        "failed (Berechnung gescheitert) oder unanswerable (die Hypothese hat keine Art)",
        head="answer",
        head_de="Antwort",
    )
    sentence: str = column(*shared.SENTENCE, head="in words", head_de="in Worten")
    unknown: str = column(
        "networks that the hypothesis is about and on which no votes distinguish the stacks; with one it is not "
        "supported",
        "Netze, um die es in der Hypothese geht und in denen keine Bewertung die Stacks unterscheidet; mit einem "
        "solchen gilt sie nicht als gestützt",
        head="networks without votes",
        head_de="Netze ohne Bewertungen",
    )
    reason: str | None = column(
        "metrics: why they are not compared, as JSON: a code, and the values that the sentence names; else empty",
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
