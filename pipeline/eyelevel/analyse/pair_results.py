"""The results of a long table of pairs: how often each of two stimuli was preferred."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel.analyse.long_table.wording import Choice
from eyelevel.analyse.opinions import natural
from eyelevel_stats.agreement.clip_scores import Metrics
from eyelevel_stats.agreement.signs import SideVote, sign_matches
from eyelevel_stats.preference import Preferred, preferences
from eyelevel_stats.rows.metrics import SignRow

PAIR_COLUMNS = {
    "stimulus_a": "of the two stimuli the one whose name sorts first, whichever side it was on",
    "stimulus_b": "the other stimulus",
    "n": "answers",
    "participants": "people who gave the answers",
    "prefer_a": "answers that prefer stimulus_a",
    "prefer_b": "answers that prefer stimulus_b",
    "no_difference": "answers that prefer neither",
    "share_a": "prefer_a / n, a fraction; answers that prefer neither are part of n",
    "ci_low": "lower end of the 95 % interval of share_a (Wilson's score interval over participants)",
    "ci_high": "upper end of the same interval",
}
WIN_COLUMNS = {
    "stimulus": "name of the stimulus in the votes",
    "n": "answers about pairs with this stimulus",
    "preferred": "answers that prefer it",
    "not_preferred": "answers that prefer the other stimulus",
    "no_difference": "answers that prefer neither",
    "share_preferred": "(preferred + no_difference / 2) / n, a fraction; it depends on which pairs were asked",
}


@dataclass(frozen=True)
class PairRow:
    """Answers about one pair of stimuli, whichever was left; PAIR_COLUMNS explains the fields."""

    stimulus_a: str
    stimulus_b: str
    n: int
    participants: int
    prefer_a: int
    prefer_b: int
    no_difference: int
    share_a: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class WinRow:
    """Answers about all pairs with one stimulus; WIN_COLUMNS explains the fields."""

    stimulus: str
    n: int
    preferred: int
    not_preferred: int
    no_difference: int
    share_preferred: float


Vote = tuple[str, str, str, Choice]


def in_order(votes: Iterable[Vote]) -> Iterator[tuple[str, str, str, Preferred]]:
    """The answers as (participant, a, b, preferred), with a before b by name, whichever side it was on."""
    ordered: dict[tuple[str, str], bool] = {}
    for who, left, right, choice in votes:
        if (left, right) not in ordered:
            ordered[left, right] = natural(left) <= natural(right)
        if ordered[left, right]:
            yield who, left, right, "none" if choice is Choice.NONE else "a" if choice is Choice.LEFT else "b"
        else:
            yield who, right, left, "none" if choice is Choice.NONE else "b" if choice is Choice.LEFT else "a"


def pair_rows(votes: Iterable[Vote]) -> tuple[PairRow, ...]:
    """A row per pair that was asked, sorted by both names; votes are (participant, left, right, choice)."""
    found = preferences(((a, b), who, preferred) for who, a, b, preferred in in_order(votes))
    return tuple(
        PairRow(
            stimulus_a=pair[0],
            stimulus_b=pair[1],
            n=own.n,
            participants=own.participants,
            prefer_a=own.prefer_a,
            prefer_b=own.prefer_b,
            no_difference=own.no_difference,
            share_a=own.share_a,
            ci_low=own.ci_low,
            ci_high=own.ci_high,
        )
        for pair, own in sorted(found.items(), key=lambda item: (natural(item[0][0]), natural(item[0][1])))
    )


def sign_rows(
    votes: Sequence[Vote], metrics: Metrics, *, higher_is_better: Collection[str] = ()
) -> tuple[SignRow, ...]:
    """How often each metric has the better value for the stimulus that most participants preferred; by pair."""
    choices: dict[Preferred, Literal["left", "right", "none"]] = {"a": "left", "b": "right", "none": "none"}

    def sides(values: Mapping[str, float | None]) -> Iterator[SideVote]:
        for who, a, b, preferred in in_order(votes):
            yield SideVote(who, f"{a}\n{b}", "", values.get(a), values.get(b), choices[preferred])

    return sign_matches({name: sides(values) for name, values in metrics.items()}, higher_is_better=higher_is_better)


def win_rows(rows: Sequence[PairRow]) -> tuple[WinRow, ...]:
    """A row per stimulus, the one preferred most often first."""
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    tied: Counter[str] = Counter()
    for row in rows:
        for one, wins, losses in (
            (row.stimulus_a, row.prefer_a, row.prefer_b),
            (row.stimulus_b, row.prefer_b, row.prefer_a),
        ):
            won[one] += wins
            lost[one] += losses
            tied[one] += row.no_difference
    found = []
    for one in won:
        n = won[one] + lost[one] + tied[one]
        found.append(WinRow(one, n, won[one], lost[one], tied[one], (won[one] + tied[one] / 2) / n))
    return tuple(sorted(found, key=lambda row: (-row.share_preferred, natural(row.stimulus))))
