"""Excluded scenes and takes as rows, and results with and without the excluded takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from eyelevel.compare.columns import METRIC, NETWORK, RUN, SITE, STACK, TAKE, OfPair
from eyelevel.compare.inference import OverallTest
from eyelevel.compare.model import Load
from eyelevel_core.comparability.exclusion import ExcludedTake
from eyelevel_core.comparability.model import SettingsMismatch
from eyelevel_core.model.scene import Answer
from eyelevel_core.tables import Table, column, derived, part

SHOWN, LONGEST = 3, 64


@dataclass(frozen=True)
class UnlikeRow:
    """Two takes of a scene whose settings contradict each other."""

    mismatch: SettingsMismatch = part()
    site: ClassVar[str] = derived("mismatch.site", SITE)
    network: ClassVar[str] = derived("mismatch.network", NETWORK)
    take: ClassVar[str] = derived("mismatch.take", TAKE)
    than: ClassVar[str] = derived("mismatch.than", "take of the same scene that this take contradicts", head="against")
    how: str = column("settings measured on the wire that differ although the definitions do not")


@dataclass(frozen=True)
class OtherwiseRow:
    """A take with a content mismatch: it was served other content than most takes of its scene."""

    excluded: ExcludedTake[Load] = part()
    site: ClassVar[str] = derived("excluded.load.site", SITE)
    network: ClassVar[str] = derived("excluded.load.network", NETWORK)
    stack: ClassVar[str] = derived("excluded.load.stack", STACK)
    run: ClassVar[int] = derived("excluded.load.run", RUN)
    take: ClassVar[str] = derived("excluded.load.path", TAKE, shown="hidden")
    lacks: int = column("number of answers that most takes of the scene received, but this take did not")
    adds: int = column("number of answers that this take received, but most takes of the scene did not")

    @property
    def words(self) -> str:
        """The first few of these answers, without their queries."""
        mismatch = self.excluded.mismatch
        said = [
            f"{verb} {_few(answers)}"
            for verb, answers in (("lacks", mismatch.lacks), ("adds", mismatch.adds))
            if answers
        ]
        return f"{self.take} {' and '.join(said)}."


@dataclass(frozen=True)
class AnswerRow:
    """An answer that such a take lacks or adds."""

    take: str = column(TAKE)
    kind: str = column(
        "lacks: most takes of the scene received the answer, but this take did not; adds: only this take received "
        "it, unlike most takes"
    )
    answer: Answer = part()
    url: ClassVar[str] = derived("answer.matched_url", "recorded URL of the answer")
    status: ClassVar[int] = derived("answer.status", "HTTP status of the answer")
    body_bytes: ClassVar[int] = derived("answer.body_bytes", "size of the answer's body in bytes")


@dataclass(frozen=True)
class WithAllRow(OfPair):
    """A result without and with the excluded takes."""

    network: str = column(NETWORK)
    metric: str = column(METRIC, shown="metric")
    compared: OverallTest | None = part()
    gain: ClassVar[float | None] = derived(
        "compared.gain", "geometric mean gain without the excluded takes; a fraction", shown="percent"
    )
    here_p_adjusted: ClassVar[float | None] = derived(
        "compared.here_p_adjusted",
        "corrected p-value for these very sites, without the excluded takes",
        head="p, these very sites",
        shown="p",
    )
    with_all: OverallTest = part()
    gain_with_all: ClassVar[float | None] = derived(
        "with_all.gain",
        "geometric mean gain with the excluded takes; a fraction",
        head="with all takes",
        shown="percent",
    )
    here_p_adjusted_with_all: ClassVar[float | None] = derived(
        "with_all.here_p_adjusted",
        "corrected p-value for these very sites, with the excluded takes",
        head="p, these very sites",
        shown="p",
    )


UNLIKE = Table("unlike", "Stacks that differ in more than their definitions", "", UnlikeRow)
OTHERWISE = Table("served-otherwise", "Excluded takes with a content mismatch", "", OtherwiseRow)
ANSWERS = Table("served-otherwise-answers", "Answers that those takes lack or have in addition", "", AnswerRow)
WITH_ALL = Table("with-all-takes", "Results with the excluded takes", "", WithAllRow)


def unlike_rows(mismatches: Iterable[SettingsMismatch]) -> list[UnlikeRow]:
    """Returns a row per settings mismatch."""
    return [UnlikeRow(mismatch, "; ".join(mismatch.how)) for mismatch in mismatches]


def otherwise_rows(excluded: Iterable[ExcludedTake[Load]]) -> list[OtherwiseRow]:
    """Returns a row per take that is excluded for a content mismatch."""
    return [OtherwiseRow(take, len(take.mismatch.lacks), len(take.mismatch.adds)) for take in excluded]


def answer_rows(excluded: Iterable[ExcludedTake[Load]]) -> list[AnswerRow]:
    """Returns a row per answer that an excluded take lacks or adds."""
    return [
        AnswerRow(take.load.path, kind, answer)
        for take in excluded
        for kind, answers in (("lacks", take.mismatch.lacks), ("adds", take.mismatch.adds))
        for answer in answers
    ]


def with_all_rows(with_all: Iterable[OverallTest], compared: Iterable[OverallTest]) -> list[WithAllRow]:
    """Returns results with all takes, next to the results without the excluded takes."""
    without = {(row.pair, row.network, row.metric): row for row in compared}
    return [
        WithAllRow(row.pair, row.network, row.metric, without.get((row.pair, row.network, row.metric)), row)
        for row in with_all
    ]


def _few(answers: Sequence[Answer]) -> str:
    named = [_short(answer.matched_url) for answer in answers[:SHOWN]]
    more = len(answers) - len(named)
    return f"{', '.join(named)} and {more} more" if more else ", ".join(named)


def _short(url: str) -> str:
    parts = urlsplit(url)
    text = f"{parts.netloc}{parts.path}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
