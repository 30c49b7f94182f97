"""What became of a campaign, per stack and site: void and censored rates, and whether they differ. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eyelevel.capture.fidelity import KINDS
from eyelevel_core.model.attempt import BLOCK_VOIDED
from eyelevel_core.model.run import Run
from eyelevel_stats.rates import rate_test

Take = Mapping[str, Any]


def report(
    settings: Mapping[str, Any],
    runs: Sequence[Run],
    takes: Mapping[str, Take],
    attempts: Iterable[Mapping[str, Any]],
    *,
    scenes: Iterable[Mapping[str, Any]],
    differing: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The value of report.json: `takes` by path of run, `attempts` from attempts.jsonl, `scenes` from fidelity.json.

    `differing` has per site the takes that were served otherwise than most of its takes.
    """
    planned = {run.path for run in runs}
    known = [line for line in attempts if line["run"] in planned]
    stacks = [_row(stack, runs, takes, known) for stack in settings["stacks"]]
    return {
        "contract": "eyelevel/capture-report/1",
        "campaign": settings["name"],
        "runs": len(runs),
        "taken": len(takes),
        "stacks": stacks,
        "networks": [
            {"network": network, **_row(stack, [run for run in runs if run.network == network], takes, known)}
            for network in settings["networks"]
            for stack in settings["stacks"]
        ],
        "differences": {
            "void": _tested({row["stack"]: (row["void"], row["attempts"] - row["void"]) for row in stacks}),
            "censored": _tested({row["stack"]: (row["censored"], row["valid"]) for row in stacks}),
        },
        "without_take": [_missing(run, known) for run in runs if run.path not in takes],
        "sites": [
            _site(site["name"], settings, runs, takes, scenes=list(scenes), differing=differing)
            for site in settings["sites"]
        ],
    }


def _row(stack: str, runs: Iterable[Run], takes: Mapping[str, Take], attempts: Iterable[Any]) -> dict[str, Any]:
    """A stack's counts. What was void only with its block is no fault of the stack's, and is counted apart."""
    mine = {run.path for run in runs if run.stack == stack}
    tried = [line for line in attempts if line["run"] in mine]
    causes = Counter(line["cause"] for line in tried if line["outcome"] == "void")
    with_block = causes.pop(BLOCK_VOIDED, 0)
    outcomes = Counter(takes[path]["outcome"] for path in mine if path in takes)
    void = causes.total()
    return {
        "stack": stack,
        "runs": len(mine),
        "attempts": len(tried),
        "valid": outcomes["settled"],
        "censored": outcomes["unsettled"],
        "void": void,
        "void_with_block": with_block,
        "void_causes": dict(sorted(causes.items())),
        "without_take": len(mine) - outcomes.total(),
        "changed_after_next_began": sum(_changed_late(takes[path]) for path in mine if path in takes),
        "void_rate": _share(void, len(tried)),
        "censored_rate": _share(outcomes["unsettled"], outcomes.total()),
    }


def _tested(groups: Mapping[str, tuple[int, int]]) -> dict[str, Any] | None:
    tested = rate_test(groups)
    return None if tested is None else {"test": tested.name, "p": tested.p}


def _missing(run: Run, attempts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    tried = [line for line in attempts if line["run"] == run.path]
    last = tried[-1] if tried else {"cause": None, "detail": None}
    return {"run": run.path, "attempts": len(tried), "cause": last["cause"], "detail": last["detail"]}


def _site(
    name: str,
    settings: Mapping[str, Any],
    runs: Iterable[Run],
    takes: Mapping[str, Take],
    *,
    scenes: Sequence[Mapping[str, Any]],
    differing: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """How a site was answered, in the stack with the least share of exact answers; below the threshold it leaves."""
    counted: dict[str, Counter[str]] = {}
    for run in runs:
        if run.site == name and run.path in takes and takes[run.path]["fidelity"]["exact"] is not None:
            found = takes[run.path]["fidelity"]
            counted.setdefault(run.stack, Counter()).update({kind: found[kind] for kind in KINDS.values()})
    shares = {stack: _share(count["exact"], count.total()) for stack, count in counted.items()}
    known = [share for share in shares.values() if share is not None]
    least, threshold = min(known, default=None), settings["min_exact_share"]
    in_all = sum(counted.values(), Counter())
    return {
        "site": name,
        **{kind: in_all[kind] if counted else None for kind in KINDS.values()},
        "exact_share": least,
        "exact_share_by_stack": shares,
        "scenes": sum(scene["site"] == name for scene in scenes),
        "scenes_that_differ": [s["network"] for s in scenes if s["site"] == name and s["differences"]],
        "takes_that_differ": list(differing.get(name, [])),
        "in_comparison": None if least is None else least >= threshold,
        "reason": f"{least:.1%} exact answers, {threshold:.1%} wanted"
        if least is not None and least < threshold
        else None,
    }


def _changed_late(take: Take) -> bool:
    """Whether the page still changed when the next run's browser had begun to start, held back."""
    began_ms, last_ms = take.get("next_began_ms"), take["metrics"]["lvc_ms"]
    return began_ms is not None and last_ms is not None and last_ms > began_ms


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
