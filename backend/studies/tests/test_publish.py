"""Publishing freezes: the same file is the same study, and it never changes."""

from collections import Counter

import pytest
import yaml
from batches import add_for_researchers, folder

from eyelevel_core.contracts import canonical_json, sha256_of_bytes
from eyelevel_core.study.design import Group
from eyelevel_core.study.file import read_study_file
from lib.problems import Problem
from stimuli.models import Batch
from studies.lifecycle import by_use, change_state, effective_states
from studies.models import Fielding, FieldingState, Slot, Stimulus, Study
from studies.publish import publish
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def batch(db: None) -> Batch:
    return studies.visible_batch()


def test_a_study_is_named_by_its_frozen_text(batch: Batch) -> None:
    study = studies.study()
    assert study.sha256 == sha256_of_bytes(study.frozen_text.encode())
    assert study.frozen_text.encode() == canonical_json(study.frozen)
    assert study.design.batch == batch.sha256


def test_no_study_shows_a_clip_for_researchers(db: None) -> None:
    batch_folder = folder()
    painted = {add_for_researchers(batch_folder, f"with marks {like}".encode(), like=like) for like in range(16)}
    studies.visible_batch(batch_folder)
    study = studies.study()
    shown = {stimulus["clip"] for stimulus in study.frozen["stimuli"]}
    assert len(shown) == 16
    assert not shown & painted


def test_defaults_are_applied(batch: Batch) -> None:
    study = studies.study(questions=[studies.AGE])
    assert study.design.blocks[1].kind_fields["min_width_px"] == 1024
    assert study.design.questions[0].required is True
    assert sorted(study.design.instructions) == ["de", "en"]
    assert study.frozen["kinds"] == {"rate": 2, "compare": 2}
    assert study.design.groups == (Group("volunteer", sessions=6),)
    assert study.design.blocks[0].contexts == ("work",)
    assert study.design.session.resume == "resume"
    assert list(study.design.conformance.rules) == [f"R{number}" for number in range(1, 10)]
    # what is frozen is a valid study file, and resolves to itself
    file = read_study_file(yaml.safe_dump(study.frozen["study"]), source="study")
    assert (file.resolved, file.design) == (study.frozen["study"], study.design)


def test_a_study_may_switch_off_one_rule(batch: Batch) -> None:
    rules = studies.study(conformance={"R5": {"use": False}}).design.conformance.rules
    assert {name: rule.use for name, rule in rules.items()} == {f"R{number}": number != 5 for number in range(1, 10)}
    assert rules["R1"].pay is False


def test_each_group_gets_a_fielding_with_its_own_quota(batch: Batch) -> None:
    groups = [{"key": "paid", "quota": {"sessions": 2}}, {"key": "volunteer"}]
    study = studies.study(groups=groups)
    by_group = {fielding.group: fielding for fielding in study.fieldings.all()}
    assert {group: fielding.quota_sessions for group, fielding in by_group.items()} == {"paid": 2, "volunteer": 6}
    assert {group: fielding.slots.count() for group, fielding in by_group.items()} == {"paid": 12, "volunteer": 36}
    assert len({fielding.slug for fielding in by_group.values()}) == 2


def test_only_the_group_that_has_no_open_fielding_gets_a_new_one(batch: Batch) -> None:
    groups = [{"key": "paid"}, {"key": "volunteer"}]
    closed = studies.study(groups=groups).fieldings.get(group="paid")
    change_state(closed, FieldingState.CLOSED)
    study = studies.study(groups=groups)
    assert sorted(study.fieldings.values_list("group", "state")) == [
        ("paid", "closed"),
        ("paid", "open"),
        ("volunteer", "open"),
    ]
    fieldings = study.fieldings.all()
    in_order = by_use(fieldings, groups=["paid", "volunteer"], states=effective_states(fieldings))
    assert [(fielding.group, fielding.state) for fielding in in_order] == [
        ("paid", "open"),
        ("volunteer", "open"),
        ("paid", "closed"),
    ]


def test_the_same_file_again_is_the_same_study(batch: Batch) -> None:
    assert studies.study() == studies.study()
    assert (Study.objects.count(), Fielding.objects.count(), Stimulus.objects.count()) == (1, 1, 16)


@pytest.mark.parametrize("state", ["open", "paused"])
def test_a_study_that_is_in_the_field_gets_no_second_fielding(batch: Batch, state: str) -> None:
    studies.study()
    Fielding.objects.update(state=state)
    studies.study()
    assert Fielding.objects.count() == 1


def test_a_closed_study_published_again_gets_a_new_fielding_with_its_own_slots(batch: Batch) -> None:
    first = studies.study().fieldings.get()
    slots = first.slots.count()
    change_state(first, FieldingState.CLOSED)
    second = studies.study().fieldings.exclude(pk=first.pk).get()
    assert (second.state, second.quota_sessions, second.slots.count()) == ("open", 6, slots)
    first.refresh_from_db()
    assert (first.state, Study.objects.count(), Stimulus.objects.count()) == ("closed", 1, 16)


