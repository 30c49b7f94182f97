"""Parses K/N, a part of the participants, numbered from 0."""

import re
from dataclasses import dataclass

NOTATION = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True)
class Part:
    """Part `number`, from 0, of `of` parts. A digest of the session id assigns each participant to one part."""

    number: int
    of: int

    @property
    def condition(self) -> str:
        """The SQL filter for DuckDB, independent of its version."""
        return f"CAST('0x' || substr(md5(CAST(session_id AS VARCHAR)), 1, 8) AS UBIGINT) % {self.of} = {self.number}"

    @property
    def file(self) -> str:
        return f"part-{self.number:0{len(str(self.of))}d}-of-{self.of}.json"


def parse_part(text: str) -> Part:
    """Parses K/N; raises ValueError unless K < N."""
    match = NOTATION.fullmatch(text)
    if match is None or int(match[1]) >= int(match[2]):
        raise ValueError(f"{text!r} is not a part; give K/N with K from 0 to N - 1, such as 0/8")
    return Part(int(match[1]), int(match[2]))
