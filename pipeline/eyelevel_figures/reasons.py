"""Why a figure is unknown, in German; the English sentences are those of `eyelevel_stats.reasons`."""

from collections.abc import Mapping

from eyelevel_figures.words import Words
from eyelevel_stats.reasons import Code, Reason
from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

GERMAN: Mapping[Code, str] = {
    "all_none": "alle Antworten sind „kein Unterschied“, oder beide Seiten aller Paare sind gleich schnell",
    "beyond_ratio": "nötig wäre ein Verhältnis der SI über {ratio}, dem größten beobachteten",
    "constant": "Metrik oder MOS ist für alle Clips jeder Gruppe, innerhalb derer zentriert wird, gleich",
    "few_clips": "zu wenige Clips: {clips} von mindestens {least}",
    "few_clips_for_mapping": f"für eine Kurve braucht es {MIN_CLIPS} Clips von {MIN_SITES} Websites; "
    "es sind {clips} von {sites}",
    "few_metrics": "zu wenige Metriken zum Vergleichen: {metrics} von mindestens {least}",
    "few_participants": "zu wenige Personen: {participants} von mindestens {least}",
    "few_participants_for_slope": "zu wenige Personen für ein Intervall der Steigung: {participants}",
    "few_sites": "zu wenige Websites: {sites} von mindestens {least}",
    "known_for_few": "für {clips} von {all} Clips bekannt; "
    "verglichen werden Metriken, die für {percent} % bekannt sind",
    "no_clips": "es sind keine Clips angegeben",
    "no_margin": "der Plan nennt keine Schwelle",
    "no_pair_with_si": "bei keinem Paar ist der Speed Index beider Seiten bekannt",
    "no_rated_clips": "kein Clip mit bekannten Metriken wurde bewertet",
    "no_ratio": "bei keinem Verhältnis der SI unterscheiden sich die Anteile um 100 Prozentpunkte",
    "no_si_of_pairs": "die Speed Indexe der Paare sind unbekannt",
    "not_falling": "der MOS sinkt nicht, wenn der SI steigt",
    "same_si": "alle Clips haben denselben SI",
    "separated": "Verhältnis oder Seite trennt die Antworten vollständig, sodass es keine endliche Schätzung gibt",
    "slope_contains_0": "das Intervall der Steigung, {low} bis {high}, enthält 0",
    "slower_chosen": "die langsamere Seite wird häufiger gewählt",
}


def worded(stored: Reason, words: Words) -> str:
    """The reason in the language of these words, without a full stop."""
    if words.language == "en":
        return str(stored)
    values = {
        name: words.decimal(value) if isinstance(value, float) else str(value) for name, value in stored.values.items()
    }
    return GERMAN[stored.code].format(**values)
