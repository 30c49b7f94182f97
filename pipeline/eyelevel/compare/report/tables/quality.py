"""Tables of data quality, and of every take."""

from collections.abc import Callable, Sequence

from eyelevel.compare.model import Load, Pair
from eyelevel.compare.quality import Alignment, FirstPaints, LeftOut
from eyelevel.compare.report.tables.shared import (
    METRIC,
    METRIC_VIEW,
    NETWORK,
    NETWORK_VIEW,
    PAIR,
    PAIR_VIEW,
    SITE,
    SITE_VIEW,
    plain,
)
from eyelevel.compare.sites import SiteRow
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel_core.comparability.sites import SiteFidelity
from eyelevel_core.model.metrics import METRICS, Metric
from eyelevel_stats.arms import Difference
from eyelevel_stats.arms.rates import PairTest, StackCount

UNKNOWN = (
    "films whose first paint does not explain their first change: it is unknown, or over 100 ms away; whether their "
    "zero is off is unknown, too, and only the clocks could flag it"
)


def count_table(rows: Sequence[StackCount]) -> Table:
    columns = plain(
        {
            "stack": "protocol stack",
            "planned": "runs of the campaign",
            "takes": "runs with a take",
            "missing": "runs without one",
            "attempts": "attempts in attempts.jsonl; empty without that file",
            "void": "void attempts, for a cause of their own",
            "void_with_block": "attempts void because another of their block was (paired campaigns)",
        }
    )
    columns = [
        *columns,
        Column("causes", "causes of void attempts, with counts", _causes),
        *plain(
            {
                "censored": "takes that ended at the limit before the page settled",
                "comparable": "takes of the sites and networks that are compared",
            }
        ),
        Column(
            "served_otherwise",
            "of these, takes excluded for a content mismatch; empty without fidelity.json",
            lambda row: row.mismatched,
        ),
    ]
    views = [
        View("stack", lambda row: row.stack, text=True),
        View("planned", lambda row: words.count(row.planned)),
        View("takes", lambda row: words.count(row.takes)),
        View("missing", lambda row: words.count(row.missing)),
        View("attempts", lambda row: words.count(row.attempts)),
        View("void", lambda row: words.count(row.void)),
        View("with block", lambda row: words.count(row.void_with_block)),
        View("void rate", lambda row: words.share(row.void_rate)),
        View("causes", lambda row: _causes(row) or "–", text=True),
        View("censored", lambda row: words.count(row.censored)),
        View("censored rate", lambda row: words.share(row.censored_rate)),
        View("comparable", lambda row: words.count(row.comparable)),
        View("content mismatch", lambda row: words.count(row.mismatched)),
    ]
    return Table("runs", "Runs, attempts, void and censored, per stack", columns, views, rows)


def _causes(row: StackCount) -> str | None:
    if row.void_causes is None:
        return None
    return ", ".join(f"{cause} {count}" for cause, count in row.void_causes.items())


def rate_table(rows: Sequence[PairTest[Pair]]) -> Table:
    columns = [
        *PAIR,
        Column(
            "share_of",
            "void attempts among attempts, censored takes among takes, or takes served otherwise among comparable ones",
            lambda row: row.kind,
        ),
        Column("share_new", "share of the new stack; a fraction", lambda row: row.found.share_new),
        Column("share_reference", "share of the reference; a fraction", lambda row: row.found.share_reference),
        Column("p_value", "two-sided p of Fisher's exact test", lambda row: row.found.p_value),
        Column("p_adjusted", "the same after Holm among all rows", lambda row: row.adjusted_p),
    ]
    views = [
        PAIR_VIEW,
        View("share of", lambda row: row.kind, text=True),
        View("new", lambda row: words.share(row.found.share_new)),
        View("reference", lambda row: words.share(row.found.share_reference)),
        View("p", lambda row: words.p_value(row.found.p_value)),
        View("p, Holm", lambda row: words.p_value(row.adjusted_p)),
    ]
    return Table("rate-tests", "Tests of void, censored and excluded shares between stacks", columns, views, rows)


