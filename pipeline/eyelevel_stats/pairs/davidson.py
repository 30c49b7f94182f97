"""Worths of stacks by Davidson's model, with ties and side bias.

Of two stacks, P(a) : P(none) : P(b) = pi_a : nu sqrt(pi_a pi_b) : pi_b (R. R. Davidson, On extending the Bradley-Terry
model to accommodate ties in paired comparison experiments, JASA 65, 1970). The side bias s multiplies the odds of left
against right by exp(s) (R. R. Davidson and R. J. Beaver, Biometrics 33, 1977).
"""

from collections.abc import Iterable
from math import sqrt

import numpy as np
from scipy import special

from eyelevel_stats.pairs.components import Component, log_worths
from eyelevel_stats.pairs.likelihood import Fit, Floats
from eyelevel_stats.rows.comparisons import ComponentRow, WorthRow


def component_rows(components: Iterable[Component]) -> tuple[ComponentRow, ...]:
    """A row per component, in their order."""
    return tuple(_component_row(component) for component in components)


def worth_rows(components: Iterable[Component]) -> tuple[WorthRow, ...]:
    """A row per component and stack, in their order."""
    return tuple(row for component in components for row in _worth_rows(component))


def _component_row(component: Component) -> ComponentRow:
    nu = nu_se = bias = bias_se = bias_clustered = likelihood = None
    if isinstance(component.fit, Fit):
        nu, likelihood = component.fit.nu, component.fit.log_likelihood
        nu_se = nu * sqrt(component.fit.covariance[-1, -1]) if component.fit.ties else None
        if component.sided:
            at = len(component.stacks) - 1
            bias, bias_se = float(component.fit.values[at]), sqrt(component.fit.covariance[at, at])
            bias_clustered = None if component.fit.clustered is None else sqrt(component.fit.clustered[at, at])
    return ComponentRow(
        network=component.network,
        component=component.number,
        stacks=", ".join(component.stacks),
        n=len(component.votes),
        participants=component.participants,
        nu=nu,
        nu_se=nu_se,
        side_bias=bias,
        side_bias_se=bias_se,
        side_bias_se_clustered=bias_clustered,
        log_likelihood=likelihood,
        why=component.why,
    )


def _worth_rows(component: Component) -> list[WorthRow]:
    count = len(component.stacks)
    unknown: list[float | None] = [None] * count
    worth = worth_se = logs = log_se = clustered = unknown
    if isinstance(component.fit, Fit):
        value, covariance = log_worths(count, component.fit, component.fit.covariance)
        share = special.softmax(value)
        # the derivatives of shares by logs
        slope = np.diag(share) - np.outer(share, share)
        worth, worth_se = share.tolist(), _errors(slope @ covariance @ slope)
        logs, log_se = value.tolist(), _errors(covariance)
        if component.fit.clustered is not None:
            clustered = _errors(log_worths(count, component.fit, component.fit.clustered)[1])
    return [
        WorthRow(
            network=component.network,
            component=component.number,
            stack=stack,
            n=sum(count for pair, count in component.asked.items() if stack in pair),
            worth=worth[at],
            worth_se=worth_se[at],
            log_worth=logs[at],
            log_worth_se=log_se[at],
            log_worth_se_clustered=clustered[at],
            why=component.why,
        )
        for at, stack in enumerate(component.stacks)
    ]


def _errors(covariance: Floats) -> list[float | None]:
    """Standard errors; rounding may carry a variance below 0."""
    return [sqrt(max(0.0, float(variance))) for variance in np.diag(covariance)]
