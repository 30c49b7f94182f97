"""Announcements of slow steps on stderr: a status on a terminal, else a line."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def announced(words: str) -> Iterator[Callable[[str], None]]:
    """Yields a function that changes the text of the status; without a terminal it does nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        console.print(words, soft_wrap=True, highlight=False)
        yield lambda changed: None
        return
    with console.status(words) as status:
        yield status.update