@pytest.mark.parametrize("times", [2, 5])
def test_however_often_a_group_is_fielded_its_cells_have_the_same_number_of_votes(db: None, times: int) -> None:
    # six settings, of which each of five people sees four: 20 votes do not divide evenly
    studies.visible_batch(folder(sites=("alpha", "beta", "gamma"), networks=("DSL",)))
    contexts = [{"key": "work", "label": {"en": "at work", "de": "bei der Arbeit"}, "networks": ["DSL"]}]
    groups = [{"key": "paid", "quota": {"sessions": 5}}, {"key": "volunteer", "quota": {"sessions": 3}}]
    for _ in range(times):
        study = studies.study(contexts=contexts, groups=groups, trials=[{"kind": "rate", "count": 4}])
        study.fieldings.update(state=FieldingState.CLOSED)
    for group, quota in (("paid", 5), ("volunteer", 3)):
        slots = Slot.objects.filter(fielding__group=group)
        counts = Counter(slots.values_list("stimulus", flat=True))
        assert (sum(counts.values()), slots.values("fielding").distinct().count()) == (4 * quota * times, times)
        each = [counts[stimulus] for stimulus in study.stimuli.values_list("pk", flat=True)]
        assert len(each) == 6
        assert max(each) - min(each) <= 1


def test_a_full_study_published_again_gets_a_new_fielding(batch: Batch) -> None:
    studies.study()
    Slot.objects.update(state="assigned")
    assert studies.study().fieldings.count() == 2


def test_another_word_is_another_study(batch: Batch) -> None:
    first = studies.study()
    second = studies.study(contact="someone@example.org", parent=first.sha256)
    assert first.sha256 != second.sha256
    assert second.parent_sha256 == first.sha256


def test_a_campaigns_name_means_its_newest_batch_and_is_frozen_as_a_digest(batch: Batch) -> None:
    newer = studies.visible_batch(folder(lambda number: f"newer {number}".encode()))
    assert studies.study().batch == newer
    assert studies.study(batch=batch.sha256).batch == batch


def test_the_quota_becomes_slots_of_equal_number(batch: Batch) -> None:
    studies.study()
    per_stimulus = Counter(Slot.objects.values_list("stimulus__kind", "stimulus_id"))
    # 6 sessions x 4 ratings over 8 clips, and 6 x 2 comparisons over 8 clips in both orders
    assert sorted(per_stimulus.values()) == [1, 1, 1, 1] + [2] * 4 + [3] * 8
    assert sum(votes for (kind, _), votes in per_stimulus.items() if kind == "rate") == 24


@pytest.mark.parametrize(
    ("changes", "line_start", "sentence"),
    [
        ({"batch": "large"}, "batch:", "batch is .large., but this platform has no batch with this digest or campaign"),
        ({"parent": "0" * 64}, "parent:", "parent is .0{64}., but this platform has no such study"),
        ({"trials": [{"kind": "rate", "count": 40}]}, "- count:", "have only 8 different clips"),
        ({"trials": [{"kind": "rank", "count": 1}]}, "  kind: rank", r"trials\[0\]"),
    ],
)
def test_what_cannot_be_published_names_its_line(
    batch: Batch, changes: dict[str, object], line_start: str, sentence: str
) -> None:
    text = yaml.safe_dump(studies.design(**changes))
    with pytest.raises(Problem, match=sentence) as caught:
        publish(text, user=None)
    problem = caught.value
    assert (problem.status, problem.code) == (422, "invalid_study")
    number = problem.details["line"]
    assert isinstance(number, int)
    line = text.splitlines()[number - 1]
    assert line.startswith(line_start)
    assert Study.objects.count() == 0


def test_all_that_is_wrong_is_answered_at_once(batch: Batch) -> None:
    """With the sentences of the command, which has the same function."""
    pair = {
        "key": "H1",
        "says": "x",
        "kind": "rate",
        "pair": ["TCP+", "QIUC"],
        "networks": "pooled",
        "expects": "higher",
    }
    changes = {"trials": [{"kind": "rate", "count": "two", "sites": ["alhpa"]}], "plan": {"hypotheses": [pair]}}
    text = yaml.safe_dump(studies.design(**changes))
    with pytest.raises(Problem) as caught:
        publish(text, user=None)
    faults = caught.value.details["faults"]
    assert isinstance(faults, list)
    assert {fault["field"]: fault["message"] for fault in faults} == {
        "plan.hypotheses[0].pair[1]": 'plan.hypotheses[0].pair[1] is "QIUC", but the stacks of the batch are QUIC, '
        "TCP+. Did you mean QUIC?",
        "trials[0].count": 'trials[0].count is "two", but must be a whole number from 1 to 200.',
        "trials[0].sites[0]": 'trials[0].sites[0] is "alhpa", but the sites of the batch are alpha, beta. '
        "Did you mean alpha?",
    }
    lines = text.splitlines()
    assert [lines[fault["line"] - 1].strip() for fault in faults] == ["- QIUC", "- count: two", "- alhpa"]
    assert str(caught.value).splitlines() == [f"study, line {fault['line']}: {fault['message']}" for fault in faults]


def test_a_batch_that_is_still_arriving_is_not_there(batch: Batch) -> None:
    Batch.objects.update(state="receiving")
    with pytest.raises(Problem, match="this platform has no batch with this digest or campaign"):
        studies.study()


@pytest.mark.parametrize(
    ("now", "to", "allowed"),
    [
        ("open", "paused", True),
        ("open", "closed", True),
        ("open", "open", True),
        ("paused", "open", True),
        ("paused", "closed", True),
        ("closed", "open", False),
        ("closed", "paused", False),
        ("closed", "closed", True),
    ],
)
def test_a_fielding_moves_by_its_table(batch: Batch, now: str, to: str, allowed: bool) -> None:
    fielding = studies.study().fieldings.get()
    Fielding.objects.update(state=now)
    fielding.refresh_from_db()
    if allowed:
        change_state(fielding, FieldingState(to))
    else:
        with pytest.raises(Problem, match=f"The fielding {fielding.slug} is {now}, and cannot become {to}") as caught:
            change_state(fielding, FieldingState(to))
        assert (caught.value.status, caught.value.code) == (409, "not_allowed")
    assert Fielding.objects.get().state == (to if allowed else now)
