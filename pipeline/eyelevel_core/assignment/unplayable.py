"""How many videos that did not play a session may leave out and still count: the one rule, for verdict and way back."""

# of the trials: enough for a damaged video or two, and too few to be paid for next to nothing
MOST_SHARE = 0.2


def too_many(unplayable: int, trials: int) -> bool:
    """Whether more than MOST_SHARE of a session's trials were skipped because their videos did not play."""
    return unplayable > MOST_SHARE * trials
