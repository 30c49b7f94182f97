"""Table of just objectionable differences: row and columns."""

from dataclasses import dataclass

COLUMNS = {
    "network": "network of the clips",
    "component": "number of the group of connected stacks within the network, from 1",
    "stack_a": "the stack of the pair whose name sorts first",
    "stack_b": "the other one",
    "n": "answers about this very pair; 0 where other pairs connect both stacks",
    "participants": "people who answered about the component",
    "jod": "ln(worth of a / worth of b) / ln 3, in just-objectionable differences; above 0, a is chosen more often; at "
    "1, by 75 % of the decided answers",
    "ci_low": "lower end of the 95 % interval of jod: Student's t, clustered by participant (sandwich); empty unless "
    "there are more participants than parameters",
    "ci_high": "upper end of the same interval",
    "why": "why there is no estimate; empty where there is one",
}


@dataclass(frozen=True)
class JodRow:
    """The difference between two stacks of one component; COLUMNS describes the fields."""

    network: str
    component: int
    stack_a: str
    stack_b: str
    n: int
    participants: int
    jod: float | None
    ci_low: float | None
    ci_high: float | None
    why: str | None
