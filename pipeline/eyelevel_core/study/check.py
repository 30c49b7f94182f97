"""Checks a study against the contract study.1, for contradictions that a schema cannot express, and for its names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from eyelevel_core.contracts.check import ContractError, schema, schema_problems
from eyelevel_core.contracts.sentences import Form, Known, Problem, Where, displayed, sentence, without_caused
from eyelevel_core.study.design import Block, Context, Design, Looks
from eyelevel_core.study.hypotheses import of_hypothesis
from eyelevel_core.study.names import Names, impossible_names, known_names, unknown_names
from eyelevel_core.study.repair import repaired
from eyelevel_core.study.resolve import CONTRACT, block_schema, design_of, resolve
from eyelevel_core.study.storable import imprecise, unstorable
from eyelevel_core.study.ways_back import of_recruiters
from eyelevel_core.suggestions import did_you_mean, these
from eyelevel_kinds import KINDS

# largest number of problems that are reported for one file
MOST = 100
# rounds of repair: a corrected name may reveal further faults below it
ROUNDS = 5


class WrongStudyError(ContractError):
    """A study has one or more problems; the text has a line for each.

    `renamed` has the place at which the author wrote a field, by the place of its problems after a repair.
    """

    def __init__(self, problems: Sequence[Problem], renamed: Mapping[Where, Where], *, source: str) -> None:
        lines = [f"{source}: {sentence(problem)}" for problem in problems]
        super().__init__("\n".join(lines), problems[0].where)
        self.problems = problems
        self.renamed = renamed


@dataclass
class _Problems:
    """Problems of a study; `edited` are the places whose value is no longer that of the author."""

    problems: list[Problem] = field(default_factory=list)
    edited: list[Where] = field(default_factory=list)
    renamed: dict[Where, Where] = field(default_factory=dict)

    def add(self, problems: Iterable[Problem]) -> None:
        """Adds the problems that are not a consequence of earlier ones."""
        unedited = [new for new in problems if not any(_inside(new.where, place) for place in self.edited)]
        wrong = [*self.edited, *(problem.where for problem in (*self.problems, *unedited))]
        taken = {problem.where for problem in self.problems}
        for problem in unedited:
            other_places = [place for place in wrong if place != problem.where]
            caused = any(_inside(place, of) or _inside(of, place) for of in problem.because for place in other_places)
            if problem.where not in taken and not caused:
                self.problems.append(problem)
                taken.add(problem.where)

    def edit(self, problems: Iterable[Problem]) -> None:
        """Records the places that a repair of these problems changes."""
        for problem in problems:
            if problem.fault == "unknown" and problem.meant is not None:
                meant = (*problem.where[:-1], problem.meant)
                self.renamed[meant] = problem.where
                # the value is part of the name
                self.edited += [meant] if ":" in str(problem.where[-1]) else []
            elif problem.fault == "continued":
                self.edited.append((*problem.where[:-1], problem.meant or ""))
            elif problem.meant is None and problem.where[2:] == ("kind",):
                # the fields of a block of unknown kind are unknown, too
                self.edited.append(problem.where[:2])
            self.edited.append(problem.where)


def check_study(value: Any, *, source: str, names: Names | None = None) -> tuple[dict[str, Any], Design]:
    """Returns the study with every default applied, as JSON and typed; raises WrongStudyError with all problems.

    Beyond the contract's schema:

    - every text exists in every language of the study;
    - keys of contexts, groups, questions, choices, control questions and hypotheses are unique;
    - a block lists nothing twice, only contexts of the study and networks of its contexts, compares two different
      stacks, and repeats no more trials than it has;
    - the right answer of a control question is one of its choices, and the question comes before the end;
    - a hypothesis with a kind has all that a program needs to answer it, about stacks and networks of the study;
    - planned looks rise, and come before all quotas are complete;
    - a recruiter's addresses contain only placeholders that can be filled, and the codes and addresses of completion
      cannot be read from those of other ends;
    - numbers are finite, and whole numbers are written without a decimal point;
    - with the `names` of a batch, the batch has every site, network and stack that the study names.

    A problem that is a consequence of another one is not reported.
    """
    faults, known = _Problems(), known_names(value, names)
    study = value
    for _ in range(ROUNDS):
        problems = without_caused(list(islice(_of_form(study, known), MOST)))
        if not problems:
            break
        # a repair may leave a group or list without entries
        faults.add(problem for problem in problems if not any(_inside(place, problem.where) for place in faults.edited))
        faults.edit(problems)
        study = repaired(study, problems)
    else:
        raise WrongStudyError(faults.problems, faults.renamed, source=source)
    resolved = resolve(study)
    design = design_of(resolved)
    faults.add(islice(_of_content(study, design, names), MOST))
    if faults.problems:
        raise WrongStudyError(faults.problems, faults.renamed, source=source)
    return resolved, design


def _inside(where: Where, place: Where) -> bool:
    return where[: len(place)] == place


def _of_form(study: Any, known: Known) -> Iterator[Problem]:
    """Yields violations of the schemas of contract and kinds, and values that cannot be stored."""
    yield from unstorable(study)
    yield from _of_kinds(study, known)
    yield from schema_problems(study, schema(CONTRACT), known=known)


def _of_kinds(study: Any, known: Known) -> Iterator[Problem]:
    """Checks each block against the schema of its kind, which defines further fields."""
    blocks = study.get("trials") if isinstance(study, dict) else None
    for number, block in enumerate(blocks if isinstance(blocks, list) else ()):
        kind = block.get("kind") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind in KINDS:
            yield from schema_problems(block, block_schema(kind), ("trials", number), known)
        elif isinstance(block, dict) and "kind" in block:
            yield from schema_problems(kind, {"enum": [*KINDS]}, ("trials", number, "kind"))


def _of_content(study: Mapping[str, Any], design: Design, names: Names | None) -> Iterator[Problem]:
    yield from _imprecise(study)
    yield from _missing_texts(study)
    yield from impossible_names(design) if names is None else unknown_names(design, names)
    yield from _contradictions(design)


def _imprecise(study: Mapping[str, Any]) -> Iterator[Problem]:
    yield from imprecise(study, schema(CONTRACT))
    for number, block in enumerate(study["trials"]):
        yield from imprecise(block, block_schema(block["kind"]), ("trials", number))


def _missing_texts(study: Mapping[str, Any]) -> Iterator[Problem]:
    for where, text in _texts(study, schema(CONTRACT), ()):
        for language in study["languages"]:
            if not text.get(language, "").strip():
                lists = f"languages lists {language}"
                says = f"has no text in {language}, but {lists}; add the text, or remove {language} there."
                yield Problem(where, says, because=[("languages",)], beside=("languages",))


def _texts(value: Any, form: Form, where: Where) -> Iterator[tuple[Where, Mapping[str, str]]]:
    """Yields every text of the study: the objects whose keys are languages in the contract."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, form.get("items", {}), (*where, number))
    elif isinstance(value, dict):
        if "propertyNames" in form:
            yield where, value
        for key, part in form.get("properties", {}).items():
            if key in value:
                yield from _texts(value[key], part, (*where, key))


