"""Tables of worths of stacks: rows and columns."""

from dataclasses import dataclass

COLUMNS = {
    "network": "network of the clips",
    "component": "number, from 1 within the network, of a group of stacks that pairs connect; worths of different "
    "components cannot be compared",
    "stacks": "stacks of the component",
    "stack": "the stack",
    "n": "answers about pairs of the component; in a row about one stack, about pairs with it",
    "participants": "people who gave these answers",
    "nu": "Davidson's parameter of ties: about two equal stacks, the answer none has probability nu / (2 + nu); 0 "
    "where no answer is none",
    "nu_se": "standard error of nu by the observed information; empty where nu is 0",
    "side_bias": "log odds of left against right between equal stacks; above 0, left is favoured; empty where it "
    "cannot be separated from the worths, because pairs were shown in one order",
    "side_bias_se": "standard error of side_bias by the observed information",
    "side_bias_se_clustered": "standard error of side_bias where only participants are independent (sandwich)",
    "log_likelihood": "natural logarithm of the likelihood at its maximum",
    "worth": "Davidson's worth pi, with sum 1 over the component; the greater one is chosen more often",
    "worth_se": "standard error of worth by the observed information, which takes answers as independent",
    "log_worth": "ln worth minus its mean over the component",
    "log_worth_se": "standard error of log_worth by the observed information",
    "log_worth_se_clustered": "standard error of log_worth where only participants are independent (sandwich); empty "
    "unless there are more participants than parameters",
    "why": "why there is no estimate; empty where there is one",
}


@dataclass(frozen=True)
class ComponentRow:
    """What all stacks of one component share; COLUMNS describes the fields."""

    network: str
    component: int
    stacks: str
    n: int
    participants: int
    nu: float | None
    nu_se: float | None
    side_bias: float | None
    side_bias_se: float | None
    side_bias_se_clustered: float | None
    log_likelihood: float | None
    why: str | None


@dataclass(frozen=True)
class WorthRow:
    """The worth of one stack within its component; COLUMNS describes the fields."""

    network: str
    component: int
    stack: str
    n: int
    worth: float | None
    worth_se: float | None
    log_worth: float | None
    log_worth_se: float | None
    log_worth_se_clustered: float | None
    why: str | None
