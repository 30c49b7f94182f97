"""Numbers with their nouns, in English."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Such as `1 study` and `1,204 studies`; without `many`, the plural has an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
