"""Reasons why a value is unknown: a code with values, so that pages can show them in their language.

Tables and reports show the English sentence, without a full stop. A row that a page shows in other languages has the
code and the values beside it, as JSON.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

Code = Literal[
    "all_none",
    "beyond_ratio",
    "constant",
    "few_clips",
    "few_clips_for_mapping",
    "few_metrics",
    "few_participants",
    "few_participants_for_slope",
    "few_sites",
    "known_for_few",
    "no_clips",
    "no_margin",
    "no_pair_with_si",
    "no_rated_clips",
    "no_ratio",
    "no_si_of_pairs",
    "not_falling",
    "same_si",
    "separated",
    "slope_contains_0",
    "slower_chosen",
]
# English, and German
SENTENCES: Mapping[Code, tuple[str, str]] = {
    "all_none": (
        "every answer is none, or all pairs are equally fast on both sides",
        "alle Antworten sind „kein Unterschied“, oder beide Seiten aller Paare sind gleich schnell",
    ),
    "beyond_ratio": (
        "it would need a ratio of SI above {ratio:.2f}, the greatest one observed",
        "nötig wäre ein Verhältnis der SI über {ratio}, dem größten beobachteten",
    ),
    "constant": (
        "metric or MOS is the same for all clips within each of the groups in which it is centred",
        "Metrik oder MOS ist für alle Clips jeder Gruppe, innerhalb derer zentriert wird, gleich",
    ),
    "few_clips": ("too few clips: {clips} of at least {least}", "zu wenige Clips: {clips} von mindestens {least}"),
    "few_clips_for_mapping": (
        f"at least {MIN_CLIPS} clips of {MIN_SITES} sites are needed, but there are only {{clips}} clips of "
        "{sites} sites",
        f"nötig sind mindestens {MIN_CLIPS} Clips von {MIN_SITES} Websites, es sind aber nur {{clips}} Clips von "
        "{sites} Websites",
    ),
    "few_metrics": (
        "too few metrics to compare: {metrics} of at least {least}",
        "zu wenige Metriken zum Vergleichen: {metrics} von mindestens {least}",
    ),
    "few_participants": (
        "too few participants: {participants} of at least {least}",
        "zu wenige Personen: {participants} von mindestens {least}",
    ),
    "few_participants_for_slope": (
        "{participants} participants are too few for an interval of the slope",
        "zu wenige Personen für ein Intervall der Steigung: {participants}",
    ),
    "few_sites": ("too few sites: {sites} of at least {least}", "zu wenige Websites: {sites} von mindestens {least}"),
    "known_for_few": (
        "known for {clips} of {all} clips; to be compared, a metric has to be known for {percent} %",
        "für {clips} von {all} Clips bekannt; verglichen werden Metriken, die für {percent} % bekannt sind",
    ),
    "no_clips": ("no clips are given", "es sind keine Clips angegeben"),
    "no_margin": ("the plan states no margin", "der Plan nennt keine Schwelle"),
    "no_pair_with_si": ("no pair has both Speed Indexes", "bei keinem Paar ist der Speed Index beider Seiten bekannt"),
    "no_rated_clips": ("no clip was rated whose metrics are known", "kein Clip mit bekannten Metriken wurde bewertet"),
    "no_ratio": (
        "no ratio of SI makes the shares differ by 100 percentage points",
        "bei keinem Verhältnis der SI unterscheiden sich die Anteile um 100 Prozentpunkte",
    ),
    "no_si_of_pairs": ("the Speed Indexes of the pairs are unknown", "die Speed Indexe der Paare sind unbekannt"),
    "not_falling": ("MOS does not fall as SI rises", "der MOS sinkt nicht, wenn der SI steigt"),
    "same_si": ("all clips have the same SI", "alle Clips haben denselben SI"),
    "separated": (
        "the answers are separated completely by the ratio or the side, so no finite estimate exists",
        "Verhältnis oder Seite trennt die Antworten vollständig, sodass es keine endliche Schätzung gibt",
    ),
    "slope_contains_0": (
        "the interval of the slope, {low:.2f} to {high:.2f}, contains 0",
        "das Intervall der Steigung, {low} bis {high}, enthält 0",
    ),
    "slower_chosen": ("the slower side is chosen more often", "die langsamere Seite wird häufiger gewählt"),
}


@dataclass(frozen=True)
class Reason:
    """The reason why a value is unknown; `str()` returns the English sentence. `values` are those in the sentence."""

    code: Code
    values: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return SENTENCES[self.code][0].format(**self.values)

    def as_json(self) -> str:
        return json.dumps({"code": self.code, "values": dict(self.values)})


def reason_of(text: str) -> Reason:
    """Parses the output of `as_json`."""
    return Reason(**json.loads(text))


def worded(reason: Reason | None) -> str | None:
    """Returns the English sentence, None without a reason."""
    return None if reason is None else str(reason)
