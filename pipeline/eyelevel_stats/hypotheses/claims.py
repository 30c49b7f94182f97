"""Votes of a hypothesis by claim: one claim per network, or one about all networks together."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.coded import ArmVote, Choice, CodedVotes
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.rows.words import POOLED

V = TypeVar("V", Rating, Comparison)


@dataclass(frozen=True)
class CodedClaims:
    """The votes of each claim of a hypothesis about two stacks, as numbers."""

    hypothesis: Hypothesis
    votes: tuple[tuple[str, CodedVotes], ...]

    def by(self, participants: Collection[str]) -> "CodedClaims":
        """Returns the votes of these participants."""
        return CodedClaims(self.hypothesis, tuple((name, votes.by(participants)) for name, votes in self.votes))


def coded_claims(
    hypotheses: Iterable[Hypothesis], ratings: Sequence[Rating], comparisons: Sequence[Comparison]
) -> tuple[CodedClaims, ...]:
    """Returns the claims of each hypothesis about ratings or comparisons of two stacks, in their order."""
    claims = []
    for hypothesis in hypotheses:
        if hypothesis.pair is None or hypothesis.kind not in ("rate", "compare"):
            continue
        votes = [
            *(
                (name, CodedVotes.of_ratings([arm_vote(hypothesis, vote) for vote in claim_votes]))
                for name, claim_votes in by_claim(hypothesis, ratings_about(hypothesis, ratings))
            ),
            *(
                (name, CodedVotes.of_choices([choice(hypothesis, vote) for vote in claim_votes]))
                for name, claim_votes in by_claim(hypothesis, comparisons_about(hypothesis, comparisons))
            ),
        ]
        claims.append(CodedClaims(hypothesis, tuple(votes)))
    return tuple(claims)


def ratings_about(hypothesis: Hypothesis, ratings: Iterable[Rating]) -> list[Rating]:
    """Returns the ratings that the hypothesis is about; none if it is not about ratings."""
    if hypothesis.kind != "rate" or hypothesis.pair is None:
        return []
    return [vote for vote in ratings if vote.stack in hypothesis.pair and _asked(hypothesis, vote.network)]


def comparisons_about(hypothesis: Hypothesis, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Returns the comparisons that the hypothesis is about; none if it is not about comparisons."""
    if hypothesis.kind != "compare" or hypothesis.pair is None:
        return []
    pair = set(hypothesis.pair)
    return [
        vote for vote in comparisons if {vote.left_stack, vote.right_stack} == pair and _asked(hypothesis, vote.network)
    ]


def by_claim(hypothesis: Hypothesis, votes: Sequence[V]) -> list[tuple[str, list[V]]]:
    """Groups votes by claim: by network, sorted, or pooled; nothing without votes.

    A network that the hypothesis names and that has no votes has a claim without votes.
    """
    if not votes:
        return []
    if hypothesis.networks == "pooled":
        return [(POOLED, list(votes))]
    networks = sorted({vote.network for vote in votes}.union(hypothesis.over or ()))
    return [(network, [vote for vote in votes if vote.network == network]) for network in networks]


def arm_vote(hypothesis: Hypothesis, vote: Rating) -> ArmVote:
    """Converts a rating to a vote on one of the arms."""
    assert hypothesis.pair is not None  # noqa: S101 - only such hypotheses are about ratings
    second = vote.stack == hypothesis.pair[1]
    return ArmVote(vote.participant, vote.site, vote.network, vote.context, second, vote.score)


def choice(hypothesis: Hypothesis, vote: Comparison) -> Choice:
    """Converts a comparison to a choice between both stacks."""
    assert hypothesis.pair is not None  # noqa: S101 - only such hypotheses are about comparisons
    return Choice(vote.participant, vote.site, vote.network, _value(vote, hypothesis.pair[1]))


def _asked(hypothesis: Hypothesis, network: str) -> bool:
    return hypothesis.over is None or network in hypothesis.over


def _value(vote: Comparison, second: str) -> float:
    if vote.choice == "none":
        return 0.0
    chosen = vote.left_stack if vote.choice == "left" else vote.right_stack
    return 1.0 if chosen == second else -1.0
