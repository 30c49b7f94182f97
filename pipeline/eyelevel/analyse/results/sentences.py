"""The main results about stimuli from any source, a sentence each."""

from collections.abc import Mapping, Sequence
from typing import Any

from eyelevel.analyse.given import Given
from eyelevel.analyse.results.closed import Closed
from eyelevel.analyse.results.leaders import leader_sentences
from eyelevel.report.words import decimal, share
from eyelevel_stats.rows.answers import END_SHARE
from eyelevel_stats.votes import comparisons_of

# the share of the left side is reported if it differs from a half by more than this
SIDE = 0.05


def in_short(given: Given, basics: Closed) -> list[str]:
    """Returns the counts of votes, then the main results."""
    return [given.lead, *(_scores(given, basics) if basics.ratings else _pairs(given, basics))]


def _scores(given: Given, basics: Closed) -> list[str]:
    rows = basics.results.mos
    low, high = min(rows, key=lambda row: row.mos), max(rows, key=lambda row: row.mos)
    sentences = [
        f"Mean opinion scores range from {decimal(low.mos)} (stimulus {low.stack}) to {decimal(high.mos)} (stimulus "
        f"{high.stack})."
    ]
    widths = sorted(
        (row.ci_high - row.ci_low) / 2 for row in rows if row.ci_low is not None and row.ci_high is not None
    )
    if half := widths[len(widths) // 2] if widths else 0.0:
        sentences.append(
            f"The 95 % interval of a stimulus is typically {decimal(half)} points wide to either side; smaller "
            "differences between two stimuli may be chance."
        )
    return [*sentences, *_ends(given, basics), *leader_sentences(basics.leaders)]


def _ends(given: Given, basics: Closed) -> list[str]:
    """A warning for each end of the scale at which many votes lie."""
    quality = basics.quality
    assert quality is not None  # noqa: S101 - there are ratings
    parts = zip(
        (quality.at_low_end, quality.at_high_end), given.scale, ("lower", "upper"), ("bad", "good"), strict=True
    )
    return [
        f"{share(part)} of the votes are {end:g}, the {name} end of the scale: differences between {kind} stimuli may "
        "not show."
        for part, end, name, kind in parts
        if part > END_SHARE
    ]


def _pairs(given: Given, basics: Closed) -> list[str]:
    first, last = basics.preferred[0], basics.preferred[-1]
    sentences = [
        f"Stimulus {first.stack} was preferred most often ({share(first.share_preferred)} of its answers, no "
        f"difference counted as half), stimulus {last.stack} least often ({share(last.share_preferred)})."
    ]
    choices = [vote.choice for vote in comparisons_of(given.columns)]
    if tied := choices.count("none"):
        sentences.append(f"{share(tied / len(choices))} of the answers are no difference.")
    decided = len(choices) - tied
    left = choices.count("left") / decided if decided else 0.5
    if given.stimuli is not None and given.stimuli.sided and abs(left - 0.5) > SIDE:
        sentences.append(
            f"{share(left)} of the decided answers are for the left side; the sides may not have been balanced."
        )
    return sentences


def fit_sentences(tables: Mapping[str, Sequence[Any]]) -> list[str]:
    """Returns the main results of the fits of pairs."""
    sentences = []
    if known := [row for row in tables.get("jod", ()) if row.jod is not None]:
        far = max(known, key=lambda row: abs(row.jod))
        first, second = (far.stack_a, far.stack_b) if far.jod >= 0 else (far.stack_b, far.stack_a)
        sentences.append(
            f"The stimuli that differ most are {first} and {second}: {decimal(abs(far.jod))} JOD in favour of {first}."
        )
    sentences += [
        f"By {row.metric}, 75 % of the decided answers are for the better side from a difference of "
        f"{share(row.value)} on."
        for row in tables.get("thresholds", ())
        if row.threshold == "discrimination" and row.value is not None
    ]
    sentences += [
        f"Sensitivity d′ is {decimal(row.d_prime)} ({decimal(row.ci_low)} to {decimal(row.ci_high)})."
        for row in tables.get("detection", ())
        if row.d_prime is not None and row.ci_low is not None
    ]
    return sentences
