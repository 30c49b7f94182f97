"""Messages before and after a campaign, on stderr."""

from collections.abc import Iterable, Mapping, Sequence

import click
from rich.console import Console
from rich.table import Table

from eyelevel.capture.planning.estimate import Estimate
from eyelevel.capture.planning.networks import Network
from eyelevel.loads.inside.measuring.moments import medians_ms
from eyelevel.report.words import duration
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.comparability.parity import beyond_parity
from eyelevel_core.model.capture_report import ArmOutcome, CaptureReport, SiteOutcome
from eyelevel_core.model.run import Run
from eyelevel_core.model.scene import Scene
from eyelevel_core.model.take import Take

EQUIVALENT = "requests answered with an equivalent match"
INEXACT, MISSED = "requests answered with an inexact match", "requests without a recorded answer"


def tell_networks(networks: Iterable[Network]) -> None:
    """Warns of networks that are too fast for parity of the stacks' servers."""
    for network in networks:
        sentence = beyond_parity(network.name, network.definition)
        if sentence is not None:
            click.echo(f"warning: {sentence}", err=True)


def tell_unserved(unserved: Mapping[str, Sequence[str]]) -> None:
    """Warns of recorded hosts that cannot be served, by site, with the testbed's messages."""
    for site, sentences in unserved.items():
        for sentence in sentences:
            click.echo(f"warning: {site}: {sentence}.", err=True)


def tell_skipped(skipped: Mapping[str, Sequence[str]]) -> None:
    """Reports the stacks without runs in a cache mode, by cache mode."""
    for cache, stacks in skipped.items():
        click.echo(f"Cache mode {cache} equals cold for {', '.join(stacks)}, so it has no runs there.", err=True)


def tell_plan(runs: Sequence[Run], waiting: Sequence[Run], expected: Estimate) -> None:
    """Reports conditions (site, network, stack and cache), runs, hours and disk space."""
    conditions = len({(run.site, run.network, run.stack, run.cache) for run in runs})
    source = f"as {expected.takes} takes here" if expected.takes else "by the model in docs/guides/campaigns.md"
    click.echo(
        f"{conditions} conditions, {len(runs)} runs, {len(runs) - len(waiting)} taken; {len(waiting)} to go: about "
        f"{duration(expected.left_s)} and {expected.size_bytes / 1e9:.2g} GB, {source}.",
        err=True,
    )


def tell_missing(
    batch: BatchFolder, runs: Sequence[Run], *, given_up: int, attempts: int, unfilmed: Iterable[Run]
) -> None:
    """Reports the runs without a take, and what to do now."""
    sites = [run.site for run in unfilmed]
    if sites:
        click.echo(
            f"{len(sites)} of {len(runs)} runs were not filmed, because their page cannot be checked: "
            f"{', '.join(sorted(set(sites)))}. The reasons are in {batch.checks}. Run the same command to try these "
            "sites again.",
            err=True,
        )
    if given_up:
        click.echo(
            f"{given_up} of {len(runs)} runs have no take after {attempts} attempts; the causes are in "
            f"{batch.attempts_file}. Run the same command with --again to retry them.",
            err=True,
        )


def tell_fidelity(scenes: Iterable[Scene]) -> None:
    """Reports differences in content and settings between takes of a scene."""
    for scene in scenes:
        for path in scene.not_comparable:
            _note(f"{path} cannot be compared with its scene: its load event never fired.")
        for counts, words in ((scene.equivalent, EQUIVALENT), (scene.inexact, INEXACT), (scene.missed, MISSED)):
            if len(set(counts.values())) > 1:
                by_stack = ", ".join(f"{path.split('/')[-2]} {count}" for path, count in counts.items())
                _note(f"{scene.site}, {scene.network}: {words} differ in number ({by_stack}).")
        for late in scene.across_load:
            _note(
                f"{late.take} made {len(late.after_load)} requests only after load that another take of its "
                "scene made before; the content is the same."
            )
        for path, urls in scene.network_failed.items():
            _note(
                f"{path}: {len(urls)} of its requests before load got no answer (such as {urls[0]}); "
                "this is an outcome of network and stack, so the take is kept in the comparison."
            )
        for path, notes in scene.notes.items():
            for words in notes:
                _note(f"{path}: {words}.")
        for setting in scene.settings_differ:
            click.echo(
                f"warning: {setting.take} and {setting.than} differ in more than their stacks' definitions: "
                f"{'; '.join(setting.how)}.",
                err=True,
            )
        for difference in scene.differences:
            click.echo(
                f"warning: {difference.take} has a content mismatch with its scene: "
                f"it lacks {len(difference.lacks)} answers and adds {len(difference.adds)}; see fidelity.json.",
                err=True,
            )


