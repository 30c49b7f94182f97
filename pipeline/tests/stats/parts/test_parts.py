"""Sums of parts give the tables that all votes give at once, however the participants are divided."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eyelevel_core.model.metrics import FIELDS
from eyelevel_kinds import KINDS
from eyelevel_stats.clip_votes import clip_votes
from eyelevel_stats.parts.reduce import opened, reduce, reduce_clips
from eyelevel_stats.parts.sums import Moments, Sums
from eyelevel_stats.parts.tables import results_of_sums
from eyelevel_stats.study import Results
from eyelevel_stats.votes import results_of

STACKS, NETWORKS = ("TCP", "TCP+", "QUIC"), ("DSL", "MSS")
Rows = list[dict[str, Any]]


def drawn(seed: int, *, people: int = 60, sites: int = 6) -> Rows:
    """Votes of all kinds and roles; some people answer often, some seldom, and some metrics are unknown."""
    rng = np.random.default_rng(seed)
    metrics = {
        (site, network, stack): {name: None if rng.random() < 0.1 else float(rng.uniform(200, 9000)) for name in FIELDS}
        for site in range(sites) for network in NETWORKS for stack in STACKS
    }  # fmt: skip
    rows: Rows = []
    for person in range(people):
        positions = iter(range(1, 1000))
        for _ in range(int(rng.integers(1, 15))):
            site, network, stack = int(rng.integers(sites)), str(rng.choice(NETWORKS)), str(rng.choice(STACKS))
            common = {"session_id": f"p{person:03}", "site": f"s{site}", "network": network, "role": "main"}
            common |= {"context": str(rng.choice(["work", "free"])), "layout": str(rng.choice(["row", "column"]))}
            single: dict[str, Any] = common | {"stack": stack, "clip_sha256": f"{site}-{network}-{stack}"}
            single |= metrics[site, network, stack]
            rated = single | {"trial_kind": "rate", "trial_kind_version": 2, "score": int(rng.integers(1, 8))}
            rows.append(rated | {"position": (place := next(positions))})
            if rng.random() < 0.3:
                again = {"role": "repeat", "repeats_position": place, "score": int(rng.integers(1, 8))}
                rows.append(rated | again | {"position": next(positions)})
            left, right = rng.choice(STACKS, 2, replace=False)
            pair = common | {"trial_kind": "compare", "trial_kind_version": 1, "clip_sha256": f"{site}-{left}-{right}"}
            pair |= {"choice": str(rng.choice(["left", "right", "none"])), "left_stack": str(left)}
            rows.append(pair | {"right_stack": str(right), "position": next(positions)})
            if rng.random() < 0.4:
                same = {"role": "identical", "left_stack": stack, "right_stack": stack}
                rows.append(pair | same | {"position": next(positions)})
            for name, kind in KINDS.items():
                column = kind.columns[0]
                if name != "rate" and kind.clip_kind == "single" and column.type != "string" and kind.scale is not None:
                    value = float(rng.integers(int(kind.scale[0]), int(kind.scale[1]) + 1))
                    fields = {"trial_kind": name, "trial_kind_version": 1, column.name: value}
                    rows.append(single | fields | {"position": next(positions)})
    return rows


def columns_of(rows: Rows) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names} | {"received_at": list(range(len(rows)))}


def parts(rows: Rows, folder: Path, *, count: int) -> list[Sums]:
    """Each person is in one part, by chance."""
    rng = np.random.default_rng(count)
    people = sorted({row["session_id"] for row in rows})
    part_of = dict(zip(people, rng.integers(count, size=len(people)), strict=True))
    schema = pa.Table.from_pydict(columns_of(rows)).schema
    found = []
    for part in range(count):
        path = folder / f"{count}-{part}.parquet"
        part_rows = [row for row in rows if part_of[row["session_id"]] == part]
        given = columns_of(part_rows)
        values = {name: given.get(name, [None] * len(part_rows)) for name in schema.names}
        pq.write_table(pa.Table.from_pydict(values, schema=schema), path)
        with opened(memory_mb=256, threads=2, spill_to=str(folder)) as connection:
            found.append(reduce(connection, f"read_parquet('{path}')"))
    return found


def added(found: Sequence[Sums]) -> Sums:
    total = found[0]
    for other in found[1:]:
        total = total + other
    return total


def assert_same(one: Any, other: Any, where: str = "results") -> None:
    """Equal but for rounding, to 1e-9."""
    if is_dataclass(one) and not isinstance(one, type):
        assert_same(asdict(one), asdict(other), where)
    elif isinstance(one, Mapping):
        assert one.keys() == other.keys(), where
        for name in one:
            assert_same(one[name], other[name], f"{where}.{name}")
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), where
        for number, (own, its) in enumerate(zip(one, other, strict=True)):
            assert_same(own, its, f"{where}[{number}]")
    elif isinstance(one, float):
        assert other is not None, where
        assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9), f"{where}: {one} and {other}"
    else:
        assert one == other, where


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("seed", [1, 2])
def test_sums_of_parts_give_the_tables_of_all_votes(seed: int, count: int, tmp_path: Path) -> None:
    rows = drawn(seed)
    at_once: Results = results_of(columns_of(rows))
    for table in ("mos", "points", "comparisons", "identical", "values", "repeats", "layouts", "correlations"):
        assert getattr(at_once, table), f"the votes fill {table}"
    assert_same(at_once, results_of_sums(added(parts(rows, tmp_path, count=count))))


def test_the_order_of_parts_does_not_matter(tmp_path: Path) -> None:
    found = parts(drawn(3), tmp_path, count=5)
    assert_same(results_of_sums(added(found)), results_of_sums(added(found[::-1])))


def test_a_part_without_votes_adds_nothing(tmp_path: Path) -> None:
    found = parts(drawn(4, people=2), tmp_path, count=9)
    assert min(part.votes for part in found) == 0
    filled = [part for part in found if part.votes]
    assert_same(results_of_sums(added(found)), results_of_sums(added(filled)))


def test_moments_are_those_of_all_people_together() -> None:
    one, other = Moments(2, 5, 3.0, 2.0), Moments(3, 3, 5.0, 6.0)
    people = [2.0, 4.0, 5 - 3**0.5, 5.0, 5 + 3**0.5]
    found = one + other
    assert (found.n, found.votes) == (5, 8)
    assert found.mean == pytest.approx(np.mean(people))
    assert found.squares == pytest.approx(np.var(people) * 5)
    assert found.opinion((1, 4.5)).ci_high == 4.5
    assert Moments(1, 2, 3.0, 0.0).opinion().sd is None


def test_contradictions_between_parts_are_named(tmp_path: Path) -> None:
    rows = drawn(5, people=8)
    one, other = parts(rows, tmp_path, count=2)
    clip = next(iter(one.metrics.keys() & other.metrics.keys()))
    changed = Sums(**{**vars(other), "metrics": {**other.metrics, clip: {"si_ms": 1.0}}})
    with pytest.raises(ValueError, match=f"The clip {clip} has different metrics in different votes"):
        one + changed
    changed = Sums(**{**vars(other), "versions": {**other.versions, "rate": 3}})
    with pytest.raises(ValueError, match="Votes of rate are of several versions of the kind: 2 and 3"):
        one + changed


def test_contradictions_within_a_part_are_named(tmp_path: Path) -> None:
    rows = drawn(6, people=3)
    first = next(row for row in rows if row["trial_kind"] == "rate")
    connection = duckdb.connect()
    other = {**first, "si_ms": 12345.0, "session_id": "other"}
    connection.register("twice", pa.Table.from_pydict(columns_of([first, other])))
    with pytest.raises(ValueError, match="has different metrics in different votes"):
        reduce(connection, "twice")
    connection.register("unknown", pa.Table.from_pydict(columns_of([first, {**first, "si_ms": None}])))
    if first["si_ms"] is not None:
        with pytest.raises(ValueError, match="has different metrics in different votes"):
            reduce(connection, "unknown")
    connection.register("versions", pa.Table.from_pydict(columns_of([first, {**first, "trial_kind_version": 1}])))
    with pytest.raises(ValueError, match="Votes of rate are of several versions of the kind: 1 and 2"):
        reduce(connection, "versions")


@pytest.mark.parametrize("seed", [1, 6])
def test_votes_about_each_clip_are_those_of_all_votes(seed: int, tmp_path: Path) -> None:
    rows = drawn(seed)
    columns = columns_of(rows)
    path = tmp_path / "votes.parquet"
    pq.write_table(pa.Table.from_pydict(columns), path)
    with opened(memory_mb=256, threads=1, spill_to=str(tmp_path), spill_mb=100) as connection:
        found = reduce_clips(connection, f"read_parquet('{path}')")
    expected = clip_votes(columns)
    assert list(found) == list(expected)
    assert {row.role for rows in found.values() for row in rows} >= {"main", "identical"}
    assert_same(found, expected)
