"""Tables of excluded scenes and takes, of the effect of excluding them, and of films with alignment errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from eyelevel.compare.inference import OverallTest
from eyelevel.compare.model import Load
from eyelevel.compare.report.tables.shared import (
    METRIC,
    METRIC_VIEW,
    NETWORK,
    NETWORK_VIEW,
    PAIR,
    PAIR_VIEW,
    SITE,
    SITE_VIEW,
)
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel_core.comparability.exclusion import ExcludedTake
from eyelevel_core.comparability.model import SettingsMismatch
from eyelevel_core.model.scene import Answer

SHOWN, LONGEST = 3, 64


def unlike_table(rows: Sequence[SettingsMismatch]) -> Table:
    columns = [
        SITE,
        NETWORK,
        Column("take", "folder of the take in the batch", lambda row: row.take),
        Column("than", "the take of its scene that it contradicts", lambda row: row.than),
        Column(
            "how", "settings on the wire that differ although no definition says so", lambda row: "; ".join(row.how)
        ),
    ]
    views = [
        SITE_VIEW,
        NETWORK_VIEW,
        View("take", lambda row: row.take, text=True),
        View("against", lambda row: row.than, text=True),
        View("how", lambda row: "; ".join(row.how), text=True),
    ]
    return Table("unlike", "Stacks that differ in more than their definitions", columns, views, rows)


def otherwise_table(rows: Sequence[ExcludedTake[Load]]) -> Table:
    columns = [
        *_run_columns(),
        Column("lacks", "answers that most takes of the scene got, but not this one", lambda r: len(r.mismatch.lacks)),
        Column("adds", "answers that this take got beyond those of most", lambda row: len(row.mismatch.adds)),
    ]
    views = [
        View("site", lambda row: row.load.site, text=True),
        View("network", lambda row: row.load.network, text=True),
        View("stack", lambda row: row.load.stack, text=True),
        View("run", lambda row: str(row.load.run)),
        View("lacks", lambda row: _few(row.mismatch.lacks), text=True),
        View("has beyond", lambda row: _few(row.mismatch.adds), text=True),
    ]
    return Table(
        "served-otherwise",
        "Excluded takes with a content mismatch",
        columns,
        views,
        rows,
        note="All these answers are in served-otherwise-answers.csv.",
    )


@dataclass(frozen=True)
class _Answered:
    row: ExcludedTake[Load]
    kind: str
    answer: Answer


def answer_table(rows: Sequence[ExcludedTake[Load]]) -> Table:
    columns = [
        Column("take", "folder of the take in the batch", lambda one: one.row.load.path),
        Column(
            "kind", "lacks: most takes of the scene got it; adds: this take got it beyond them", lambda one: one.kind
        ),
        Column("url", "the recorded URL of the answer", lambda one: one.answer.matched_url),
        Column("status", "its HTTP status", lambda one: one.answer.status),
        Column("body_bytes", "bytes of its body", lambda one: one.answer.body_bytes),
    ]
    held = [
        _Answered(row, kind, answer)
        for row in rows
        for kind, answers in (("lacks", row.mismatch.lacks), ("adds", row.mismatch.adds))
        for answer in answers
    ]
    return Table("served-otherwise-answers", "Answers that those takes lack or have in addition", columns, [], held)


def with_all_table(rows: Sequence[OverallTest], compared: Sequence[OverallTest]) -> Table:
    """`rows` with all takes, beside the same without those that are not compared."""
    without = {(row.pair, row.network, row.metric): row for row in compared}

    def beside(row: OverallTest) -> OverallTest | None:
        return without.get((row.pair, row.network, row.metric))

    def gain(row: OverallTest | None) -> float | None:
        return None if row is None or row.found is None else row.found.gain

    def here(row: OverallTest | None) -> float | None:
        return None if row is None else row.here_adjusted_p

    columns = [
        *PAIR,
        NETWORK,
        METRIC,
        Column("gain", "geometric mean gain as it is compared; a fraction", lambda row: gain(beside(row))),
        Column("here_p_adjusted", "its corrected p for these very sites", lambda row: here(beside(row))),
        Column("gain_with_all", "the same with the takes that are left out; a fraction", gain),
        Column("here_p_adjusted_with_all", "its corrected p for these very sites", here),
    ]
    views = [
        PAIR_VIEW,
        NETWORK_VIEW,
        METRIC_VIEW,
        View("gain", lambda row: words.percent(gain(beside(row)))),
        View("p, these very sites", lambda row: words.p_value(here(beside(row)))),
        View("with all takes", lambda row: words.percent(gain(row))),
        View("p, these very sites", lambda row: words.p_value(here(row))),
    ]
    return Table("with-all-takes", "Results with the excluded takes", columns, views, rows)


def off_table(rows: Sequence[Load]) -> Table:
    columns = [
        SITE,
        NETWORK,
        Column("stack", "protocol stack", lambda row: row.stack),
        Column("run", "number of the run", lambda row: row.run),
        Column("take", "folder of the take in the batch", lambda row: row.path),
        Column("zero_error_ms", "the film's first change against the first paint", lambda row: row.zero_error_ms),
        Column("clock_error_ms", "the browser's clock against the film's", lambda row: row.clock_error_ms),
        Column("lost_changes", "changes that the film lacks", lambda row: row.lost_changes),
    ]
    views = [
        SITE_VIEW,
        NETWORK_VIEW,
        View("stack", lambda row: row.stack, text=True),
        View("run", lambda row: str(row.run)),
        View("by the first paint, ms", lambda row: words.signed_ms(row.zero_error_ms)),
        View("by the clocks, ms", lambda row: words.signed_ms(row.clock_error_ms)),
        View("changes lost", lambda row: words.count(row.lost_changes)),
    ]
    return Table("off-by-a-frame", "Films whose zero is off by more than a frame", columns, views, rows)


def _run_columns() -> list[Column]:
    return [
        Column("site", "site of the campaign", lambda row: row.load.site),
        Column("network", "emulated network", lambda row: row.load.network),
        Column("stack", "protocol stack", lambda row: row.load.stack),
        Column("run", "number of the run", lambda row: row.load.run),
        Column("take", "folder of the take in the batch", lambda row: row.load.path),
    ]


def _few(answers: Sequence[Answer]) -> str:
    """The first few without their queries; – where there is none."""
    if not answers:
        return "–"
    named = [_short(answer.matched_url) for answer in answers[:SHOWN]]
    more = len(answers) - len(named)
    return f"{', '.join(named)} and {more} more" if more else ", ".join(named)


def _short(url: str) -> str:
    parts = urlsplit(url)
    text = f"{parts.netloc}{parts.path}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
