"""Columns and views that the report's tables share."""

from eyelevel.report.table import Column, View
from eyelevel.report.words import NBSP
from eyelevel_papers.nepomuceno2018.published import CACHES, EVENTS, Configuration

EVENT = Column("event", "the paper's name; onLoad is plt_ms, onContentLoaded dcl_ms", lambda row: EVENTS[row.metric])
CACHE = Column("cache", "cache state of the visits: cold is the paper's cache disabled, all enabled", lambda r: r.cache)
STACK = Column("stack", "the stack", lambda row: row.stack)
CONFIGURATION = (
    Column("configuration", "C01 to C12 in the order of the paper", lambda row: _name(row.configuration)),
    Column("rtt_ms", "its round trip", lambda row: row.configuration and row.configuration.rtt_ms),
    Column("loss", "its loss, 0 to 1", lambda row: row.configuration and row.configuration.loss),
)
PAIR_VIEW = View("stacks", lambda row: f"{row.pair.new}{NBSP}/{NBSP}{row.pair.reference}", text=True)
EVENT_VIEW = View("event", lambda row: EVENTS[row.metric], text=True)
CACHE_VIEW = View("cache", lambda row: CACHES[row.cache].removeprefix("cache "), text=True)
STACK_VIEW = View("stack", lambda row: row.stack, text=True)
PLACE = View("network", lambda row: _place(row.configuration), text=True)


def _place(configuration: Configuration | None) -> str:
    return "all" if configuration is None else configuration.words.replace(" ms", f"{NBSP}ms")


def _name(configuration: Configuration | None) -> str | None:
    return None if configuration is None else configuration.name
