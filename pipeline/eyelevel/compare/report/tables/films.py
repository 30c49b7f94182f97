"""The table of what films lack, stack against stack."""

from collections.abc import Sequence

from eyelevel.compare.films import FilmTest
from eyelevel.compare.report.tables.shared import NETWORK, NETWORK_VIEW, PAIR, PAIR_VIEW
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View


def film_table(rows: Sequence[FilmTest]) -> Table:
    columns = [
        *PAIR,
        NETWORK,
        Column("figure", "what each take's film is compared by", lambda row: row.figure),
        Column("takes_new", "the new stack's takes where it is above 0", lambda row: row.new),
        Column("of_new", "the new stack's takes where it is known", lambda row: row.found.n_new),
        Column("takes_reference", "the reference's takes where it is above 0", lambda row: row.reference),
        Column("of_reference", "the reference's takes where it is known", lambda row: row.found.n_reference),
        Column("mean_new", "mean of the new stack's takes", lambda row: row.new_mean),
        Column("mean_reference", "mean of the reference's takes", lambda row: row.reference_mean),
        Column(
            "superiority",
            "chance that it is higher in a take of the new stack than in one of the reference, ties half; mean over "
            "sites; 0.5: no difference",
            lambda row: row.found.superiority,
        ),
        Column("p_value", "two-sided p of van Elteren's rank test within sites", lambda row: row.found.p_value),
        Column("p_adjusted", "the same after Holm among all rows", lambda row: row.adjusted_p),
    ]
    views = [
        PAIR_VIEW,
        NETWORK_VIEW,
        View("of a film", lambda row: row.figure, text=True),
        View("above 0, new", lambda row: f"{row.new} of {row.found.n_new}"),
        View("reference", lambda row: f"{row.reference} of {row.found.n_reference}"),
        View("mean, new", lambda row: words.one_decimal(row.new_mean)),
        View("reference", lambda row: words.one_decimal(row.reference_mean)),
        View("higher in new", lambda row: words.share(row.found.superiority)),
        View("p", lambda row: words.p_value(row.found.p_value)),
        View("p, Holm", lambda row: words.p_value(row.adjusted_p)),
    ]
    return Table("films", "Changes that films lost or recorded late, between stacks", columns, views, rows)