def _contradictions(design: Design) -> Iterator[Problem]:
    yield from _duplicate_keys(design)
    for number, block in enumerate(design.blocks):
        yield from _of_block(("trials", number), block, design.contexts)
    shown: list[Where] = [("trials", number, "contexts") for number in range(len(design.blocks))]
    for number, key in enumerate(design.context_keys):
        if all(key not in block.contexts for block in design.blocks):
            says = f"({key}) is in no block; name it in a block's contexts or delete it."
            yield Problem(("contexts", number), says, because=[*shown, ("contexts", number, "key")])
    for number, hypothesis in enumerate(design.plan.hypotheses):
        yield from of_hypothesis(("plan", "hypotheses", number), hypothesis, design)
    yield from _of_looks(design.plan.looks, len(design.groups))
    yield from of_recruiters(design.groups)
    yield from _of_control_questions(design)


def _duplicate_keys(design: Design) -> Iterator[Problem]:
    lists: list[tuple[Where, Iterable[str]]] = [
        (("contexts",), design.context_keys),
        (("groups",), design.group_keys),
        (("questions",), [question.key for question in design.questions]),
        (("controls", "questions"), [question.key for question in design.controls.questions]),
        (("plan", "hypotheses"), [hypothesis.key for hypothesis in design.plan.hypotheses]),
    ]
    for number, question in enumerate(design.questions):
        lists.append((("questions", number, "choices"), [choice.key for choice in question.choices]))
    for number, control in enumerate(design.controls.questions):
        lists.append((("controls", "questions", number, "choices"), [choice.key for choice in control.choices]))
    for where, keys in lists:
        yield from _repeated(where, keys)


