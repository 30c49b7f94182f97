"""MOS of clips for a comparison with metrics, raw and centred, and the ceilings that follow from their noise."""

from collections.abc import Sequence

import numpy as np

from eyelevel_stats.agreement.ceiling import ceiling, reliability, reliability_centred, spearman_ceiling
from eyelevel_stats.agreement.clip_scores import ClipScore, Floats, score_half_widths, score_noise
from eyelevel_stats.agreement.scope import cells, centred, in_company, unit, why_not_centred
from eyelevel_stats.agreement.shares import Redrawn
from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.intervals import Interval

NOISE_UNKNOWN = "no clip has two scores, so the noise of MOS is unknown"
ONLY_NOISE = "MOS do not differ by more than their noise: the interval of {} contains 0"


class Ceiling:
    """Reliability with its 95 % interval, and the ceiling of Pearson's correlation where that interval is above 0."""

    def __init__(self, reliable: float | None, redrawn: Redrawn) -> None:
        self.reliability, self._redrawn = reliable, redrawn
        self.interval = None if reliable is None else redrawn.reliability()
        above = self.interval is not None and self.interval.low > 0
        self.value = ceiling(reliable) if above else None

    def share(self, pearson: float | None, values: Floats) -> tuple[float | None, Interval | None]:
        """Computes |pearson| / ceiling with its interval; `values` are the metric's, one per clip."""
        if self.value is None or pearson is None:
            return None, None
        return abs(pearson) / self.value, self._redrawn.share(values)


class People:
    """Results from the MOS of these clips alone; for clips for which `why_nothing` has no reason.

    `among` are the clips that count where values are centred within the `cells` of those clips. Ceilings are None where
    the noise is unknown or nothing can be centred, with the cause in `reasons`.
    """

    def __init__(self, clips: Sequence[ClipScore], *, known: bool, seed: int) -> None:
        self.mos = np.array([clip.mos for clip in clips])
        self.half_widths = score_half_widths(clips)
        self.among = in_company(clips)
        self.not_centred = why_not_centred(clips, known=known)
        beside = [clip for clip, among in zip(clips, self.among, strict=True) if among]
        self.cells = cells(beside)
        self.mos_centred = centred(self.mos[self.among], self.cells)
        self.raw: Ceiling | None = None
        self.centred: Ceiling | None = None
        self.spearman_ceiling: float | None = None
        noise = score_noise(clips)
        if noise is not None:
            rng = np.random.default_rng(seed)
            units = Groups.by([unit(clip, known=known) for clip in clips])
            self.raw = Ceiling(
                reliability(self.mos, noise), Redrawn(self.mos, noise, units=units, groups=None, rng=rng)
            )
            if self.raw.value is not None:
                self.spearman_ceiling = spearman_ceiling(self.mos, noise, rng=rng)
        if noise is not None and self.not_centred is None:
            clip_noise, units = noise[self.among], Groups.by([clip.site for clip in beside])
            self.centred = Ceiling(
                reliability_centred(self.mos_centred, clip_noise, self.cells),
                Redrawn(self.mos[self.among], clip_noise, units=units, groups=self.cells, rng=rng),
            )

    def within(self, values: Floats) -> Floats | None:
        """Centres a metric's values like MOS; None where nothing can be centred."""
        return centred(values[self.among], self.cells) if self.not_centred is None else None

    def reasons(self) -> list[str]:
        """Returns why ceilings or centred values are missing."""
        reasons = [] if self.not_centred is None else [self.not_centred]
        if self.raw is None:
            return [*reasons, NOISE_UNKNOWN]
        reasons += [ONLY_NOISE.format("reliability")] if self.raw.value is None else []
        unclear = self.centred is not None and self.centred.value is None
        return [*reasons, *([ONLY_NOISE.format("reliability_centred")] if unclear else [])]
