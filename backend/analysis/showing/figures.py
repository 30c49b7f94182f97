"""Figures of a study's results, drawn on request from the stored rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from analysis.models import InDepthResult, Result, ResultOrigin
from analysis.stored import RATING_COUNTS
from conformance.figures import figures_of
from eyelevel_core.contracts import short
from eyelevel_core.study.design import Design
from eyelevel_figures.figure import NARROW, WIDE, Figure, Look
from eyelevel_figures.numbers import Language
from eyelevel_figures.study import Screening, screening_figures, study_figures
from eyelevel_figures.words import Words
from eyelevel_stats.conformance import GroupFunnel, Step, asked_rules
from eyelevel_stats.tables import IN_DEPTH, TABLES
from studies.models import Study

Part = Literal["all", "results", "screening"]
NO_SCREENING = Screening()
WIDTHS = {"wide": WIDE, "narrow": NARROW}


def look_of(
    study: Study, result: Result | None, language: Language, *, width: float = WIDE, clips: bool = False
) -> Look:
    """The presentation of the result's figures: language, width, and a source with study and snapshot."""
    words = Words(language)
    if result is None:
        return Look(words, width, words("source_now", study=study.name), clips)
    key = "source_simulated" if result.origin == ResultOrigin.ALL else "source"
    return Look(words, width, words(key, study=study.name, snapshot=short(result.snapshot_id)), clips)


def draw(
    study: Study, look: Look, *, result: Result | None, deep: InDepthResult | None, screening: Screening,
    by_arm: bool, verdicts: bool,
) -> list[Figure]:  # fmt: skip
    """Draw the figures that have rows; unless `by_arm`, only those that show nothing by stack.

    Without `verdicts`, figures answer no hypothesis.
    """
    tables = rows_of(result, deep) if result is not None and by_arm else {}
    if not verdicts:
        tables = {name: rows for name, rows in tables.items() if name != "effects"}
    scores = {row["score"]: row["count"] for row in result.tables.get(RATING_COUNTS, ())} if result else {}
    return list(
        study_figures(
            tables,
            look,
            scores=scores,
            screening=screening,
            groups_named=group_names(study.design, look.words.language),
        )
    )


def draw_screening(study: Study, look: Look, screening: Screening) -> list[Figure]:
    """Draw the figures of the sessions that remain after each rule, by group."""
    return list(screening_figures(screening, look, group_names(study.design, look.words.language)))


def rows_of(result: Result, deep: InDepthResult | None) -> dict[str, list[Any]]:
    """The stored rows of each table by its name, as row objects of the statistics."""
    tables = {name: [table.row(**row) for row in result.tables.get(name, ())] for name, table in TABLES.items()}
    if deep is not None:
        tables |= {name: [IN_DEPTH[name].row(*row) for row in rows] for name, rows in deep.tables.items()}
    return tables


def screening_now(study: Study, origin: str, language: Language) -> Screening:
    """The current funnels, of people's sessions or of all."""
    groups: Iterable[Mapping[str, Any]] = figures_of(study, origin)["groups"]
    funnels = [GroupFunnel(**{**group, "steps": tuple(Step(**step) for step in group["steps"])}) for group in groups]
    return screening_of(study.design, funnels, source=Words(language)("source_now", study=study.name))


def screening_of(design: Design, funnels: Sequence[GroupFunnel], *, source: str = "") -> Screening:
    """The funnels, with the study's settings of each rule."""
    excludes = {name: rule.use for name, rule in design.conformance.rules.items()}
    stall_ms = design.conformance.rules["R2"].thresholds["stall_ms"]
    return Screening(funnels, asked_rules(design), excludes, source, stall_ms)


def group_names(design: Design, language: Language) -> dict[str, str]:
    """The study's labels of its groups, by key."""
    return {group.key: group.label.get(language) or group.label.get("en") or group.key for group in design.groups}
