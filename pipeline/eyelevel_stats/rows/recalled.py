"""Tables in depth of the statistics of the 2019 study, as recalled."""

from dataclasses import dataclass

from eyelevel_core.tables import Table, column
from eyelevel_stats.rows import shared


@dataclass(frozen=True)
class VoteCorrelationRow:
    """Scores against one metric on one network, vote by vote."""

    network: str = column(*shared.NETWORK)
    metric: str = column(
        "metric of the clip that the vote is about", "Metrik genau des Clips, von dem eine Bewertung handelt"
    )
    votes: int = column(
        "number of votes whose clip has the metric; in the analysis of variance, number of votes about these stacks",
        "Bewertungen, deren Clip die Metrik hat; in der Varianzanalyse Bewertungen dieser Stacks",
    )
    pearson: float | None = column(
        "Pearson's correlation of score and metric over single votes; empty if undefined",
        "Korrelation nach Pearson von Bewertung und Metrik über einzelne Bewertungen; leer, wo sie nicht definiert ist",
        head="Pearson",
    )
    ci_low: float | None = shared.interval(
        "lower end of the 95 % interval of pearson (Fisher's z, assuming independent votes)",
        "untere Grenze ihres 95-%-Intervalls nach Fishers z, das Bewertungen als unabhängig annimmt",
        until="ci_high",
    )
    ci_high: float | None = column(*shared.SAME_INTERVAL)
    p_value: float | None = column(
        "p-value of Pearson's correlation (null hypothesis: no correlation), or of F; too small, because it "
        "assumes independent votes",
        "p-Wert gegen „keine Korrelation“ (Pearson), oder von F; nimmt Bewertungen als unabhängig an und ist "
        "deshalb zu klein",
        head="p",
        shown="p",
    )
    spearman: float | None = column(
        "Spearman's rank correlation over single votes",
        "Rangkorrelation nach Spearman über einzelne Bewertungen",
        head="Spearman",
    )
    source: str = column(
        "recalled: the method is that of the 2019 paper as remembered, not based on its text",
        "recalled: das Verfahren ist das des Artikels von 2019 aus der Erinnerung, nicht nach seinem Text",
    )


@dataclass(frozen=True)
class ScoreAnovaRow:
    """The analysis of variance of scores by stack on one network."""

    network: str = column(*shared.NETWORK)
    stacks: str = column(
        "stacks compared, each with 2 votes or more",
        "Stacks, die verglichen werden, jeder mit 2 Bewertungen oder mehr",
    )
    votes: int = column(
        "number of votes whose clip has the metric; in the analysis of variance, number of votes about these stacks",
        "Bewertungen, deren Clip die Metrik hat; in der Varianzanalyse Bewertungen dieser Stacks",
    )
    f: float | None = column(
        "F of the one-way analysis of variance of scores by stack; empty if undefined",
        "F der einfaktoriellen Varianzanalyse der Bewertungen nach Stack; leer, wo es nicht definiert ist",
        shown="precise",
    )
    freedom_between: int = column(
        "degrees of freedom between stacks: stacks - 1", "Freiheitsgrade zwischen Stacks: stacks - 1"
    )
    freedom_within: int = column(
        "degrees of freedom within stacks: votes - stacks", "Freiheitsgrade innerhalb von Stacks: votes - stacks"
    )
    p_value: float | None = column(
        "p-value of Pearson's correlation (null hypothesis: no correlation), or of F; too small, because it "
        "assumes independent votes",
        "p-Wert gegen „keine Korrelation“ (Pearson), oder von F; nimmt Bewertungen als unabhängig an und ist "
        "deshalb zu klein",
        head="p",
        shown="p",
    )
    source: str = column(
        "recalled: the method is that of the 2019 paper as remembered, not based on its text",
        "recalled: das Verfahren ist das des Artikels von 2019 aus der Erinnerung, nicht nach seinem Text",
    )


TABLES = (
    Table(
        "recalled-correlations",
        "Correlations over single votes, as in 2019",
        "Korrelationen über einzelne Bewertungen, wie 2019",
        VoteCorrelationRow,
        "recalled",
    ),
    Table(
        "recalled-anova",
        "Analysis of variance by stack, as in 2019",
        "Varianzanalyse nach Stack, wie 2019",
        ScoreAnovaRow,
        "recalled",
    ),
)
