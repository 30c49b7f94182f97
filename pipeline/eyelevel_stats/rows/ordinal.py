"""Table of effects by an ordinal mixed model: rows and columns."""

from dataclasses import dataclass

from eyelevel_stats.samples import LEAST_SITES

LIKE_THESE = "sites like these"
VERY_SITES = "these very sites"


@dataclass(frozen=True)
class OrdinalEffect:
    """Effect of the second stack; positive where it is rated higher. Standard deviations are on the latent scale.

    Estimates are None where the model could not be fitted or did not converge, and standard deviations where it has no
    such term; `why` says so. With fewer than 5 sites, sites are fixed, and the claim is about these very sites.
    """

    effect: float | None
    se: float | None
    ci_low: float | None
    ci_high: float | None
    odds_ratio: float | None
    odds_ratio_low: float | None
    odds_ratio_high: float | None
    p_value: float | None
    participant_sd: float | None
    participant_arm_sd: float | None
    site_sd: float | None
    site_arm_sd: float | None
    clip_sd: float | None
    log_likelihood: float | None
    scope: str
    votes: int
    participants: int
    sites: int
    clips: int
    converged: bool
    why: str


@dataclass(frozen=True)
class OrdinalEffectRow(OrdinalEffect):
    """The effect of a hypothesis on one network, or pooled, on the latent scale; see COLUMNS."""

    hypothesis: str
    network: str
    first: str
    second: str


COLUMNS = {
    "effect": "effect of the second stack on the latent logistic scale (log odds ratio of a higher score); mean over "
    "networks with equal weights, by a cumulative logit mixed model (Laplace approximation)",
    "se": "standard error of effect, from the observed information of all parameters",
    "ci_low": "lower end of the 95 % Wald interval of effect, by Student's t; its degrees of freedom are the fewer of "
    "participants and sites, less 1, or participants less 1 where sites are fixed",
    "ci_high": "upper end of the same interval",
    "odds_ratio": "exp(effect): odds of a score above any threshold for the second stack over those for the first",
    "odds_ratio_low": "exp(ci_low)",
    "odds_ratio_high": "exp(ci_high); empty where it is larger than a number can be, about 1e308",
    "p_value": "two-sided p of the Wald test of effect against 0, with the same degrees of freedom",
    "participant_sd": "standard deviation between participants, latent scale",
    "participant_arm_sd": "standard deviation of the effect between participants, latent scale",
    "site_sd": "standard deviation between sites, latent scale; empty where sites are fixed",
    "site_arm_sd": "standard deviation of the effect between sites, latent scale; empty where sites are fixed",
    "clip_sd": "standard deviation between clips of a site and a stack, latent scale; empty where each has one clip",
    "log_likelihood": "log likelihood at the estimates, by the Laplace approximation",
    "scope": f"{LIKE_THESE}: sites are random ({LEAST_SITES} sites or more); {VERY_SITES}: sites are fixed",
    "votes": "votes of sites that have both stacks on the same network",
    "participants": "participants who gave these votes",
    "sites": "sites of these votes",
    "clips": "clips of these votes",
    "converged": "whether the maximum of the likelihood was found",
    "why": "why there is no estimate, no convergence, or a term less; which variances are 0",
    "hypothesis": "key of the hypothesis in the study's plan",
    "network": "network, or pooled",
    "first": "first stack of the hypothesis's pair",
    "second": "second stack of the pair; a positive effect means that it is rated higher",
}
