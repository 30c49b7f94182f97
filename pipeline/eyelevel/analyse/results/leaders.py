"""The order of the leaderboard of metrics, and a sentence about it."""

from collections.abc import Sequence

from eyelevel.report.words import decimal, share
from eyelevel_stats.rows.metrics import LeaderRow
from eyelevel_stats.rows.words import ALL


def strongest_first(rows: Sequence[LeaderRow]) -> list[LeaderRow]:
    """Sorts metrics by Spearman's correlation within sites if it is known, else by the raw one.

    The direction of a metric is the sign of its correlation over all clips.
    """
    within = any(row.spearman_centred is not None for row in rows)

    def strength(row: LeaderRow) -> float:
        correlation = row.spearman_centred if within else row.spearman
        return (correlation or 0.0) * (-1 if (row.spearman or 0.0) < 0 else 1)

    return sorted(rows, key=lambda row: -strength(row))


def leader_sentences(rows: Sequence[LeaderRow]) -> list[str]:
    """Returns a sentence about the metric that follows the scores most closely, with its share of the ceiling."""
    board = [row for row in strongest_first([row for row in rows if row.network == ALL]) if row.pearson is not None]
    if not board:
        return []
    first = board[0]
    sentence = f"Of {len(board)} metrics, {first.metric} follows the scores most closely" if len(board) > 1 else (
        f"{first.metric} is the only metric"
    )  # fmt: skip
    sentence += f": Spearman’s correlation {decimal(first.spearman)}"
    if first.spearman_centred is not None:
        sentence += f", and {decimal(first.spearman_centred)} within sites"
    if first.share is not None:
        sentence += f"; Pearson’s is {share(first.share)} of the noise ceiling"
    return [f"{sentence}."]
