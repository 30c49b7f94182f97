"""Tables of subject models: rows and columns."""

from dataclasses import dataclass

_CLIP = {
    "clip_sha256": "the very clip that was shown",
    "site": "site of the clip",
    "network": "network of the clip",
    "stack": "stack of the clip",
    "n": "participants who rated the clip",
    "mos": "mean opinion score; several votes of one participant are averaged first",
    "mos_ml": "quality by maximum likelihood with a bias and an inconsistency per participant (ITU-T P.910 annex E); "
    "a sensitivity column; empty where the design is not connected",
    "mos_zrec": "quality by ZREC (Zhu et al. 2023): bias removed in units of the clip's standard deviation, votes "
    "weighted by the inverse square of inconsistency; a sensitivity column",
}

_PARTICIPANT = {
    "participant": "random identity of the participant's session",
    "votes": "clips that the participant rated",
    "bias": "how much higher than others the participant scores, in points, by maximum likelihood; the mean over "
    "participants is 0; nobody is excluded by it",
    "inconsistency": "standard deviation of the participant's scores about quality plus bias, in points, by maximum "
    "likelihood; at least 0.29, the deviation of rounding to whole points; nobody is excluded by it",
    "zrec_bias": "mean z-score of the participant's votes (ZREC); empty where no rated clip has a spread",
    "zrec_inconsistency": "standard deviation (divisor n) of the participant's z-scores (ZREC); empty under 5 votes "
    "with a z-score, and the votes then have the median participant's weight",
}


@dataclass(frozen=True)
class SubjectClipRow:
    """One clip: MOS and the two recovered scores, in points of the scale (see COLUMNS)."""

    clip_sha256: str
    site: str
    network: str
    stack: str
    n: int
    mos: float
    mos_ml: float | None
    mos_zrec: float


@dataclass(frozen=True)
class SubjectRow:
    """One participant: bias and inconsistency by both models (see COLUMNS)."""

    participant: str
    votes: int
    bias: float | None
    inconsistency: float | None
    zrec_bias: float | None
    zrec_inconsistency: float | None


COLUMNS = {SubjectClipRow: _CLIP, SubjectRow: _PARTICIPANT}
