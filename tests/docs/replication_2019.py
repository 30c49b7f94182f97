"""Tables in the README of docs/replications/wolsing2019, made from the CSV tables beside it.

    python tests/docs/replication_2019.py        puts the tables of a new campaign into the README

The sentences between the tables are written by hand, and have to be read again afterwards.
"""

import csv
from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs/replications/wolsing2019"
NETWORKS = ("DSL", "LTE", "DA2GC", "MSS")
METRICS = ("fvc", "si", "vc85", "lvc", "plt")
ONE_ROUND_TRIP = "one round trip taken off"
RECORDED = {
    "wikipedia": ("Wikipedia", "2018-02-20"),
    "baidu": ("Baidu", "2018-02-21"),
    "facebook": ("Facebook", "2018-02-23"),
    "googlede": ("GoogleDE", "2018-10-19"),
    "instagram": ("Instagram", "2018-09-07"),
    "reddit": ("Reddit", "2018-02-09"),
}

Row = dict[str, str]
Cells = list[str]


def read(name: str) -> list[Row]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def signed(value: str) -> str:
    """+0.4, -3.2, +12: two figures below 10, with a sign."""
    number = float(value)
    shown = f"{number:+.1f}" if abs(number) < 9.95 else f"{number:+,.0f}"
    return shown.lstrip("+-") if float(shown.replace(",", "")) == 0 else shown


def percent(value: str) -> str:
    return signed(str(100 * float(value)))


def whole_ms(value: str) -> str:
    number = float(value)
    return signed(value) if abs(number) < 0.5 else f"{number:+,.0f}"


def printed_ms(value: str) -> str:
    """A figure as the paper prints it."""
    return f"{float(value):+,.1f}".removesuffix(".0") if value else "–"


def interval(shown: Callable[[str], str], low: str, high: str) -> str:
    return f"{shown(low)} to {shown(high)}"


def pair(row: Row) -> str:
    return f"{row['new_stack']} against {row['reference_stack']}"


def references() -> dict[tuple[str, str, str], str]:
    """'?' by network, pair and metric where the paper does not print what a mean gain refers to."""
    return {
        (row["network"], pair(row), row["metric"]): "" if row["paper_2019_reference"] == "stated" else "?"
        for row in read("tables/average-gains-2019.csv")
        if row["paper_2019_mean_gain"]
    }


def speed_index_on_dsl() -> list[Cells]:
    """Gains over all sites, geometric means, beside the paper's arithmetic ones."""
    printed = {
        (row["network"], pair(row)): row["paper_2019_mean_gain"]
        for row in read("tables/average-gains-2019.csv")
        if row["metric"] == "si" and row["paper_2019_mean_gain"]
    }
    order = ("TCP+ against TCP", "TCP+BBR against TCP", "QUIC against TCP+", "QUIC+BBR against TCP+BBR")
    rows = {pair(row): row for row in read("tables/overall.csv") if (row["network"], row["metric"]) == ("DSL", "si")}
    return [
        [
            name,
            f"{100 * float(printed['DSL', name]):.0f} %{references()['DSL', name, 'si']}",
            f"{interval(percent, rows[name]['here_gain_ci_low'], rows[name]['here_gain_ci_high'])} %",
            f"{percent(rows[name]['gain'])} % "
            f"({interval(percent, rows[name]['gain_ci_low'], rows[name]['gain_ci_high'])})",
            f"{percent(rows[name]['smallest_gain'])} %",
        ]
        for name in order
    ]


def pages() -> list[Cells]:
    sites = {row["site"]: row for row in read("tables/sites.csv")}
    takes = read("tables/takes.csv")
    found = []
    for name, (collection, date) in RECORDED.items():
        most: dict[str, int] = {}
        for row in takes:
            if row["site"] == name:
                most[row["network"]] = max(most.get(row["network"], 0), int(row["run"]))
        site = sites[name]
        sizes = [f"{float(site[size]) / 1000:,.0f}" for size in ("body_bytes", "link_down_bytes")]
        runs = " / ".join(str(most.get(network, 0)) for network in NETWORKS)
        found.append([name, f"{collection}, {date}", site["servers"], site["requests"], *sizes, runs])
    return found


def printed_means() -> list[Cells]:
    marks = references()
    found = []
    for row in read("tables/beside-2019.csv"):
        if row["figure"] == ONE_ROUND_TRIP:
            continue
        gain = row["unit"] == "fraction"
        shown, unit = (percent, "%") if gain else (whole_ms, "ms")
        mark = marks[row["network"], pair(row), row["metric"]] if gain else ""
        paper = percent(row["paper_2019"]) if gain else printed_ms(row["paper_2019"])
        ours = f"{shown(row['ours'])} {unit} ({interval(shown, row['ci_low'], row['ci_high'])})"
        like = interval(shown, row["like_ci_low"], row["like_ci_high"]) if row["like_ci_low"] else "–"
        inside = {"True": "yes", "False": "no", "": "–"}[row["paper_inside"]]
        cells = [pair(row), row["network"], row["metric"].upper(), f"{paper} {unit}{mark}", ours]
        found.append([*cells, like, row["agreement"], inside])
    return found


