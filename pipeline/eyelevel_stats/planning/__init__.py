"""Planning of studies: closed forms for a quick check, and simulated studies analysed as a real one."""

from eyelevel_stats.planning.smallest import smallest_mos_difference, smallest_share

__all__ = ["smallest_mos_difference", "smallest_share"]
