"""The script that capture injects into each page.

It reports the page's time origin (origins.py), pins random numbers and date (pinning.py), and observes (observer.py).
"""

from eyelevel.loads.inside.browsing.observer import OBSERVER
from eyelevel.loads.inside.browsing.origins import ORIGIN
from eyelevel.pinning import pinning_script


def page_script(*, seed: int, start_ms: int) -> str:
    """Returns the script; `seed` is reduced to 31 bits, `start_ms` is the date at the time origin, in ms since 1970."""
    return ORIGIN + pinning_script(seed=seed, start_ms=start_ms) + OBSERVER
