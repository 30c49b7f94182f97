"""The script that capture injects into each page.

It tells the page's time origin (origins.py), pins chance and date (pinning.py), and observes (observer.py).
"""

from eyelevel.loads.inside.browsing.observer import OBSERVER
from eyelevel.loads.inside.browsing.origins import ORIGIN
from eyelevel.pinning import pinning_script


def page_script(*, seed: int, start_ms: int) -> str:
    """`seed` is reduced to 31 bits; `start_ms` is the page's date at its time origin, in milliseconds since 1970."""
    return ORIGIN + pinning_script(seed=seed, start_ms=start_ms) + OBSERVER
