"""Checks a study against the contract study.1, and for contradictions that a schema cannot express."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from eyelevel_core.contracts.check import ContractError, Where, check, check_schema, schema
from eyelevel_core.study.design import Block, Design, Group, Looks
from eyelevel_core.study.hypotheses import of_hypothesis
from eyelevel_core.study.parse import dotted
from eyelevel_core.study.recruiter import CODE, EARNED, ID, OTHER, PLACEHOLDER, UNEARNED, Recruiter
from eyelevel_core.study.resolve import CONTRACT, block_schema, design_of, resolve
from eyelevel_core.study.storable import imprecise, unstorable
from eyelevel_kinds import KINDS

Problem = tuple[Where, str]


def check_study(value: Any, *, source: str) -> tuple[dict[str, Any], Design]:
    """The study with every default applied, as JSON and typed; raises ContractError if it is wrong.

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
    - numbers are finite, and whole numbers are written without a decimal point.
    """
    _raise_first(unstorable(value), source)
    _check_kinds(value, source)
    check(value, CONTRACT, source=source)
    _raise_first(_imprecise(value), source)
    resolved = resolve(value)
    design = design_of(resolved)
    _raise_first(_missing_texts(value), source)
    _raise_first(_contradictions(design), source)
    return resolved, design


def _raise_first(problems: Iterator[Problem], source: str) -> None:
    for where, sentence in problems:
        raise ContractError(f"{source}: {dotted(where) or 'the file'} {sentence}", where)


def _check_kinds(value: Any, source: str) -> None:
    """Check each block by the schema of its kind, which defines further fields."""
    blocks = value.get("trials") if isinstance(value, dict) else None
    if not isinstance(blocks, list):
        return
    for number, block in enumerate(blocks):
        if not isinstance(block, dict) or "kind" not in block:
            continue
        kind = block["kind"]
        if not isinstance(kind, str) or kind not in KINDS:
            sentence = f"{source}: trials[{number}].kind is {kind!r}, but must be one of {', '.join(KINDS)}."
            raise ContractError(sentence, ("trials", number, "kind"))
        check_schema(block, block_schema(kind), source=source, where=("trials", number))


def _imprecise(study: Mapping[str, Any]) -> Iterator[Problem]:
    yield from imprecise(study, schema(CONTRACT))
    for number, block in enumerate(study["trials"]):
        yield from imprecise(block, block_schema(block["kind"]), ("trials", number))


def _missing_texts(study: Mapping[str, Any]) -> Iterator[Problem]:
    for where, text in _texts(study, schema(CONTRACT), ()):
        for language in study["languages"]:
            if not text.get(language, "").strip():
                yield where, f"has no text in {language}, which languages lists; add it."


def _texts(value: Any, form: Mapping[str, Any], where: Where) -> Iterator[tuple[Where, Mapping[str, str]]]:
    """Every text of the study: the objects whose keys are languages in the contract."""
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
    networks = {context.key: context.networks for context in design.contexts}
    for number, block in enumerate(design.blocks):
        yield from _of_block(("trials", number), block, networks)
    for number, key in enumerate(networks):
        if all(key not in block.contexts for block in design.blocks):
            yield ("contexts", number), f"({key}) is in no block; name it in a block's contexts or delete it."
    for number, hypothesis in enumerate(design.plan.hypotheses):
        yield from of_hypothesis(("plan", "hypotheses", number), hypothesis, design)
    yield from _of_looks(design.plan.looks)
    yield from _of_recruiters(design.groups)
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
            yield (*where, number), f"repeats {name}; each name may be listed once."
        seen.add(name)


def _of_block(where: Where, block: Block, networks: Mapping[str, Iterable[str]]) -> Iterator[Problem]:
    """`networks` are those of each context, by the context's key."""
    for field, names in (("sites", block.sites), ("networks", block.networks), ("stacks", block.own.get("stacks"))):
        yield from _repeated((*where, field), names or ())
    for number, context in enumerate(block.contexts):
        if context not in networks:
            yield (*where, "contexts", number), f"is {context}, but the study's contexts are {', '.join(networks)}."
    known = sorted({network for context in block.contexts for network in networks.get(context, [])})
    for number, network in enumerate(block.networks or ()):
        if network not in known:
            sentence = f"is {network}, but the networks of the block's contexts are {', '.join(known)}."
            yield (*where, "networks", number), sentence
    if block.repeats > block.count:
        sentence = (
            f"is {block.repeats}, but the block has only {block.count} trials to repeat; lower it or raise count."
        )
        yield (*where, "repeats"), sentence
    for at, says in KINDS[block.kind].contradictions(block.own):
        yield (*where, *at), says


