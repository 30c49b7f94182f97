"""The command `eyelevel doctor`: checks which stages can run on this machine, and how to get what is missing."""

import json
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from eyelevel.built import RECORDER, TESTBED
from eyelevel.doctor.look import Finding, look
from eyelevel.doctor.needs import STAGES, Kind, Need
from eyelevel.errors import Exit
from eyelevel.record.proxy import find_warcprox

FINDERS = {Kind.TESTBED: TESTBED.find, Kind.RECORDER: RECORDER.find, Kind.PROXY: find_warcprox}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.pass_context
def doctor(ctx: click.Context, *, as_json: bool) -> None:
    """Check what each stage needs on this machine, and print how to get what is missing. Changes nothing.

    Exit status: 0 every stage has what it needs, or only optional tools are missing; 1 something else is missing.

    Example: eyelevel doctor
    """
    needs = dict.fromkeys(need for stage in STAGES.values() for need in stage)
    findings = {need: look(need, finders=FINDERS) for need in needs}
    missing = [need for need in needs if findings[need].found is None]
    usable = all(need.optional for need in missing)
    if as_json:
        click.echo(json.dumps(_object(findings, usable), indent=1))
    else:
        _print(findings)
        click.echo(_verdict(missing))
    ctx.exit(Exit.OK if usable else Exit.FAILED)


def _verdict(missing: Sequence[Need]) -> str:
    """The result of all checks in one or two sentences."""
    if not missing:
        return "Every stage has what it needs."
    lacking = [stage for stage, needs in STAGES.items() if any(n in missing and not n.optional for n in needs)]
    if lacking:
        able = [stage for stage in STAGES if stage not in lacking]
        others = f" These stages can run: {', '.join(able)}." if able else ""
        return f"Something is missing for these stages: {', '.join(lacking)}; the table says how to get it.{others}"
    without = "; ".join(f"without {need.name} (stage {_stages(need)}) {need.optional}" for need in missing)
    return f"Only optional tools are missing; the table says how to get them: {without}."


def _stages(need: Need) -> str:
    return ", ".join(stage for stage, needs in STAGES.items() if need in needs)


def _object(findings: dict[Need, Finding], usable: bool) -> dict[str, object]:
    stages = {
        stage: {
            "complete": all(findings[need].found is not None for need in needs),
            "needs": [
                {
                    "name": need.name,
                    "found": findings[need].found,
                    "note": findings[need].note,
                    "cure": need.cure,
                    "optional": need.optional,
                }
                for need in needs
            ],
        }
        for stage, needs in STAGES.items()
    }
    return {"ok": usable, "stages": stages}


def _print(findings: dict[Need, Finding]) -> None:
    table = Table("stage", "needs", "found", "how to get it")
    for stage, needs in STAGES.items():
        for number, need in enumerate(needs):
            finding = findings[need]
            cure = "" if finding.found else finding.note or need.cure
            shown = finding.found or ("[yellow]missing, optional[/]" if need.optional else "[red]missing[/]")
            table.add_row(stage if number == 0 else "", need.name, shown, cure, end_section=number == len(needs) - 1)
    Console().print(table)
