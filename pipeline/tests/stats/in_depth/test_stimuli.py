"""Votes about stimuli of any source: metrics stand beside the sides on which the stimuli were."""

from eyelevel_stats.agreement.clip_scores import Metrics, clip_scores
from eyelevel_stats.in_depth.stimuli import Stimuli, metric_votes, side_votes
from eyelevel_stats.in_depth.votes import clip_votes
from eyelevel_stats.observations import Rating
from eyelevel_stats.pairs.observations import PairVote

SIZE = {"size": {"a": 2.0, "b": 5.0}}
COLUMNS = {
    "trial_kind": ["compare"] * 3,
    "session_id": ["p1", "p2", "p3"],
    "site": ["s"] * 3,
    "network": [""] * 3,
    "context": [""] * 3,
    "left_stack": ["a", "b", "b"],
    "right_stack": ["b", "a", "c"],
    "choice": ["left", "left", "none"],
}


def test_a_pair_is_one_pair_whichever_side_each_stimulus_was_on() -> None:
    ((name, votes),) = side_votes(COLUMNS, SIZE)
    assert name == "size"
    assert [(vote.participant, vote.stimulus, vote.left, vote.right, vote.choice) for vote in votes] == [
        ("p1", "a\nb", 2.0, 5.0, "left"),
        ("p2", "a\nb", 2.0, 5.0, "right"),
        # a value that is not known
        ("p3", "b\nc", 5.0, None, "none"),
    ]
    assert list(side_votes({name: [] for name in COLUMNS}, SIZE)) == []


def test_a_metric_of_which_more_is_better_takes_the_place_of_the_speed_index_the_other_way_round() -> None:
    votes = [PairVote("p1", "s", "", "a", "b", "left")]
    for higher, expected in (((), (2.0, 5.0)), (("size",), (5.0, 2.0))):
        ((name, ((*_, left, right, _sureness, _replays),)),) = metric_votes(votes, SIZE, higher_is_better=higher)
        assert (name, left, right) == ("size", *expected)


def test_mappings_of_many_sites_are_computed_where_time_does_not_matter() -> None:
    def clips(sites: int) -> list[Rating]:
        return [
            Rating("p", f"{site}", "", f"{site}-{number}", "", f"{site}-{number}", site % 5 + 1)
            for site in range(sites)
            for number in range(2)
        ]

    few, many = (clip_scores(clip_votes(clips(sites))) for sites in (4, 200))
    metrics: Metrics = {"size": {}}
    assert Stimuli((1, 5), metrics).has_mappings(few)
    assert not Stimuli((1, 5), metrics).has_mappings(many)
    assert Stimuli((1, 5), metrics, long_too=True).has_mappings(many)
