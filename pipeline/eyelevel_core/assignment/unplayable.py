"""Limit on trials skipped because a video did not play, the same for the verdict and for the way back."""

# share of the trials: allows one or two damaged videos, but no payment for a nearly empty session
MOST_SHARE = 0.2


def too_many(unplayable: int, trials: int) -> bool:
    """Whether more than MOST_SHARE of a session's trials were skipped because their videos did not play."""
    return unplayable > MOST_SHARE * trials
