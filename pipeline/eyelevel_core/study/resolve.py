"""Resolves a study file: applies every default, and reads the result into the typed design."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from eyelevel_core.contracts.check import schema
from eyelevel_core.contracts.defaults import with_defaults
from eyelevel_core.study.asking import networks_about
from eyelevel_core.study.design import (
    Block,
    Choice,
    Conformance,
    Consent,
    Context,
    ControlQuestion,
    Controls,
    ControlVideos,
    Design,
    Ethics,
    Group,
    Hypothesis,
    Looks,
    Pay,
    Plan,
    Question,
    Retention,
    Rule,
    SessionPolicy,
)
from eyelevel_core.study.instructions import INSTRUCTIONS
from eyelevel_core.study.recruiter import Recruiter
from eyelevel_kinds import KINDS

CONTRACT = "study.1"
# by default, before the first block of a kind
TRAINING = 2
# the part of the frozen JSON; its keys are the contract's, so it stays a mapping
Json = Mapping[str, Any]


def resolve(study: Json) -> dict[str, Any]:
    """Returns a copy of a valid study (contract study.1) with every default applied; resolving twice changes nothing.

    Besides the defaults of the contract: a group has the study's quota, a block all contexts, the first block of each
    kind two training trials, and the instructions are the platform's.
    """
    resolved: dict[str, Any] = with_defaults(study, schema(CONTRACT))
    resolved["trials"] = [with_defaults(block, block_schema(block["kind"])) for block in resolved["trials"]]
    for group in resolved["groups"]:
        group.setdefault("quota", dict(resolved["quota"]))
    for block in resolved["trials"]:
        block.setdefault("contexts", [context["key"] for context in resolved["contexts"]])
    practised: set[str] = set()
    for block in resolved["trials"]:
        block.setdefault("training", 0 if block["kind"] in practised else TRAINING)
        practised.add(block["kind"])
    resolved.setdefault("instructions", {language: INSTRUCTIONS[language] for language in resolved["languages"]})
    return resolved


def block_schema(kind: str) -> dict[str, Any]:
    """Returns the JSON Schema of a block of this kind: the fields of all blocks, and those of the kind."""
    shared = schema(CONTRACT)["properties"]["trials"]["items"]
    of_kind = KINDS[kind].block
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*shared["required"], *of_kind.get("required", [])],
        "properties": {**shared["properties"], "kind": {"const": kind}, **of_kind["properties"]},
    }


def design_of(resolved: Json) -> Design:
    """Returns the typed design of a resolved study."""
    contexts = tuple(
        Context(context["key"], context["label"], tuple(context["networks"])) for context in resolved["contexts"]
    )
    blocks = tuple(_block(block) for block in resolved["trials"])
    return Design(
        name=resolved["name"],
        seed=resolved["seed"],
        languages=tuple(resolved["languages"]),
        title=resolved["title"],
        contact=resolved["contact"],
        consent=Consent(**resolved["consent"]),
        instructions=resolved["instructions"],
        batch=resolved["batch"],
        contexts=contexts,
        context_order=resolved["order"]["contexts"],
        questions=tuple(Question(**question | {"choices": _choices(question)}) for question in resolved["questions"]),
        blocks=blocks,
        controls=Controls(
            ControlVideos(**resolved["controls"]["videos"]),
            tuple(
                ControlQuestion(**question | {"choices": _choices(question)})
                for question in resolved["controls"]["questions"]
            ),
        ),
        groups=tuple(_group(group) for group in resolved["groups"]),
        session=SessionPolicy(**resolved["session"]),
        conformance=_conformance(resolved["conformance"]),
        plan=_plan(resolved, contexts, blocks),
        parent=resolved.get("parent"),
        ethics=Ethics(**resolved["ethics"]) if "ethics" in resolved else None,
        retention=Retention(**resolved["retention"]) if "retention" in resolved else None,
        debriefing=resolved.get("debriefing"),
        pay=Pay(**resolved["pay"]) if "pay" in resolved else None,
        training_site=resolved.get("training_site"),
        max_clip_s=resolved.get("max_clip_s"),
    )


def _plan(resolved: Json, contexts: Iterable[Context], blocks: Sequence[Block]) -> Plan:
    plan = resolved["plan"]
    looks = None
    if "looks" in plan:
        planned = sum(group["quota"]["sessions"] for group in resolved["groups"])
        looks = Looks(tuple(plan["looks"]["at"]), plan["looks"]["spending"], planned)
    shown_in = {context.key: context.networks for context in contexts}
    hypotheses = tuple(_hypothesis(hypothesis, shown_in, blocks) for hypothesis in plan["hypotheses"])
    return Plan(**{**plan, "hypotheses": hypotheses, "looks": looks})


def _hypothesis(hypothesis: Json, shown_in: Mapping[str, Iterable[str]], blocks: Iterable[Block]) -> Hypothesis:
    lists = {name: tuple(hypothesis[name]) for name in ("pair", "over") if name in hypothesis}
    resolved = Hypothesis(**{**hypothesis, **lists})
    if resolved.networks == "each" and resolved.over is None and resolved.pair is not None:
        return replace(resolved, over=networks_about(resolved.pair, resolved.kind, shown_in, blocks) or None)
    return resolved


def _choices(question: Json) -> tuple[Choice, ...]:
    return tuple(Choice(**choice) for choice in question["choices"])


def _block(block: Json) -> Block:
    names = KINDS[block["kind"]].block["properties"]
    return Block(
        kind=block["kind"],
        count=block["count"],
        contexts=tuple(block["contexts"]),
        clips=block["clips"],
        training=block["training"],
        repeats=block["repeats"],
        answer_from=block["answer_from"],
        sites=tuple(block["sites"]) if "sites" in block else None,
        networks=tuple(block["networks"]) if "networks" in block else None,
        kind_fields={name: value for name, value in block.items() if name in names},
    )


def _group(group: Json) -> Group:
    recruiter = group.get("recruiter")
    return Group(
        key=group["key"],
        sessions=group["quota"]["sessions"],
        label=group.get("label", {}),
        recruiter=None if recruiter is None else Recruiter(**recruiter),
    )


def _conformance(conformance: Json) -> Conformance:
    rules = {name: rule for name, rule in conformance.items() if name != "version"}
    return Conformance(
        conformance["version"],
        {
            name: Rule(rule["use"], rule["pay"], {key: rule[key] for key in rule if key not in ("use", "pay")})
            for name, rule in sorted(rules.items())
        },
    )
