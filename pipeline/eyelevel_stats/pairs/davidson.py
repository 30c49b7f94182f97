"""Worths of stacks by Davidson's model, with ties and side bias.

Of two stacks, P(a) : P(none) : P(b) = pi_a : nu sqrt(pi_a pi_b) : pi_b (R. R. Davidson, On extending the Bradley-Terry
model to accommodate ties in paired comparison experiments, JASA 65, 1970). The side bias s multiplies the odds of left
against right by exp(s) (R. R. Davidson and R. J. Beaver, Biometrics 33, 1977).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from eyelevel_stats.pairs.components import Component, log_worths
from eyelevel_stats.pairs.likelihood import Fit, Floats

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


def component_rows(found: Iterable[Component]) -> tuple[ComponentRow, ...]:
    """A row per component, in their order."""
    return tuple(_component_row(one) for one in found)


def worth_rows(found: Iterable[Component]) -> tuple[WorthRow, ...]:
    """A row per component and stack, in their order."""
    return tuple(row for one in found for row in _worth_rows(one))


def _component_row(one: Component) -> ComponentRow:
    nu = nu_se = bias = bias_se = bias_clustered = likelihood = None
    if isinstance(one.fit, Fit):
        nu, likelihood = one.fit.nu, one.fit.log_likelihood
        nu_se = nu * sqrt(one.fit.covariance[-1, -1]) if one.fit.ties else None
        if one.sided:
            at = len(one.stacks) - 1
            bias, bias_se = float(one.fit.values[at]), sqrt(one.fit.covariance[at, at])
            bias_clustered = None if one.fit.clustered is None else sqrt(one.fit.clustered[at, at])
    return ComponentRow(
        network=one.network,
        component=one.number,
        stacks=", ".join(one.stacks),
        n=len(one.votes),
        participants=one.participants,
        nu=nu,
        nu_se=nu_se,
        side_bias=bias,
        side_bias_se=bias_se,
        side_bias_se_clustered=bias_clustered,
        log_likelihood=likelihood,
        why=one.why,
    )


def _worth_rows(one: Component) -> list[WorthRow]:
    count = len(one.stacks)
    unknown: list[float | None] = [None] * count
    worth = worth_se = logs = log_se = clustered = unknown
    if isinstance(one.fit, Fit):
        value, covariance = log_worths(count, one.fit, one.fit.covariance)
        share = special.softmax(value)
        # the derivatives of shares by logs
        slope = np.diag(share) - np.outer(share, share)
        worth, worth_se = share.tolist(), _errors(slope @ covariance @ slope)
        logs, log_se = value.tolist(), _errors(covariance)
        if one.fit.clustered is not None:
            clustered = _errors(log_worths(count, one.fit, one.fit.clustered)[1])
    return [
        WorthRow(
            network=one.network,
            component=one.number,
            stack=stack,
            n=sum(count for pair, count in one.asked.items() if stack in pair),
            worth=worth[at],
            worth_se=worth_se[at],
            log_worth=logs[at],
            log_worth_se=log_se[at],
            log_worth_se_clustered=clustered[at],
            why=one.why,
        )
        for at, stack in enumerate(one.stacks)
    ]


def _errors(covariance: Floats) -> list[float | None]:
    """Standard errors; rounding may carry a variance below 0."""
    return [sqrt(max(0.0, float(variance))) for variance in np.diag(covariance)]