def fidelity_table(rows: Sequence[SiteFidelity]) -> Table:
    columns = plain(
        {
            "site": "site of the campaign",
            "takes": "takes of all stacks and networks",
            "unknown": "takes whose load event never fired; the content they were served is unknown",
            "exact": "requests before load that the recording answers exactly",
            "equivalent": "requests answered by a recording that differs in volatile parameters or image format only",
            "inexact": "requests answered by a recording of nearly the same",
            "missed": "requests never recorded",
            "share": "exact among these; a fraction",
            "worst_share": "the same of the stack where it is lowest; a fraction",
            "worst_stack": "that stack",
            "absent": "needed requests that the replay check missed, of the stack with most; empty without a check",
            "painted_share": "of the viewport missed or inexact in the replay check, of the worst stack; a fraction",
            "similarity": "SSIM of the page and the recorded screenshot, of the worst stack; empty without one",
            "differing": "takes with a content mismatch, which are excluded; empty where unknown",
            "kept": "whether the site is compared",
            "reason": "why it is not",
        }
    )
    views = [
        SITE_VIEW,
        View("takes", lambda row: words.count(row.takes)),
        View("exact", lambda row: words.count(row.exact)),
        View("equivalent", lambda row: words.count(row.equivalent)),
        View("inexact", lambda row: words.count(row.inexact)),
        View("missed", lambda row: words.count(row.missed)),
        View("exact share", lambda row: words.share(row.share)),
        View("needed, absent", lambda row: words.count(row.absent)),
        View("viewport missed", lambda row: words.share(row.painted_share)),
        View("SSIM", lambda row: "–" if row.similarity is None else f"{row.similarity:.3f}"),
        View("content mismatch", lambda row: words.count(row.differing)),
        View("compared", lambda row: "yes" if row.kept else "no", text=True),
    ]
    return Table("fidelity", "Fidelity: answers to requests before load, and the replay check", columns, views, rows)


def alignment_table(rows: Sequence[Alignment]) -> Table:
    columns = [
        *PAIR,
        Column("network", "emulated network; all: every one of them", _network),
        *_error_columns("paint", "first change against the browser's first paint"),
        *_error_columns("clock", "clock against the browser's"),
        Column(
            "off_by_a_frame", "films whose zero is known to be off by more than a frame", lambda r: r.off_by_a_frame
        ),
        Column("unknown", UNKNOWN, lambda row: row.unknown),
    ]
    views = [
        PAIR_VIEW,
        View("network", _network, text=True),
        View("by the clocks, ms", lambda row: _error(row.clock, digits=2)),
        View("by the first paint, ms", lambda row: _error(row.paint, digits=1)),
        View("floor, ms", lambda row: words.one_decimal(row.floor_ms)),
        View("off by a frame", lambda row: words.count(row.off_by_a_frame)),
        View("unknown", lambda row: words.count(row.unknown)),
    ]
    return Table("alignment", "Alignment of the films between arms", columns, views, rows)


def first_paint_table(rows: Sequence[FirstPaints]) -> Table:
    columns = plain(
        {
            "site": "site of the campaign",
            "network": "emulated network",
            "takes": "takes that are compared",
            "off_by_a_frame": "films whose zero is known to be off by more than a frame",
            "unknown": UNKNOWN,
        }
    )
    views = [
        SITE_VIEW,
        NETWORK_VIEW,
        View("films", lambda row: words.count(row.takes)),
        View("off by a frame", lambda row: words.count(row.off_by_a_frame)),
        View("unknown", lambda row: words.count(row.unknown)),
    ]
    return Table("first-paint", "Films whose zero is off, or not told by the first paint", columns, views, rows)


def _pressure_columns() -> list[Column]:
    def share(name: str, meaning: str) -> Column:
        return Column(
            name, f"{meaning}; a fraction, empty where unknown", lambda row: getattr(row.pressure, name, None)
        )

    return [
        share("outside_share", "processor time that programs outside the capture used"),
        share("steal_share", "processor time that the hypervisor took"),
        share("run_share", "processor time that servers, emulation, screen and browser used"),
        share("waiting_some_share", "time in which some task of these waited for a processor"),
        share("waiting_full_share", "time in which each active task of these waited for a processor"),
    ]


def _network(row: Alignment) -> str:
    return row.network or "all"


def _error_columns(name: str, what: str) -> list[Column]:
    def part(of: str) -> Callable[[Alignment], float | None]:
        return lambda row: getattr(getattr(row, name), of, None)

    return [
        Column(f"{name}_difference_ms", f"mean error of the films' {what}, new - reference", part("difference")),
        Column(f"{name}_ci_low_ms", "lower end of its 95 % interval, within sites and networks", part("ci_low")),
        Column(f"{name}_ci_high_ms", "upper end of the same interval", part("ci_high")),
        Column(
            f"{name}_floor_ms",
            "the end farther from 0; by the first paint: a smaller difference in a visual metric cannot be read",
            part("floor"),
        ),
    ]


