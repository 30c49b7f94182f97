"""Numbers with their nouns, in English."""


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its noun, such as `1 study` and `1,204 studies`; without `many`, the plural ends in s."""
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"