def _repeated(where: Where, names: Iterable[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            yield Problem((*where, number), f"repeats {displayed(name)}; each name may be listed once.")
        seen.add(name)


def _of_block(where: Where, block: Block, contexts: Sequence[Context]) -> Iterator[Problem]:
    for name, names in (
        ("sites", block.sites),
        ("networks", block.networks),
        ("stacks", block.kind_fields.get("stacks")),
    ):
        yield from _repeated((*where, name), names or ())
    keys = [context.key for context in contexts]
    named: list[Where] = [("contexts", number, "key") for number in range(len(contexts))]
    for number, key in enumerate(block.contexts):
        if key not in keys:
            have = these("contexts", keys, whose="the study's")
            says = f"is {displayed(key)}, but {have}.{did_you_mean(key, keys)}"
            yield Problem((*where, "contexts", number), says, because=named)
    known = sorted({network for context in contexts if context.key in block.contexts for network in context.networks})
    shown: list[Where] = [*named, (*where, "contexts")]
    shown += [("contexts", number, "networks") for number in range(len(contexts))]
    for number, network in enumerate(block.networks or ()):
        if network not in known:
            have = these("networks", known, of="of the block's contexts")
            says = f"is {displayed(network)}, but {have}.{did_you_mean(network, known)}"
            yield Problem((*where, "networks", number), says, because=shown)
    if block.repeats > block.count:
        says = f"is {block.repeats}, but the block has only {block.count} trials to repeat; lower it or raise count."
        yield Problem((*where, "repeats"), says, because=[(*where, "count")])
    for at, says in KINDS[block.kind].contradictions(block.kind_fields):
        yield Problem((*where, *at), says)


def _of_looks(looks: Looks | None, groups: int) -> Iterator[Problem]:
    """Checks that each look is later than the one before, and that all are before the end."""
    quotas: list[Where] = [("quota",), *(("groups", number, "quota") for number in range(groups))]
    before = 0
    for number, sessions in enumerate(() if looks is None else looks.at):
        where: Where = ("plan", "looks", "at", number)
        if sessions <= before:
            yield Problem(
                where, f"is {sessions}, but the look before it is at {before}; write the looks in rising order."
            )
        if looks is not None and sessions >= looks.planned:
            total = f"{looks.planned} session{'' if looks.planned == 1 else 's'}"
            quota = f"the quotas add up to {total} and the final analysis is not a look"
            most = looks.planned - 1
            delete = "delete looks" if len(looks.at) == 1 else "delete it"
            cure = f"write at most {most} or {delete}" if most > before else delete
            says = f"is {sessions}, but must be below {looks.planned}, because {quota}; {cure}."
            yield Problem(where, says, because=quotas)
        before = sessions


def _of_control_questions(design: Design) -> Iterator[Problem]:
    parts = ("count", "training", "repeats")
    counts: list[Where] = [("trials", number, part) for number in range(len(design.blocks)) for part in parts]
    for number, question in enumerate(design.controls.questions):
        where: Where = ("controls", "questions", number)
        choices = [choice.key for choice in question.choices]
        if question.right not in choices:
            says = f"is {displayed(question.right)}, but must be one of its choices {', '.join(choices)}."
            says += did_you_mean(question.right, choices)
            yield Problem((*where, "right"), says, because=[(*where, "choices")])
        if question.after > design.trial_count:
            asked = f"is {question.after}, but a participant has only {design.trial_count} trials"
            says = f"{asked}; write {design.trial_count} or less."
            yield Problem((*where, "after"), says, because=counts)
