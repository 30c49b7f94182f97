"""Figures of the report: of a study as on its results page, or of stimuli from any source."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from xml.etree.ElementTree import Element

from eyelevel.analyse.given import Given, Study
from eyelevel.analyse.report.opinion_figure import Mean, Wording, is_cut, opinion_figure
from eyelevel.analyse.report.parts import captioned, explained, how_to_read, panels, shown
from eyelevel.analyse.report.scatter_figure import scatter_figure
from eyelevel.analyse.report.score_figure import score_figure
from eyelevel.analyse.results.closed import Closed
from eyelevel.analyse.results.leaders import strongest_first
from eyelevel.report.table import Filled, Plain
from eyelevel.report.words import plural
from eyelevel_figures import leaderboard
from eyelevel_figures.figure import Figure, FigureColumn, FigureTable, Look
from eyelevel_figures.study import Screening, study_figures
from eyelevel_figures.words import Words
from eyelevel_stats.in_depth.compute import InDepth
from eyelevel_stats.rows.words import ALL

# the strongest metrics have a scatter plot each
MOST_PLOTS = 9
PAIRS = Wording("share of answers that prefer the first of the two", "pair", "pairs", "answers", cut=False)
OVERLAP = (
    "Overlapping intervals do not show whether two stacks differ; the hypotheses compare the scores of the same "
    "people, which is more exact."
)


class Figures(Protocol):
    """The figures of each section, with the tables of their data."""

    def mos(self, sheet: Filled) -> list[Element]: ...

    def distribution(self, sheet: Filled) -> list[Element]: ...

    def comparisons(self, sheet: Filled) -> list[Element]: ...

    def leaders(self) -> list[Element]: ...

    def plots(self) -> list[Element]: ...

    def parts(self, *names: str) -> list[Element]: ...


def figures_of(given: Given, basics: Closed, deep: InDepth | None) -> Figures:
    """Returns the figures of a study, or of stimuli."""
    if given.study is not None:
        return StudyFigures(given.study, basics, deep.tables if deep else {}, given.source)
    return StimulusFigures(given, basics, deep)


class StudyFigures:
    """The figures of a study's results page, by name."""

    def __init__(self, study: Study, basics: Closed, deep: Mapping[str, tuple[Any, ...]], source: str) -> None:
        names = ("effects", "mos", "comparisons", "points")
        tables: dict[str, Sequence[Any]] = {name: getattr(basics.results, name) for name in names}
        tables |= {"leaderboard": basics.leaders, **deep}
        scores = Counter(int(vote.score) for vote in basics.ratings)
        self._drawn = list(
            study_figures(
                tables,
                Look(Words(), source=source),
                scores={key: scores[key] for key in sorted(scores)},
                screening=study.screened.screening or Screening(),
                groups_named=study.screened.group_names,
            )
        )

    def parts(self, *names: str) -> list[Element]:
        """Returns the figures with these names, and those whose names begin with one of them and a hyphen."""
        figures: list[Figure] = [
            figure
            for name in names
            for figure in self._drawn
            if figure.name == name or figure.name.startswith(f"{name}-")
        ]
        return [part for figure in figures for part in explained(figure)]

    def mos(self, sheet: Filled) -> list[Element]:
        return [*self.parts("satisfaction", "mos"), how_to_read(OVERLAP), shown(sheet)]

    def distribution(self, sheet: Filled) -> list[Element]:
        return [*self.parts("scores", "score-distributions"), shown(sheet)]

    def comparisons(self, sheet: Filled) -> list[Element]:
        return [*self.parts("pairs"), shown(sheet)]

    def leaders(self) -> list[Element]:
        return self.parts("leaderboard")

    def plots(self) -> list[Element]:
        return self.parts("against")


class StimulusFigures:
    """Figures of stimuli from any source, with a mark per stimulus on the scale of the votes."""

    def __init__(self, given: Given, basics: Closed, deep: InDepth | None) -> None:
        self._ends, self._source, self._basics, self._deep = given.scale, given.source, basics, deep

    def parts(self, *names: str) -> list[Element]:
        return []

    def mos(self, sheet: Filled) -> list[Element]:
        rows = self._basics.results.mos
        ordered = sorted(rows, key=lambda row: -row.mos)
        means = [Mean(row.stack, row.mos, row.ci_low, row.ci_high, row.n) for row in ordered]
        few = sum(row.n < 2 for row in rows)
        notes = [Words()("cut.scale")] * is_cut(means, self._ends)
        notes += [f"{plural(few, 'stimulus has', 'stimuli have')} one participant, and no interval."] * (few > 0)
        figure = opinion_figure(means, self._ends, "opinions")
        return [captioned(figure, self._source, sheet, notes), how_to_read(Words()("opinions.how"))]

    def distribution(self, sheet: Filled) -> list[Element]:
        figure = score_figure(self._basics.scores, "scores")
        return [captioned(figure, self._source, sheet), how_to_read(Words()("scores.how"))]

    def comparisons(self, sheet: Filled) -> list[Element]:
        means = [
            Mean(f"{row.stack_a} or {row.stack_b}", row.share_a, row.ci_low, row.ci_high, row.n)
            for row in self._basics.results.comparisons
        ]
        figure = opinion_figure(means, (0, 1), "pairs", PAIRS)
        return [captioned(figure, self._source, sheet), how_to_read(Words()("shares.how"))]

    def leaders(self) -> list[Element]:
        known = [row for row in self._basics.leaders if row.network == ALL and row.spearman is not None]
        if not known:
            return []
        best = [
            row
            for best_set in (self._deep.best if self._deep else ())
            if best_set.network == ALL
            for row in best_set.rows
        ]
        look, resampled = Look(Words(), source=self._source), self._deep is not None
        return explained(leaderboard.draw(known, best, look, resampled=resampled, stimuli=True))

    def plots(self) -> list[Element]:
        """Returns plots of the strongest metrics, with a reading aid."""
        known = [row for row in self._basics.leaders if row.network == ALL and row.pearson is not None]
        names = [row.metric for row in strongest_first(known)][:MOST_PLOTS]
        drawn = []
        for place, name in enumerate(names):
            values = self._basics.metrics[name]
            points = [
                (clip.stimulus, value, clip.mos)
                for clip in self._basics.clips
                if (value := values.get(clip.stimulus)) is not None
            ]
            drawn.append((scatter_figure(name, points, self._ends, f"scatter-{place}"), self._points([name])))
        how = how_to_read(Words()("scatter.how_stimuli"))
        return [panels(drawn, self._source, self._points(names)), how] if drawn else []

    def _points(self, names: Sequence[str]) -> Plain:
        """The marks of all plots: a row per stimulus."""
        metrics = [self._basics.metrics[name] for name in names]
        heads = [("stimulus", "stimulus", None), ("mos", "MOS", 2), *((name, name, 3) for name in names)]
        rows = [
            [clip.stimulus, clip.mos, *(values.get(clip.stimulus) for values in metrics)] for clip in self._basics.clips
        ]
        table = FigureTable([FigureColumn(*head) for head in heads], rows)
        return Plain("points", "Scores against each metric", table)
