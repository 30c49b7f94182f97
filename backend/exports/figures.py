"""Figures of an export, figures/NAME.svg: the figures of the study's page for the snapshot, in English."""

from collections.abc import Iterator

from analysis.models import InDepthResult, Result, ResultOrigin
from analysis.showing import figures
from exports.conformance import Columns, funnels_of

FOLDER = "figures"


def figure_files(
    result: Result, deep: InDepthResult | None, verdicts: Columns, *, collecting: bool
) -> Iterator[tuple[str, str]]:
    """Yields path and SVG text of each figure; their tables are other files of the export."""
    study = result.snapshot.study
    funnels = funnels_of(verdicts, design=study.design, origin=ResultOrigin(result.origin))
    drawn = figures.draw(
        study,
        figures.look_of(study, result, "en"),
        result=result,
        deep=deep,
        screening=figures.screening_of(study.design, funnels),
        by_arm=True,
        verdicts=not collecting,
    )
    for figure in drawn:
        yield f"{FOLDER}/{figure.name}.svg", figure.svg
