"""Table of the agreement of participants: row and columns."""

from dataclasses import dataclass

_MEANING = {
    "network": "network of the clips; all: every network together",
    "clips": "clips with votes",
    "participants": "people who rated",
    "votes": "pairs of participant and clip; several votes of one participant on one clip are averaged first",
    "complete": "yes where every participant rated every clip, else no",
    "raters_per_clip": "k of the ICC of means: harmonic mean of the participants per clip",
    "alpha_ordinal": "Krippendorff's alpha of ordinal scores; 1 is full agreement, 0 that of chance; empty where no "
    "clip has two participants, all scores are equal, or there are over 101 different ones",
    "icc_1_1": "ICC of one vote, one-way (Shrout and Fleiss 1979): other participants rate each clip; complete "
    "designs and others",
    "icc_1_k": "the same of the mean of k votes",
    "icc_2_1": "ICC of one vote, two-way random, absolute agreement: participants are a sample, and their bias counts",
    "icc_2_k": "the same of the mean of k votes",
    "icc_3_1": "ICC of one vote, two-way, consistency: the participants' bias does not count",
    "icc_3_k": "the same of the mean of k votes",
}


@dataclass(frozen=True)
class ReliabilityRow:
    """Agreement on the clips of one network, or of all (see COLUMNS). Coefficients are None where undefined."""

    network: str
    clips: int
    participants: int
    votes: int
    complete: str
    raters_per_clip: float | None
    alpha_ordinal: float | None
    icc_1_1: float | None
    icc_1_k: float | None
    icc_2_1: float | None
    icc_2_k: float | None
    icc_3_1: float | None
    icc_3_k: float | None


COLUMNS = {ReliabilityRow: _MEANING}
