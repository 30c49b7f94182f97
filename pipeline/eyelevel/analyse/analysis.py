"""Analysis of votes from any source: returns the files, the lines of the summary, and notices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from eyelevel.analyse.announced import announced
from eyelevel.analyse.given import Given
from eyelevel.analyse.notices import copy_notices, direction_notices, repeated_notices
from eyelevel.analyse.prediction.left_out import input_of, prediction_sentence, predictions, predictors
from eyelevel.analyse.prediction.new_clips import COLUMNS as NEW_COLUMNS
from eyelevel.analyse.prediction.new_clips import FILE as PREDICTED
from eyelevel.analyse.prediction.new_clips import NewTable, Predict, predicted, read_new_clips
from eyelevel.analyse.report.page import report
from eyelevel.analyse.results.best import best_sentences
from eyelevel.analyse.results.closed import Closed, closed, with_every_hypothesis
from eyelevel.analyse.results.metric_slopes import metric_slopes
from eyelevel.analyse.results.sentences import fit_sentences, in_short
from eyelevel.analyse.results.summary import summary
from eyelevel.analyse.tables import Sheets, files_of
from eyelevel.errors import BadInputError
from eyelevel_stats.in_depth.compute import InDepth, in_depth

NO_MAPPINGS = (
    "No mappings from metrics to scores: choosing one for each metric with so many sites takes many minutes; "
    "--predictions computes them."
)


@dataclass(frozen=True)
class Analysed:
    """The texts of files by name, the summary for stdout, and notices for stderr.

    `later` takes longer, and returns further files, changed files, and further lines of the summary.
    """

    files: Mapping[str, str]
    summary: Sequence[str]
    notices: Sequence[str] = ()
    later: "Callable[[], Analysed] | None" = None


def analyse_votes(given: Given, *, predict: Predict, seed: int) -> Analysed:
    """Analyses the votes; raises BadInputError if they or the new clips are wrong, or there is no model to predict."""
    basics = closed(given, seed=seed)
    if predict.option is not None and not basics.ratings:
        raise BadInputError(
            f"{given.name}: {predict.option} needs ratings to fit the model, and there are none; remove the option."
        )
    new = None if predict.path is None else read_new_clips(predict.path, list(predictors(given, basics.metrics)))
    notices = [*given.notices, *_notices(given, basics), *(new.notices if new else ())]
    results = with_every_hypothesis(basics.results, given.plan, collecting=given.collecting)
    first = replace(basics, results=results)
    make = Sheets(given)
    page = partial(report, given, make=make, notices=[] if given.study else notices)
    lines = [
        *(in_short(given, basics) if given.stimuli else ()),
        *(summary(basics.results, given.lead) if given.study else ()),
    ]
    in_field = given.collecting and predict.option is None
    return Analysed(
        {**files_of(first.sheets(given, make)), **page(first)},
        lines,
        notices,
        later=partial(_later, given, basics, new, make=make, page=page, predict=predict, seed=seed)
        if (basics.ratings or basics.results.comparisons) and not in_field
        else None,
    )


def _later(
    given: Given,
    basics: Closed,
    new: NewTable | None,
    *,
    make: Sheets,
    page: Callable[..., dict[str, str]],
    predict: Predict,
    seed: int,
) -> Analysed:
    """The tables that need model fits or resampling."""
    study, no_multiverse = given.study, None
    deep = InDepth({}, (), ())
    stimuli = given.stimuli and replace(given.stimuli, rising=basics.rising, long_too=predict.long_too)
    if not given.collecting:
        completed = None if study is None else study.completed()
        no_multiverse = completed if isinstance(completed, str) else None
        with _progress() as advance:
            deep = in_depth(
                given.columns,
                given.plan,
                plays=None if study is None else study.plays(),
                completed=None if isinstance(completed, str) else completed,
                stimuli=stimuli,
                seed=seed,
                advance=advance,
            )
        if given.stimuli is not None:
            deep = replace(deep, tables={**deep.tables, **metric_slopes(given.columns, given.stimuli)})
    every = replace(basics.results, hypotheses=(*basics.results.hypotheses, *deep.hypotheses))
    final = replace(basics, results=with_every_hypothesis(every, given.plan, collecting=given.collecting))
    model = input_of(basics.ratings, predictors(given, basics.metrics), given.scale)
    left_out = (
        predictions(model, seed=seed, long_too=predict.long_too)
        if basics.ratings and (basics.metrics or study)
        else None
    )
    sheets = {sheet.name: sheet for sheet in (*final.sheets(given, make), *make.deep(deep.tables))}
    if left_out is not None and left_out.rows:
        sheets["predictions"] = make.sheet("predictions", left_out.rows)
    lines = [row.sentence for row in deep.hypotheses]
    lines += [prediction_sentence(left_out)] if left_out is not None else []
    if any(row.pearson is not None for row in basics.leaders):
        lines += best_sentences(deep.best)
    if stimuli is not None:
        lines += [] if stimuli.has_mappings(basics.clips) else [NO_MAPPINGS]
        lines += fit_sentences(deep.tables)
    pages = page(final, deep=deep, predicted=left_out, no_multiverse=no_multiverse)
    if new is None:
        return Analysed({**files_of(sheets.values()), **pages}, lines)
    of_new = predicted(model, new, n=predict.votes, seed=seed)
    further = [(PREDICTED, name, meaning) for name, meaning in NEW_COLUMNS.items()]
    files = {**files_of(sheets.values(), further), PREDICTED: of_new.text, **pages}
    return Analysed(files, [*lines, of_new.sentence])


def _notices(given: Given, basics: Closed) -> list[str]:
    """Notices about repeated votes, and about metrics whose direction or origin is unclear."""
    if given.stimuli is None:
        return []
    repeated = repeated_notices(basics.quality.repeated) if basics.quality is not None else []
    return [*repeated, *direction_notices(basics.rising), *copy_notices(basics.metrics, basics.clips)]


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Yields a function that shows on stderr which part is being computed."""
    with announced("Computing tables in depth ...") as say:
        yield lambda part, done, parts: say(f"Computing tables in depth ({done + 1} of {parts}): {part}")
