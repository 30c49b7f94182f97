"""Which part of the participants: K/N, numbered from 0."""

import re
from dataclasses import dataclass

NOTATION = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True)
class Part:
    """Part `number`, from 0, of `of` parts. Each participant is in one, by a digest of their session's id."""

    number: int
    of: int

    @property
    def condition(self) -> str:
        """On rows, for DuckDB; the same in every version of it."""
        return f"CAST('0x' || substr(md5(CAST(session_id AS VARCHAR)), 1, 8) AS UBIGINT) % {self.of} = {self.number}"

    @property
    def file(self) -> str:
        return f"part-{self.number:0{len(str(self.of))}d}-of-{self.of}.json"


def parse_part(text: str) -> Part:
    """Raise ValueError where the text is no K/N with K below N."""
    found = NOTATION.fullmatch(text)
    if found is None or int(found[1]) >= int(found[2]):
        raise ValueError(f"{text!r} is no part; give K/N with K from 0 to N - 1, such as 0/8")
    return Part(int(found[1]), int(found[2]))