def _error(found: Difference | None, *, digits: int) -> str:
    if found is None:
        return "–"
    mean = words.signed(found.difference, digits)
    if found.ci_low is None or found.ci_high is None:
        return mean
    return f"{mean} ({words.signed(found.ci_low, digits)} to {words.signed(found.ci_high, digits)})"


def site_table(rows: Sequence[SiteRow]) -> Table:
    columns = plain(
        {
            "site": "site of the campaign",
            "recording": "SHA-256 of its recording",
            "takes": "takes it is counted over",
            "body_bytes": "bodies sent by all servers, median",
            "link_down_bytes": "IP bytes through the link towards the browser, median",
            "servers": "server addresses that answered something, the most in one take",
            "servers_by": "how the hosts share server addresses: as recorded, or one address per host",
            "requests": "requests that reached a server, median",
        }
    )
    views = [
        SITE_VIEW,
        View("bodies, kB", lambda row: words.kilobytes(row.body_bytes)),
        View("on the link, kB", lambda row: words.kilobytes(row.link_down_bytes)),
        View("servers", lambda row: words.count(row.servers)),
        View("addresses", lambda row: words.text(row.servers_by), text=True),
        View("requests", lambda row: words.count(row.requests)),
    ]
    return Table("sites", "Size and servers per site", columns, views, rows)


def left_out_table(rows: Sequence[LeftOut]) -> Table:
    columns = [
        Column("take", "folder of the take in the batch", lambda row: row.take),
        METRIC,
        Column(
            "why",
            "censored: ranked and averaged as the limit, not in the tables of 2019; unknown: nowhere",
            lambda row: row.why,
        ),
    ]
    views = [View("take", lambda row: row.take, text=True), METRIC_VIEW, View("why", lambda row: row.why, text=True)]
    return Table("left-out", "Values that takes do not give", columns, views, rows)


def take_table(rows: Sequence[Load]) -> Table:
    def column(metric: Metric) -> Column:
        since = " since navigation start" if metric.ratio else ""
        meaning = f"{metric.label}{since}, as measured; empty where unknown"
        return Column(metric.field, meaning, lambda row: row.metrics[metric.key])

    columns = [
        SITE,
        NETWORK,
        Column("stack", "protocol stack", lambda row: row.stack),
        Column("run", "number of the run; with a paired campaign, of the block", lambda row: row.run),
        Column("settled", "false: the take ended at the limit", lambda row: row.settled),
        *map(column, METRICS),
        Column(
            "zero_error_ms", "the film's first change against the browser's first paint", lambda row: row.zero_error_ms
        ),
        Column("clock_error_ms", "the browser's clock against the film's", lambda row: row.clock_error_ms),
        Column("lost_changes", "changes that the film lacks; empty where unknown", lambda row: row.lost_changes),
        Column(
            "unquiet_frames", "frames of the film that may be torn; empty where unknown", lambda row: row.unquiet_frames
        ),
        Column(
            "late_ms",
            "the longest time between a change and the fetch of its frame; empty where unknown",
            lambda row: row.late_ms,
        ),
        *_pressure_columns(),
        Column("exact", "requests before load answered exactly", lambda row: row.fidelity.exact),
        Column(
            "equivalent",
            "requests before load answered by a recording that differs in volatile parameters or image format only; "
            "empty: unknown",
            lambda row: row.fidelity.equivalent,
        ),
        Column("inexact", "requests before load answered by nearly the same", lambda row: row.fidelity.inexact),
        Column("missed", "requests before load never recorded", lambda row: row.fidelity.missed),
        Column("body_bytes", "bodies sent by all servers", lambda row: row.traffic.body_bytes),
        Column(
            "link_down_bytes", "IP bytes through the link towards the browser", lambda row: row.traffic.link_down_bytes
        ),
        *_sent_columns(),
        Column("servers", "server addresses that answered something", lambda row: row.traffic.servers),
        Column("take_sha256", "identity of the take", lambda row: row.digest),
    ]
    return Table("takes", "Every take", columns, [], rows)


def _sent_columns() -> list[Column]:
    def column(name: str, meaning: str, field: str) -> Column:
        return Column(name, f"{meaning}; empty: unknown", lambda row: getattr(row.traffic.down, field, None))

    return [
        column("link_down_packets", "packets sent towards the browser, dropped ones included", "packets"),
        column("link_down_queue_drops", "of these, dropped by the link's queue", "queue_drops"),
        column("link_down_losses", "of these, dropped by the network's loss", "losses"),
    ]
