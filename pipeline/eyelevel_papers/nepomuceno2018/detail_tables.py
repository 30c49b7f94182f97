"""Tables of effects, boxes, phases, protocols, loads and objects."""

from collections.abc import Callable, Mapping, Sequence

from eyelevel.compare.model import Load
from eyelevel.compare.phases import PHASES
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel_papers.nepomuceno2018.columns import (
    CACHE,
    CACHE_VIEW,
    CONFIGURATION,
    EVENT,
    EVENT_VIEW,
    PLACE,
    STACK,
    STACK_VIEW,
)
from eyelevel_papers.nepomuceno2018.effects import Box, EffectRow
from eyelevel_papers.nepomuceno2018.published import Configuration
from eyelevel_papers.nepomuceno2018.requests import PhaseRow, ProtocolRow
from eyelevel_papers.shared import plain


def effect_table(rows: Sequence[EffectRow]) -> Table:
    own = [
        Column("effect", "round trip, or loss: what grows", lambda row: row.effect),
        Column("from_configuration", "configuration with the smaller value", lambda row: row.at.name),
        Column("to_configuration", "configuration with the larger value", lambda row: row.to.name),
        STACK,
        EVENT,
        CACHE,
        *plain(
            {
                "pages": "pages with a mean in both",
                "ratio": "geometric mean over pages of mean(to) / mean(from)",
                "low": "low end of its 95 % interval (Student's t on logarithms)",
                "high": "its high end",
            }
        ),
    ]
    views = [
        View("effect", lambda row: row.effect, text=True),
        View("from", lambda row: row.at.words, text=True),
        View("to", lambda row: row.to.words, text=True),
        STACK_VIEW,
        EVENT_VIEW,
        CACHE_VIEW,
        View("pages", lambda row: words.count(row.pages)),
        View("factor", lambda row: words.decimal(row.ratio)),
        View("95 % interval", lambda row: f"{words.decimal(row.low)} to {words.decimal(row.high)}"),
    ]
    return Table("effects", "Effects of round trip and loss per page", own, views, rows)


def box_table(rows: Sequence[Box]) -> Table:
    own = plain(
        {
            "pages": "pages in the box",
            "low_ms": "end of the low whisker",
            "q1_ms": "first quartile",
            "median_ms": "median",
            "q3_ms": "third quartile",
            "high_ms": "end of the high whisker",
        }
    )
    beyond = Column("outliers", "pages beyond the whiskers", lambda row: len(row.outliers_ms))
    views = [
        PLACE,
        STACK_VIEW,
        View("pages", lambda row: words.count(row.pages)),
        View("first quartile, ms", lambda row: words.ms(row.q1_ms)),
        View("median, ms", lambda row: words.ms(row.median_ms)),
        View("third quartile, ms", lambda row: words.ms(row.q3_ms)),
    ]
    return Table("boxes", "Boxes of figure 4", [*CONFIGURATION, STACK, *own, beyond], views, rows)


def phase_table(rows: Sequence[PhaseRow]) -> Table:
    own = plain(
        {
            "phase": "phase of HAR 1.2; TLS is part of connect, blocked_connect waits for another request's connection",
            "pages": "pages whose phases are known",
            "dominant": "of these, pages of which it is the largest",
            "median_share": "median over pages of its share of the time in phases, 0 to 1",
            "median_ms": "median over pages of its sum over the page's requests",
        }
    )
    views = [
        STACK_VIEW,
        CACHE_VIEW,
        PLACE,
        View("phase", lambda row: row.phase.replace("_", ", "), text=True),
        View("largest on", lambda row: f"{row.dominant} of {row.pages}"),
        View("median share", lambda row: words.share(row.median_share)),
        View("median sum, ms", lambda row: words.ms(row.median_ms)),
    ]
    return Table("phases", "Phases of the requests", [STACK, CACHE, *CONFIGURATION, *own], views, rows)


def protocol_table(rows: Sequence[ProtocolRow]) -> Table:
    own = plain(
        {
            "loads": "loads whose protocols are known",
            "unknown": "loads whose protocols are unknown",
            "median": "median over loads of the share of responses over HTTP/3, 0 to 1",
            "least": "the smallest share",
            "most": "the largest share",
        }
    )
    views = [
        PLACE,
        STACK_VIEW,
        CACHE_VIEW,
        View("loads", lambda row: words.count(row.loads)),
        View("unknown", lambda row: words.count(row.unknown)),
        View("over HTTP/3, median", lambda row: words.share(row.median)),
        View("least", lambda row: words.share(row.least)),
        View("most", lambda row: words.share(row.most)),
    ]
    return Table("protocols", "Responses over HTTP/3 per load", [*CONFIGURATION, STACK, CACHE, *own], views, rows)


def object_table(objects: Mapping[str, float]) -> Table:
    columns = [
        Column("site", "the page", lambda row: row[0]),
        Column("objects", "median over its first visits of the requests that the servers answered", lambda row: row[1]),
    ]
    views = [View("page", lambda row: row[0], text=True), View("objects", lambda row: f"{row[1]:g}")]
    return Table("objects", "Objects per page (figure 1)", columns, views, list(objects.items()))


def load_table(loads: Sequence[Load], configured: Mapping[str, Configuration]) -> Table:
    """Every take that counts, over the paper's networks."""
    rows = [load for load in loads if load.network in configured]
    columns = [
        Column("take", "its folder inside the batch", lambda row: row.path),
        Column("site", "the page", lambda row: row.site),
        Column("configuration", "C01 to C12", lambda row: configured[row.network].name),
        STACK,
        CACHE,
        Column("run", "number of the run", lambda row: row.run),
        Column("onload_ms", "onLoad; empty where it is unknown", lambda row: row.metrics["plt"]),
        Column("oncontentloaded_ms", "onContentLoaded; empty where it is unknown", lambda row: row.metrics["dcl"]),
        Column("h3_share", "share of its responses over HTTP/3, 0 to 1", lambda row: row.traffic.h3_share),
        *(Column(f"{phase}_ms", f"sum of {phase} over its requests (phases.csv)", _phase(phase)) for phase in PHASES),
    ]
    views = [
        View("take", lambda row: row.path, text=True),
        View("onLoad, ms", lambda row: words.ms(row.metrics["plt"])),
        View("onContentLoaded, ms", lambda row: words.ms(row.metrics["dcl"])),
        View("over HTTP/3", lambda row: words.share(row.traffic.h3_share)),
    ]
    return Table("loads", "Every load", columns, views, rows)


def _phase(phase: str) -> Callable[[Load], float | None]:
    return lambda load: None if load.phases_ms is None else load.phases_ms[phase]
