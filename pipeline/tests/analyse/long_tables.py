"""A small long table of scores, and how tests read one."""

from pathlib import Path

from eyelevel.analyse.long_table.roles import parse_scale
from eyelevel.analyse.long_table.scores import Reading, ScoreVotes, read_scores

ROLES = {"participant": "who", "stimulus": "clip", "score": "points"}
TABLE = "who,clip,points\nann,a,1\nben,a,4.5\nann,b,NA\n"
NOWHERE: frozenset[str] = frozenset()


def scores(
    path: Path,
    content: str | bytes,
    roles: dict[str, str] | None = None,
    scale: str = "1:5",
    reading: Reading | None = None,
) -> ScoreVotes:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_scores(path, roles or ROLES, reading or Reading(parse_scale(scale)), elsewhere=NOWHERE)


def triples(votes: ScoreVotes) -> list[tuple[str, str, float]]:
    return list(zip(votes.participant, votes.stimulus, votes.score, strict=True))


# the votes of TABLE
READ = [("ann", "a", 1.0), ("ben", "a", 4.5)]
