"""The seven-point scale of satisfaction, its question, and the simulated opinion about a film.

Question and labels are those of the 2019 study (scale of ITU-T P.851); the German labels are the official ones.

Simulated satisfaction falls with the logarithm of waiting (Weber and Fechner; for web pages ITU-T G.1030 annex A and
S. Egger, P. Reichl, T. Hossfeld, R. Schatz, "Time is bandwidth"?, ICC 2012). The constants are ours: a page with a
Speed Index of 1 s is good to excellent, and each doubling costs 1.1 points, so that nearly everybody rates a page that
was delayed by some seconds as bad.
"""

from math import log2
from random import Random

from eyelevel_kinds.shape import Temper, Text

QUESTION: Text = {
    "en": "How satisfying was the speed of the loading process to you?",
    "de": "Wie zufriedenstellend war für Sie die Geschwindigkeit des Ladevorgangs?",
}
# from 1 to 7
LABELS: list[Text] = [
    {"en": "extremely bad", "de": "extrem schlecht"},
    {"en": "bad", "de": "schlecht"},
    {"en": "poor", "de": "dürftig"},
    {"en": "fair", "de": "ordentlich"},
    {"en": "good", "de": "gut"},
    {"en": "excellent", "de": "ausgezeichnet"},
    {"en": "ideal", "de": "ideal"},
]

SCORE_AT_1_S = 5.6
POINTS_PER_DOUBLING = 1.1
# a faster load is instantaneous for everybody
AT_ONCE_MS = 100.0


def opinion(si_ms: float | None, who: Temper, draw: Random) -> float:
    """Returns the simulated opinion, 1 to 7, about a film with this Speed Index; 1 if the page never showed (None)."""
    if si_ms is None:
        return 1.0
    seen = SCORE_AT_1_S - POINTS_PER_DOUBLING * log2(max(si_ms, AT_ONCE_MS) / 1000)
    return min(7.0, max(1.0, seen + who.bias + draw.gauss(0, who.noise_sd)))
