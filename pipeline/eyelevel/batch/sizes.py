"""Prints the sizes of clips and remarks about them, as a table on stderr."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from rich.box import SIMPLE
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table

from eyelevel.batch.agreement import firsts, quarrel
from eyelevel.batch.manifest import Clip


def tell_sizes(clips: Sequence[Clip]) -> None:
    """Prints a row with median sizes per scene, kind and audience, then notes."""
    groups: dict[tuple[str, ...], list[Clip]] = defaultdict(list)
    for clip in clips:
        groups[*clip.plan.takes[0].scene, clip.plan.kind, clip.plan.audience].append(clip)
    table = Table("site", "network", "kind", "for", "clips", "seconds", "size", "largest", box=SIMPLE, pad_edge=False)
    for column in table.columns[1:]:
        column.no_wrap = True
    for column in table.columns[4:]:
        column.justify = "right"
    for key, group in groups.items():
        sizes = [clip.size_bytes for clip in group]
        seconds = f"{group[0].duration_ms / 1000:.1f}"
        table.add_row(*key, str(len(group)), seconds, decimal(round(median(sizes))), decimal(max(sizes)))
    console = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)
    console.print(table)
    console.print(f"{len(clips)} clips, {decimal(sum(clip.size_bytes for clip in clips))}")
    thin = sum(bool(clip.by_colours) for clip in clips)
    if thin:
        console.print(f"note: {thin} clips agree with their film only in the clip's colours (see agrees_by_colours).")
    cut, moving = sum(clip.cut for clip in clips), sum(clip.moving is True for clip in clips)
    if cut:
        console.print(f"note: cap_ms cuts {cut} clips before a page settled; later metrics are censored.")
    if moving:
        console.print(f"note: {moving} clips show motion that never ends; the halves of a pair show two phases of it.")
    _tell_if_metrics_quarrel(console, clips)
    for clip in clips:
        if clip.plan.kind == "pair" and clip.ssim is not None and clip.plan.takes[0].stack < clip.plan.takes[1].stack:
            _tell_if_unlike(console, clip)


def _tell_if_metrics_quarrel(console: Console, clips: Sequence[Clip]) -> None:
    disagreements = []
    for plan in (clip.plan for clip in clips):
        if plan.kind == "pair" and plan.audience == "researcher":
            left, right = (take.metrics for take in plan.takes)
            first = firsts(left, right, frame_ms=plan.timing.frame_ms)
            if said := quarrel(first, [take.stack for take in plan.takes]):
                disagreements.append(f"{plan.takes[0].site} on {plan.takes[0].network}, run {plan.run}: {said}")
    if disagreements:
        pairs = "1 pair" if len(disagreements) == 1 else f"{len(disagreements)} pairs"
        console.print(f"note: in {pairs}, metrics disagree about which page was first, such as {disagreements[0]}.")


def _tell_if_unlike(console: Console, clip: Clip) -> None:
    if clip.differs:
        console.print(f"note: the pages of {clip.plan.name} end differently (SSIM {clip.ssim:.3f}).")