def _of_looks(looks: Looks | None) -> Iterator[Problem]:
    """Each later than the one before, and all before the end."""
    before = 0
    for number, sessions in enumerate(() if looks is None else looks.at):
        where: Where = ("plan", "looks", "at", number)
        if sessions <= before:
            yield where, f"is {sessions}, but the look before it is at {before}; write the looks in rising order."
        if looks is not None and sessions >= looks.planned:
            quota = f"the quotas together are {looks.planned} sessions"
            yield where, f"is {sessions}, but {quota}, and the end needs no look; lower it or delete it."
        before = sessions


def _of_recruiters(groups: Iterable[Group]) -> Iterator[Problem]:
    for number, group in enumerate(groups):
        if group.recruiter is not None:
            where: Where = ("groups", number, "recruiter")
            yield from _of_addresses(where, group.recruiter)
            yield from _of_earned(where, group.recruiter)


def _of_addresses(where: Where, recruiter: Recruiter) -> Iterator[Problem]:
    addresses: list[tuple[Where, str]] = [((*where, "returns", end), url) for end, url in recruiter.returns.items()]
    if recruiter.return_url is not None:
        addresses.append(((*where, "return_url"), recruiter.return_url))
    for at, url in addresses:
        host = re.split("[/?#]", url.removeprefix("https://"), maxsplit=1)[0]
        if "{" in host:
            yield at, f"has a placeholder in its host, {host}, so a link could lead anywhere; write the host in full."
        if left := re.search(r"[{}]", PLACEHOLDER.sub("", url)):
            yield at, f"has a {left[0]} that belongs to no {{code}}, {{id}} or {{PARAMETER}} of the link; delete it."
    with_code = {"completed", *recruiter.codes, *(UNEARNED if OTHER in recruiter.codes else ())}
    for end, url in recruiter.returns.items():
        if CODE in url and end not in with_code:
            yield (*where, "returns", end), f"contains {{code}}, but codes has none for {end}; add it."


def _of_earned(where: Where, recruiter: Recruiter) -> Iterator[Problem]:
    """Only participants who complete the study may read what pays; the page gives everybody the other ways back.

    The ways back are compared as they are sent, with their codes filled in.
    """
    earned = [recruiter.way_back(end) for end in EARNED]
    secrets = [text for way in earned for text in (way.code, way.url) if text is not None]
    for end in UNEARNED:
        public = recruiter.way_back(end)
        for name, entries, told in (
            ("codes", recruiter.codes, public.code),
            ("returns", recruiter.returns, public.url),
        ):
            secret = next((one for one in secrets if told is not None and _reveals(told, one, recruiter)), None)
            if secret is not None:
                key = next((key for key in (end, OTHER) if key in entries), None)
                place: Where = ("return_url",) if key is None else (name, key)
                sentence = f"gives everybody {told}, but only participants who complete the study may read {secret}"
                yield (*where, *place), f"{sentence}; use another code or URL."


def _reveals(told: str, secret: str, recruiter: Recruiter) -> bool:
    """Whether the two codes or URLs are the same, or one is a code that the other contains as a whole word."""
    by_name = "{" + recruiter.id_parameter + "}"
    told, secret = told.replace(by_name, ID), secret.replace(by_name, ID)
    return told == secret or _contains(told, secret) or _contains(secret, told)


def _contains(text: str, code: str) -> bool:
    """Whether the text contains the code; of a URL, what follows its host."""
    value = unquote(PLACEHOLDER.sub("", re.sub("^https://[^/?#]*", "", text)))
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(code)}(?![A-Za-z0-9])", value) is not None


def _of_control_questions(design: Design) -> Iterator[Problem]:
    for number, question in enumerate(design.controls.questions):
        where: Where = ("controls", "questions", number)
        choices = [choice.key for choice in question.choices]
        if question.right not in choices:
            yield (*where, "right"), f"is {question.right}, but must be one of its choices {', '.join(choices)}."
        if question.after > design.trial_count:
            asked = f"is {question.after}, but a participant has only {design.trial_count} trials"
            yield (*where, "after"), f"{asked}; write {design.trial_count} or less."
