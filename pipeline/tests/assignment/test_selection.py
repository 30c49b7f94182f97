"""A selection gives its clips, or a sentence that names the field."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
import yaml

from eyelevel_core.assignment.clip import Chosen, Clip
from eyelevel_core.assignment.selection import select, select_for
from eyelevel_core.assignment.sufficiency import SelectionError
from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import StudyError
from eyelevel_core.study.resolve import design_of, resolve

TEXT = {"en": "x"}
PAIR = {"kind": "compare", "count": 1}


def design(**changes: Any) -> dict[str, Any]:
    """Ratings and comparisons at work, over DSL and LTE."""
    return {
        "contract": "eyelevel/study/1",
        "name": "pilot",
        "seed": 7,
        "languages": ["en"],
        "title": TEXT,
        "consent": {"version": "1", "text": TEXT},
        "contact": "study@example.org",
        "batch": "small",
        "contexts": [{"key": "work", "label": TEXT, "networks": ["DSL", "LTE"]}],
        "trials": [{"kind": "rate", "count": 4, "training": 0}, {"kind": "compare", "count": 2, "training": 0}],
        "quota": {"sessions": 6},
    } | changes


def clips(*, orders: int = 2, runs: int = 1) -> list[Clip]:
    """Two sites over DSL, LTE and MSS: both stacks by themselves, and side by side in so many orders."""
    candidates = []
    for site, network, run in itertools.product(("alpha", "beta"), ("DSL", "LTE", "MSS"), range(1, runs + 1)):
        shown: list[tuple[str, ...]] = [("TCP+",), ("QUIC",), ("TCP+", "QUIC"), ("QUIC", "TCP+")]
        candidates += [clip(site, network, stacks, run) for stacks in shown[: 2 + orders]]
    return candidates


def clip(site: str, network: str, stacks: tuple[str, ...], run: int = 1, purpose: str = "study") -> Clip:
    takes = tuple(f"{site} {network} {stack} {run}" for stack in stacks)
    kind = "single" if len(stacks) == 1 else "pair"
    role = "medoid" if run == 1 else "q25"
    name = " ".join((purpose, *takes))
    return Clip(name, kind, site, network, run, stacks, takes, 1000.0, purpose=purpose, role=role)


def identical(*settings: tuple[str, str, str]) -> list[Clip]:
    """A pair of one take twice for each site, network and stack."""
    return [clip(site, network, (stack, stack), purpose="identical") for site, network, stack in settings]


def selected(study: dict[str, Any], offered: list[Clip]) -> tuple[Chosen, ...]:
    def stated(field: str) -> list[int]:
        return [number for number, block in enumerate(study["trials"]) if field in block]

    resolved = design_of(resolve(study))
    return select(resolved, offered, stated_shares=stated("identical"), stated_training=stated("training")).chosen


def chosen(block: dict[str, Any], **changes: Any) -> set[tuple[str, str, str, tuple[str, ...]]]:
    found = selected(design(trials=[block], **changes), clips())
    return {(choice.context, choice.clip.site, choice.clip.network, choice.clip.stacks) for choice in found}


def test_all_clips_of_the_contexts_networks_by_default() -> None:
    assert chosen({"kind": "rate", "count": 1}) == {
        ("work", site, network, (stack,))
        for site, network, stack in itertools.product(("alpha", "beta"), ("DSL", "LTE"), ("TCP+", "QUIC"))
    }


def test_sites_networks_and_stacks_narrow_the_choice() -> None:
    block = {"kind": "rate", "count": 1, "sites": ["beta"], "networks": ["LTE"], "stacks": ["QUIC"]}
    assert chosen(block) == {("work", "beta", "LTE", ("QUIC",))}


def test_a_pair_comes_in_both_orders() -> None:
    block = {"kind": "compare", "count": 1, "sites": ["beta"], "networks": ["DSL"], "pairs": [["QUIC", "TCP+"]]}
    assert chosen(block) == {("work", "beta", "DSL", ("TCP+", "QUIC")), ("work", "beta", "DSL", ("QUIC", "TCP+"))}


def test_each_context_has_its_own_networks() -> None:
    label = TEXT
    contexts = [
        {"key": "home", "label": label, "networks": ["DSL"]},
        {"key": "plane", "label": label, "networks": ["MSS", "DSL"]},
    ]
    block = {"kind": "rate", "count": 1, "stacks": ["QUIC"], "sites": ["alpha"]}
    assert {(context, network) for context, _, network, _ in chosen(block, contexts=contexts)} == {
        ("home", "DSL"),
        ("plane", "DSL"),
        ("plane", "MSS"),
    }


@pytest.mark.parametrize(
    ("block", "where", "sentence"),
    [
        ({"networks": ["MSS"]}, (), "selects no clip of the batch in any context"),
        ({"count": 9}, ("count",), "have only 8 different clips"),
        ({"kind": "compare", "count": 5}, ("count",), "have only 4 different pairs"),
    ],
)
def test_a_selection_that_cannot_be_names_its_field(
    block: dict[str, Any], where: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(SelectionError, match=sentence) as caught:
        chosen({"kind": "rate", "count": 1} | block)
    assert caught.value.where == ("trials", 0, *where)


def test_a_pair_without_its_other_order_is_refused() -> None:
    with pytest.raises(SelectionError, match="but the batch does not have each order of this pair once"):
        selected(design(trials=[{"kind": "compare", "count": 1}]), clips(orders=1))


def test_a_setting_is_its_runs_together_so_a_count_may_not_exceed_the_settings() -> None:
    with pytest.raises(SelectionError, match="have only 8 different clips") as caught:
        selected(design(trials=[{"kind": "rate", "count": 9}]), clips(runs=3))
    assert caught.value.where == ("trials", 0, "count")
    assert len(selected(design(trials=[{"kind": "rate", "count": 8}]), clips(runs=3))) == 24


def test_medoid_shows_one_clip_of_each_setting_and_needs_one() -> None:
    block = {"kind": "rate", "count": 8, "clips": "medoid"}
    assert {choice.clip.role for choice in selected(design(trials=[block]), clips(runs=3))} == {"medoid"}
    unmarked = [replace(candidate, role=None) if candidate.site == "beta" else candidate for candidate in clips(runs=3)]
    with pytest.raises(SelectionError, match=r"is .medoid., but the batch marks no clip of beta over DSL") as caught:
        selected(design(trials=[block]), unmarked)
    assert caught.value.where == ("trials", 0, "clips")


def test_a_block_may_narrow_its_contexts() -> None:
    label = TEXT
    contexts = [
        {"key": "home", "label": label, "networks": ["DSL"]},
        {"key": "plane", "label": label, "networks": ["MSS"]},
    ]
    trials = [{"kind": "rate", "count": 1, "contexts": ["home"]}, {"kind": "rate", "count": 1, "contexts": ["plane"]}]
    found = selected(design(trials=trials, contexts=contexts), clips())
    assert {(choice.block, choice.context, choice.clip.network) for choice in found} == {
        (0, "home", "DSL"),
        (1, "plane", "MSS"),
    }


def test_identical_pairs_and_controls_are_no_main_stimuli() -> None:
    special = [*identical(("alpha", "DSL", "QUIC")), clip("beta", "LTE", ("QUIC",), purpose="control")]
    plain = design(trials=[{"kind": "rate", "count": 1}])
    assert selected(plain, [*clips(), *special]) == selected(plain, clips())


def test_identical_pairs_of_the_blocks_stacks_come_with_its_pairs() -> None:
    offered = identical(("alpha", "DSL", "QUIC"), ("alpha", "LTE", "TCP"), ("beta", "MSS", "QUIC"))
    block = PAIR | {"count": 4, "training": 0, "identical": 0.2, "pairs": [["QUIC", "TCP+"]]}
    found = selected(design(trials=[block]), [*clips(), *offered])
    assert [choice.clip.sha256 for choice in found if choice.role == "identical"] == [offered[0].sha256]
    assert {choice.role for choice in found} == {"main", "identical"}


@pytest.mark.parametrize(
    ("offered", "count", "share"),
    [
        (0, 4, 0.0),
        # up to one trial of four, and of the default share up to two of eight
        (1, 4, 0.15),
        (1, 8, 0.125),
        (2, 8, 0.15),
        # one trial at least is a main one
        (2, 1, 0.0),
    ],
)
def test_a_share_that_nobody_wrote_is_as_large_as_the_batch_allows(offered: int, count: int, share: float) -> None:
    pairs = identical(("alpha", "DSL", "QUIC"), ("alpha", "LTE", "QUIC"))[:offered]
    sites = [clip(f"site {n}", "DSL", stacks) for n in range(8) for stacks in (("TCP+", "QUIC"), ("QUIC", "TCP+"))]
    study = design(trials=[PAIR | {"count": count}])
    found = select(design_of(resolve(study)), [*clips(), *sites, *pairs])
    assert [block.identical for block in found.design.blocks] == [share]


@pytest.mark.parametrize(
    ("block", "field", "sentence"),
    [
        ({"count": 4, "identical": 0.1}, "identical", "is 0.1, which is up to 1 trials, but the batch has 0 different"),
        ({"count": 1, "identical": 0.0, "repeats": 2}, "repeats", "repeats is 2, but only 1 main trials can be"),
        ({"count": 2, "training": 5}, "training", "training is 5, but the batch has 0 training clips with a known"),
    ],
)  # fmt: skip
def test_what_the_batch_cannot_give_is_refused_where_it_is_written(
    block: dict[str, Any], field: str, sentence: str
) -> None:
    with pytest.raises(SelectionError, match=sentence) as caught:
        selected(design(trials=[PAIR | block]), clips())
    assert caught.value.where == ("trials", 0, field)


def test_a_written_share_leaves_a_main_trial() -> None:
    pairs = identical(("alpha", "DSL", "QUIC"), ("alpha", "LTE", "QUIC"))
    with pytest.raises(SelectionError, match="may leave no main trial of 2"):
        selected(design(trials=[PAIR | {"count": 2, "identical": 0.9}]), [*clips(), *pairs])


def test_control_clips_go_to_the_block_that_shows_their_like_and_only_where_they_are_wanted() -> None:
    offered = [
        clip("alpha", "DSL", ("QUIC",), purpose="control"),
        clip("beta", "LTE", ("TCP+", "QUIC"), purpose="control"),
        clip("beta", "MSS", ("QUIC",), purpose="control"),
    ]
    study = design(trials=[{"kind": "rate", "count": 1}, PAIR], controls={"videos": {"count": 2}})
    found = [choice for choice in selected(study, [*clips(), *offered]) if choice.role == "control"]
    assert [(choice.block, choice.context, choice.clip.sha256) for choice in found] == [
        (0, "work", offered[0].sha256),
        (1, "work", offered[1].sha256),
    ]
    study["controls"]["videos"]["count"] = 3
    with pytest.raises(SelectionError, match="count is 3, but 2 control clips of the batch match") as caught:
        selected(study, [*clips(), *offered])
    assert caught.value.where == ("controls", "videos", "count")


def test_two_blocks_may_not_show_the_same_clip() -> None:
    trials = [{"kind": "rate", "count": 1, "sites": ["alpha"]}, {"kind": "rate", "count": 1}]
    with pytest.raises(SelectionError, match=r"trials\[1\] and trials\[0\] both select alpha over DSL") as caught:
        selected(design(trials=trials), clips())
    assert caught.value.where == ("trials", 1)


def test_a_network_is_asked_about_on_one_device() -> None:
    on_phone = [
        replace(candidate, site=f"{candidate.site}-phone", sha256=f"{candidate.sha256} phone", device="phone")
        for candidate in clips()
    ]
    rate = {"kind": "rate", "count": 1, "training": 0}
    with pytest.raises(SelectionError, match=r"trials\[0\] asks about .* on a phone over DSL.* on a desktop") as caught:
        selected(design(trials=[rate]), [*clips(), *on_phone])
    assert caught.value.where == ("trials", 0)
    apart = [rate | {"networks": ["DSL"], "sites": ["alpha"]}, rate | {"networks": ["LTE"], "sites": ["beta-phone"]}]
    found = selected(design(trials=apart), [*clips(), *on_phone])
    assert {(choice.clip.network, choice.clip.device) for choice in found} == {("DSL", "desktop"), ("LTE", "phone")}
    together = [block | {"networks": ["DSL"]} for block in apart]
    with pytest.raises(SelectionError, match=r"trials\[1\] asks about beta-phone on a phone over DSL, and the study "):
        selected(design(trials=together), [*clips(), *on_phone])


def test_of_a_file_the_line_is_named() -> None:
    text = yaml.safe_dump(json.loads(json.dumps(design(trials=[{"kind": "rate", "count": 9}]))))
    line = next(number for number, text_line in enumerate(text.splitlines(), start=1) if "count: 9" in text_line)
    with pytest.raises(StudyError, match=rf"^my.yaml, line {line}: trials\[0\].count is 9, but the selected") as caught:
        select_for(read_study_file(text, source="my.yaml"), clips())
    assert (caught.value.line, caught.value.where) == (line, ("trials", 0, "count"))


def test_a_context_that_nothing_is_shown_in_is_refused() -> None:
    label = TEXT
    contexts = [
        {"key": "home", "label": label, "networks": ["DSL"]},
        {"key": "moon", "label": label, "networks": ["2G"]},
    ]
    with pytest.raises(SelectionError, match=r"contexts\[1\] \(moon\) matches no clip of the batch") as caught:
        selected(design(trials=[{"kind": "rate", "count": 1}], contexts=contexts), clips())
    assert caught.value.where == ("contexts", 1, "networks")


def with_si(offered: list[Clip]) -> list[Clip]:
    """TCP+ and QUIC have 1000 and 800 ms over DSL, twice as much over LTE; beta is slower than alpha by a tenth."""
    each = {"TCP+": 1000.0, "QUIC": 800.0}
    slower = {"DSL": 1.0, "LTE": 2.0, "MSS": 8.0, "alpha": 1.0, "beta": 1.1}
    return [
        replace(
            candidate,
            si_ms=tuple(each[stack] * slower[candidate.network] * slower[candidate.site] for stack in candidate.stacks),
        )
        for candidate in offered
    ]


def practised(study: dict[str, Any], offered: list[Clip]) -> list[tuple[int, str, str, tuple[str, ...], str]]:
    return [
        (choice.block, choice.clip.site, choice.clip.network, choice.clip.stacks, choice.clip.purpose)
        for choice in selected(study, offered)
        if choice.role == "training"
    ]


def test_everybody_practises_with_a_fast_and_a_slow_clip_of_a_site_that_is_not_asked_about() -> None:
    block = {"kind": "rate", "count": 2, "sites": ["alpha"]}
    assert practised(design(trials=[block]), with_si(clips())) == [
        (0, "beta", "DSL", ("QUIC",), "study"),
        (0, "beta", "LTE", ("TCP+",), "study"),
    ]


def test_training_clips_of_several_numbers_are_spread_evenly() -> None:
    block = {"kind": "rate", "count": 1, "sites": ["alpha"]}
    names = {
        number: [found[2:4] for found in practised(design(trials=[block | {"training": number}]), with_si(clips()))]
        for number in (0, 1, 3)
    }
    assert names == {
        0: [],
        1: [("LTE", ("QUIC",))],
        3: [("DSL", ("QUIC",)), ("LTE", ("QUIC",)), ("LTE", ("TCP+",))],
    }


def test_comparisons_are_practised_with_an_identical_and_the_most_different_pair() -> None:
    late = replace(clip("beta", "LTE", ("TCP+", "QUIC"), purpose="control"), delays_ms=(0.0, 6000.0))
    offered = with_si([*clips(), *identical(("beta", "LTE", "QUIC")), late])
    block = {"kind": "compare", "count": 1, "sites": ["alpha"], "identical": 0}
    assert practised(design(trials=[block]), offered) == [
        (0, "beta", "LTE", ("QUIC", "QUIC"), "identical"),
        (0, "beta", "LTE", ("TCP+", "QUIC"), "control"),
    ]


def test_without_a_further_site_training_shows_what_the_study_asks_about() -> None:
    assert practised(design(trials=[{"kind": "rate", "count": 4}]), with_si(clips())) == [
        (0, "alpha", "DSL", ("QUIC",), "study"),
        (0, "beta", "LTE", ("TCP+",), "study"),
    ]


def test_a_site_for_training_is_not_asked_about() -> None:
    study = design(trials=[{"kind": "rate", "count": 4}], training_site="beta")
    found = selected(study, with_si(clips()))
    assert {(choice.role, choice.clip.site) for choice in found} == {("main", "alpha"), ("training", "beta")}
    with pytest.raises(SelectionError, match=r"trials\[0\].sites names beta, which is the training_site"):
        selected(study | {"trials": [{"kind": "rate", "count": 1, "sites": ["beta"]}]}, with_si(clips()))


def test_training_is_shown_in_every_context_and_a_default_is_lowered_to_what_there_is() -> None:
    contexts = [{"key": key, "label": TEXT, "networks": ["DSL"]} for key in ("work", "home")]
    study = design(contexts=contexts, trials=[{"kind": "rate", "count": 1, "contexts": ["work"]}, PAIR])
    of_beta = {("beta", ("QUIC",))}
    one_known = [
        replace(candidate, si_ms=(900.0,) if (candidate.site, candidate.stacks) in of_beta else ())
        for candidate in clips()
    ]
    selection = select(design_of(resolve(study)), one_known)
    taught = [(choice.context, choice.clip.site) for choice in selection.chosen if choice.role == "training"]
    assert taught == [("work", "beta"), ("home", "beta")]
    assert [block.training for block in selection.design.blocks] == [1, 0]
    with pytest.raises(SelectionError, match=r"training is 2, but the batch has 1 training clips .*at most 1\."):
        selected(study | {"trials": [study["trials"][0] | {"training": 2}, PAIR]}, one_known)


def lasting(site: str, seconds: float) -> list[Clip]:
    """All clips, those of one site so long."""
    return [
        replace(candidate, duration_ms=1000 * seconds) if candidate.site == site else candidate for candidate in clips()
    ]


def test_clips_longer_than_the_study_states_are_left_out_in_all_stacks_alike() -> None:
    study = design(trials=[{"kind": "rate", "count": 1}], max_clip_s=30)
    found = selected(study, lasting("beta", 30.1))
    assert {choice.clip.site for choice in found} == {"alpha"}
    assert {choice.clip.stacks for choice in found} == {("TCP+",), ("QUIC",)}
    assert {choice.clip.site for choice in selected(study, lasting("beta", 30))} == {"alpha", "beta"}


def test_where_too_few_clips_are_left_the_error_names_the_length() -> None:
    study = design(trials=[{"kind": "rate", "count": 8, "training": 0}], max_clip_s=30)
    too_few = r"only 4 different clips, .* max_clip_s, which is 30, excludes 12 of the batch's 24"
    with pytest.raises(SelectionError, match=too_few):
        selected(study, lasting("beta", 31))
    with pytest.raises(SelectionError, match=r"max_clip_s is 0.5, but the shortest clip of the batch lasts 1.0 s"):
        selected(study | {"max_clip_s": 0.5}, clips())