def tell_report(report: CaptureReport) -> None:
    """Prints a table per stack, the tests, and the sites that are excluded from the comparison."""
    table = Table(title=f"{report.taken} of {report.runs} runs have their takes", title_justify="left")
    for column in ("stack", "runs", "attempts", "valid", "censored", "void", "without"):
        table.add_column(column, justify="left" if column == "stack" else "right")
    for row in report.stacks:
        table.add_row(
            row.stack,
            str(row.runs),
            str(row.attempts),
            str(row.valid),
            f"{row.censored}{_percent(row.censored_rate)}",
            f"{row.void}{_percent(row.void_rate)}",
            str(row.without_take),
        )
    Console(stderr=True).print(table)
    for row in report.stacks:
        causes = [f"{cause} {count}" for cause, count in (row.void_causes or {}).items()]
        if row.void_with_block:
            causes.append(f"with their block {row.void_with_block}")
        if causes:
            _note(f"void over {row.stack}: {', '.join(causes)}.")
    _tell_pressure(report.stacks)
    for kind, tested in report.differences.items():
        if tested is not None:
            verdict = "differ" if tested.p < 0.05 else "do not differ detectably"
            _note(f"{kind} rates of the stacks {verdict} ({tested.test}, p = {tested.p:.3g}).")
    servers: dict[str, list[str]] = {}
    for site in report.sites:
        if site.servers_by and site.site not in servers.setdefault(site.servers_by, []):
            servers[site.servers_by].append(site.site)
    for words, sites in servers.items():
        _note(f"servers of {', '.join(sites)}: {words}.")
    _tell_sites(report.sites)


def _tell_sites(sites: Iterable[SiteOutcome]) -> None:
    for site in sites:
        for take, urls in site.missed_beyond_check.items():
            _note(
                f"{take} missed {len(urls)} requests that its page needs, such as {urls[0]}; the replay check had them."
            )
        if site.in_comparison is False:
            visits = "" if site.cache == "cold" else f" (second visits, {site.cache})"
            words = f"{site.site}{visits} is excluded from the comparison for all stacks: {site.reason}."
            click.echo(f"warning: {words}", err=True)


def _tell_pressure(stacks: Iterable[ArmOutcome]) -> None:
    for row in stacks:
        outside, waiting = (row.pressure[f"{name}_share"] for name in ("outside", "waiting_some"))
        waited = "" if waiting is None else f", and its runs waited {waiting:.1%} of the time for a processor"
        if outside is not None:
            _note(f"others used {outside:.1%} of the processors while pages loaded over {row.stack}{waited} (medians).")
        if row.without_pressure:
            takes = row.valid + row.censored
            _note(
                f"{row.without_pressure} of {takes} takes over {row.stack} do not record the processor use of others."
            )


def _percent(share: float | None) -> str:
    return f" ({share:.1%})" if share else ""


def _note(words: str) -> None:
    click.echo(f"note: {words}", err=True)


def tell_overhead(takes: Iterable[Take]) -> None:
    """Reports the time of a run by part, without the page's load."""
    timings = [take.timing_ms for take in takes if take.timing_ms is not None]
    parts = {part: ms for part, ms in medians_ms(timings).items() if ms is not None and part != "load"}
    if parts:
        each = ", ".join(f"{part.replace('_', ' ')} {ms:.0f}" for part, ms in parts.items())
        click.echo(f"time of a run without the page's load (medians, ms): {each}.", err=True)
