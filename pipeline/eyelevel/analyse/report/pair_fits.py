"""The section about fits of pairs: worths, distances, thresholds of metrics, and d'."""

from xml.etree.ElementTree import Element

from eyelevel.analyse.pair_fits import PairFits
from eyelevel.analyse.pair_tables import fit_tables
from eyelevel.analyse.report.parts import how_to_read, shown
from eyelevel.report.words import decimal, share

WORDS = {
    "worths": (
        "The worth orders the stimuli whichever pairs were asked: of two stimuli, the odds that the first is chosen "
        "are the ratio of their worths, once answers of no difference are set aside (Davidson’s model).",
        "Worths of different components cannot be compared, because no chain of pairs connects them.",
    ),
    "jod": (
        "At a distance of 1 JOD, 75 % of the decided answers choose A. Below 0, B is chosen more often.",
        "The intervals (95 %) take participants as independent.",
    ),
    "pair-components": (
        "Between two equal stimuli, the share of no difference is nu / (2 + nu). Above 0, the side bias favours the "
        "left side.",
    ),
    "thresholds": (
        "At the discrimination threshold, 75 % of the decided answers are for the side with the better value. At the "
        "indifference threshold, no difference is as frequent as that side; it depends on how readily people say so.",
        "Both are ratios of the metric’s values minus 1, and mean something only of metrics with a true zero, such as "
        "times.",
    ),
    "slopes": (
        "The slope is the change of the log odds of the better side per unit of the natural logarithm of the ratio.",
    ),
    "detection": (
        "At d′ of 0, people name a side as often where both sides are identical as where the stimuli differ.",
    ),
}  # fmt: skip


def fit_parts(found: PairFits) -> list[Element]:
    """Each table with what it means."""
    return [part for table in fit_tables(found) for part in (shown(table), how_to_read(*WORDS[table.name]))]


def fit_summary(found: PairFits) -> list[str]:
    """The most important results, a sentence each."""
    said = []
    known = [row for row in found.jods if row.jod is not None]
    if known:
        far = max(known, key=lambda row: abs(row.jod or 0.0))
        first, second = (far.stack_a, far.stack_b) if (far.jod or 0.0) >= 0 else (far.stack_b, far.stack_a)
        said.append(
            f"The stimuli farthest apart are {first} and {second}: {decimal(abs(far.jod or 0.0))} JOD in favour of "
            f"{first}."
        )
    said += [
        f"By {row.metric}, 75 % of the decided answers are for the better side from a difference of "
        f"{share(row.value)} on."
        for row in found.thresholds
        if row.threshold == "discrimination" and row.value is not None
    ]
    said += [
        f"Sensitivity d′ is {decimal(row.d_prime)} ({decimal(row.ci_low)} to {decimal(row.ci_high)})."
        for row in found.detection
        if row.d_prime is not None and row.ci_low is not None
    ]
    return said
