"""Columns and views that several tables share."""

from collections.abc import Sequence
from operator import attrgetter

from eyelevel.report.table import Column, View
from eyelevel_core.model.metrics import COMPARED, LABELS, METRIC_OF

SITE = Column("site", "site of the campaign", lambda row: row.site)
NETWORK = Column("network", "emulated network", lambda row: row.network)
METRIC = Column(
    "metric",
    ", ".join(f"{key} {METRIC_OF[key].name}" for key in COMPARED),
    lambda row: row.metric,
)
NEW = "the stack in question"
REFERENCE = "the stack it is compared with"
# rows with `pair`, and rows with the two names
PAIR = (
    Column("new_stack", NEW, lambda row: row.pair.new),
    Column("reference_stack", REFERENCE, lambda row: row.pair.reference),
)
STACKS = (
    Column("new_stack", NEW, lambda row: row.new),
    Column("reference_stack", REFERENCE, lambda row: row.reference),
)
SITE_VIEW = View("site", lambda row: row.site, text=True)
NETWORK_VIEW = View("network", lambda row: row.network, text=True)
METRIC_VIEW = View("metric", lambda row: LABELS[row.metric], text=True)
PAIR_VIEW = View("stacks", lambda row: str(row.pair), text=True)
STACKS_VIEW = View("stacks", lambda row: f"{row.new} against {row.reference}", text=True)


def plain(meanings: dict[str, str]) -> Sequence[Column]:
    """Columns named as the fields that they show."""
    return [Column(name, meaning, attrgetter(name)) for name, meaning in meanings.items()]