def by_site() -> list[Cells]:
    """Of the networks on which every site was captured, without pairs that follow from the others."""
    found: dict[tuple[str, str], Cells] = {}
    for row in read("tables/gains-2019.csv"):
        if row["metric"] == "si" and pair(row) not in ("TCP+BBR against TCP", "QUIC against TCP+BBR"):
            star = "*" if float(row["anova_p_value"]) < 0.01 else ""
            found.setdefault((row["network"], pair(row)), []).append(f"{percent(row['gain'])} %{star}")
    whole = [[*key, *cells] for key, cells in found.items() if len(cells) == len(RECORDED)]
    return sorted(whole, key=lambda cells: NETWORKS.index(cells[0]))


def significant_on_dsl() -> list[Cells]:
    found: dict[str, Cells] = {}
    for column in ("{}_sites", "paper_2019_{}_sites"):
        for row in read("tables/anova-2019.csv"):
            if row["network"] == "DSL" and row["faster"] in (row["new_stack"], row["reference_stack"]):
                counts = " ".join(row[column.format(metric)] for metric in METRICS).strip()
                found.setdefault(pair(row), []).append(counts or "–")
    return [[name, *cells] for name, cells in found.items()]


def one_round_trip() -> list[Cells]:
    """The rows for which the paper has a value."""
    found = []
    for row in read("tables/one-rtt-2019.csv"):
        if not row["paper_2019_wikipedia_org_ms"]:
            continue
        bounds = interval(whole_ms, row["corrected_ci_low_ms"], row["corrected_ci_high_ms"])
        found.append([
            row["network"], row["new_stack"], row["metric"].upper(),
            f"{whole_ms(row['corrected_ms'])} ({bounds})", f"{float(row['corrected_rtts']):+.2f}",
            printed_ms(row["paper_2019_wikipedia_org_ms"]), printed_ms(row["paper_2019_gnu_org_ms"]),
        ])  # fmt: skip
    return found


def one_server() -> list[Cells]:
    servers = {row["site"]: row["servers"] for row in read("tables/sites.csv")}
    wanted = ("LTE", "QUIC", "TCP+")
    found: dict[str, dict[str, Cells]] = {}
    for name in ("tables", "one-server"):
        for row in read(f"{name}/gains-2019.csv"):
            key = (row["network"], row["new_stack"], row["reference_stack"])
            if key == wanted and row["metric"] in ("si", "plt") and row["site"] != "wikipedia":
                bounds = interval(whole_ms, row["difference_ci_low_ms"], row["difference_ci_high_ms"])
                shown = f"{whole_ms(row['difference_ms'])} ({bounds}), {percent(row['gain'])} %"
                found.setdefault(row["site"], {}).setdefault(row["metric"], []).append(shown)
    return [[site, servers[site], *cells["si"], *cells["plt"]] for site, cells in found.items()]


def noise() -> list[Cells]:
    """Least and most of the five stacks."""
    stacks = read("tables/spread.csv")

    def column(name: str, network: str) -> list[float]:
        return [float(row[name]) for row in stacks if row["network"] == network]

    def shares(name: str, network: str) -> str:
        values = column(name, network)
        return f"{100 * min(values):.1f} to {100 * max(values):.1f} %"

    def correlations(network: str) -> str:
        values = [round(value, 2) + 0.0 for value in column("correlation", network)]  # no -0.0
        return f"{min(values):.2f} to {max(values):.2f}"

    return [
        [
            network,
            shares("sd_log_si", network),
            shares("sd_log_processor_time", network),
            correlations(network),
            shares("sd_log_si_left", network),
        ]
        for network in NETWORKS
    ]


TABLES: dict[str, Callable[[], list[Cells]]] = {
    "| Speed Index | paper, 38 sites |": speed_index_on_dsl,
    "| page | collection, date |": pages,
    "| comparison | network | metric | 2019, 38 sites |": printed_means,
    "| network | comparison | baidu |": by_site,
    "| comparison | here: first faster |": significant_on_dsl,
    "| network | new stack | metric |": one_round_trip,
    "| site | servers | SI, one per host |": one_server,
    "| network | SI varies by |": noise,
}


def with_tables(text: str) -> str:
    """The README with the rows of each table from the CSV files; ValueError where a table is missing."""
    lines = text.split("\n")
    for header, rows in TABLES.items():
        starts = [number for number, line in enumerate(lines) if line.startswith(header)]
        if len(starts) != 1:
            raise ValueError(f"README.md has {len(starts)} tables that begin with {header!r}, not one")
        first = starts[0] + 2
        after = next(number for number in range(first, len(lines)) if not lines[number].startswith("|"))
        lines[first:after] = [f"| {' | '.join(cells)} |" for cells in rows()]
    return "\n".join(lines)


if __name__ == "__main__":
    readme = FOLDER / "README.md"
    readme.write_text(with_tables(readme.read_text(encoding="utf-8")), encoding="utf-8")
