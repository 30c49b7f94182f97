"""Runs a case through a platform, and says of each figure what was planted, what came out, and whether it holds."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any

import httpx
import pyarrow.parquet as pq
import yaml
from platform_process import Platform
from researcher_client import close, researcher_client, wait_for_in_depth, wait_for_results

from embedded.export_file import download_export
from eyelevel.simulate.model import Person, person
from testing.tables import rows_of

from .batch import make_batch, measured_si_ms
from .cases import Case
from .truth import expected_effect

# no answer of theirs can be overlooked
CERTAIN = {"leaves", "rushes", "skims"}
# that an interval misses its truth by chance, for all effects of a case together
MISSED = 1e-4


@dataclass(frozen=True)
class Figure:
    """`bound` says in words what must hold."""

    what: str
    planted: str
    found: str
    bound: str
    holds: bool


@dataclass(frozen=True)
class Ran:
    """What a platform says of a study whose participants are known, in the order of their sessions."""

    case: Case
    si_ms: dict[Any, float]
    people: list[Person]
    sessions: list[dict[str, Any]]
    results: dict[str, Any]
    in_depth: dict[str, Any]
    export: zipfile.ZipFile
    analysed: Path
    printed: str


def run(
    platform: Platform, case: Case, folder: Path, *, participants: int, within_s: float, arguments: tuple[str, ...] = ()
) -> Ran:
    """Make the batch, publish, simulate, close, wait for the tables in depth, export and analyse."""
    name, delay_ms = str(case.study["batch"]), case.control_delay_ms
    batch = make_batch(folder / "batch", name, case.si_ms, pairs=case.pairs, control_delay_ms=delay_ms)
    file = folder / "study.yaml"
    file.write_text(yaml.safe_dump(dict(case.study), allow_unicode=True), encoding="utf-8")
    study = platform.publish(batch, file)
    links = [fielding["slug"] for fielding in study["fieldings"] if not case.groups or fielding["group"] in case.groups]
    questions = case.study.get("controls", {}).get("questions", ())
    right = [f"--right={question['key']}={question['right']}" for question in questions]
    people: list[Person] = []
    votes = 0
    for place, slug in enumerate(links):
        seed, each = case.seed + place, participants // len(links)
        output = platform.eyelevel(
            *("simulate", "--study", f"{platform.url}/s/{slug}", "--participants", str(each), "--seed", str(seed)),
            *("--careless", str(case.careless), *right, *arguments),
            scope="studies",
        )
        counted = json.loads(output)
        assert counted["completed"] == each, counted
        votes += counted["receipts"]
        # as `eyelevel simulate` makes them
        people += [person(Random(f"{seed}/{number}"), careless=case.careless) for number in range(1, each + 1)]
    with researcher_client(platform) as client:
        close(client, study)
        results = wait_for_results(client, study["sha256"], votes=votes, within_s=within_s, origin="all")
        deep = wait_for_in_depth(client, study["sha256"], within_s=within_s, origin="all")
        # with the answers about metrics, which come with the tables in depth
        results = client.get(f"/api/research/studies/{study['sha256']}/results", params={"origin": "all"}).json()
        export = folder / "export.zip"
        export.write_bytes(download_export(client, study["sha256"], origin="all", within_s=within_s))
        sessions = list(_sessions(client, study["sha256"]))
    out = folder / "analysed"
    command = [sys.executable, "-m", "eyelevel", "analyse", str(export), "--origin", "all", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Ran(case, measured_si_ms(batch), people, sessions, results, deep, zipfile.ZipFile(export), out, done.stdout)


def figures(ran: Ran) -> Iterator[Figure]:
    """Hypotheses and effects on the page, in the export and by `analyse`; who was left out; counts that agree."""
    yield from _hypotheses(ran)
    yield from _effects(ran)
    yield from _careless(ran)
    yield from _counts(ran)


def _hypotheses(ran: Ran) -> Iterator[Figure]:
    page = {row["hypothesis"]: row["outcome"] for row in ran.results["hypotheses"]}
    export = {row["hypothesis"]: row["outcome"] for row in _rows(ran.export.read("hypotheses.csv"))}
    analysed = {row["hypothesis"]: row["outcome"] for row in _rows((ran.analysed / "hypotheses.csv").read_bytes())}
    report = (ran.analysed / "report.html").read_text(encoding="utf-8")
    for key, outcomes in ran.case.outcomes.items():
        found = (page.get(key), export.get(key), analysed.get(key))
        said = f"{key} is {found[0]}" in report.replace("\u00a0", " ")
        yield Figure(
            f"{key}: page, export, analyse, report",
            " or ".join(outcomes),
            ", ".join(map(str, found)) + (", said" if said else ", not said"),
            "all the same",
            found[0] in outcomes and found == found[:1] * 3 and said,
        )


def _effects(ran: Ran) -> Iterator[Figure]:
    plan = {hypothesis["key"]: hypothesis for hypothesis in ran.case.study["plan"]["hypotheses"]}
    analysed = {(row["hypothesis"], row["network"]): row for row in _rows((ran.analysed / "effects.csv").read_bytes())}
    effects = ran.results["effects"]
    # Bonferroni's, as wide as an interval of 95 % by the same standard error
    wider = NormalDist().inv_cdf(1 - MISSED / 2 / max(1, len(effects))) / NormalDist().inv_cdf(0.975)
    for row in effects:
        kind = row["kind"]
        networks = ran.case.networks if row["network"] == "pooled" else [row["network"]]
        asked = ran.case.rated if kind == "rate" else ran.case.compared
        truth = expected_effect(ran.si_ms, (row["first"], row["second"]), networks, sites=asked, kind=kind)
        low, high = row["ci_low"], row["ci_high"]
        interval = f"{row['estimate']:+.3f} [{low:+.3f}, {high:+.3f}]"
        what = f"{row['hypothesis']} on {row['network']}, {kind}"
        near = abs(truth - row["estimate"]) <= wider * (high - low) / 2
        bound = f"within {wider:.2f} times its interval: {1 - MISSED:.2%} for all effects"
        yield Figure(what, f"{truth:+.3f}", interval, bound, near)
        if plan[row["hypothesis"]]["expects"] == "equivalent":
            right = {"equivalent", "different, but smaller than the margin"}
            right |= {"undecided"} & set(ran.case.outcomes[row["hypothesis"]])
            small = row["verdict"] in right
            yield Figure(f"{what}: verdict", "within the margin", row["verdict"], " or ".join(sorted(right)), small)
        other = analysed[row["hypothesis"], row["network"]]
        gap = max(abs(float(other[name]) - row[name]) for name in ("estimate", "ci_low", "ci_high"))
        yield Figure(f"{what}: analyse - page", "0", f"{gap:.1e}", "at most 1e-9", gap <= 1e-9)


def _careless(ran: Ran) -> Iterator[Figure]:
    assert len(ran.sessions) == len(ran.people), (len(ran.sessions), len(ran.people))
    sessions = list(zip(ran.people, ran.sessions, strict=True))
    certain = [session["used"] for who, session in sessions if who.faults & CERTAIN]
    out = certain.count(False)
    yield Figure("careless, in the open", f"{len(certain)}", f"{out} left out", "all", out == len(certain))
    others = [(who, session) for who, session in sessions if not who.faults & CERTAIN]
    wrong = _wrong_controls(ran)
    asked = [session["session_id"] for _, session in others if session["session_id"] in wrong]
    left_out = [session["session_id"] for _, session in others if not session["used"]]
    guessing = sum(bool(who.faults) for who, _ in others)
    yield Figure(
        f"careful ({len(others) - guessing}) or only guessing ({guessing})",
        f"{len(asked)} wrong on a control video",
        f"{len(left_out)} left out",
        "the same people",
        asked == left_out,
    )
    broken = [rule["broken"] for session in ran.sessions for rule in session["findings"] if rule["rule"] == "R9"]
    late = broken.count("yes")
    yield Figure(
        "R9, answers at once", "unknown", f"{broken.count('unknown')} unknown, {late} broken", "0 broken", not late
    )


def _wrong_controls(ran: Ran) -> set[str]:
    """Sessions that rated a control video above the study's limit, or chose the side of it that was held back."""
    most = ran.case.study.get("controls", {}).get("videos", {}).get("max_score")
    votes = [
        row
        for name in ran.export.namelist()
        if name.startswith("votes/")
        for row in pq.read_table(io.BytesIO(ran.export.read(name))).to_pylist()
    ]
    controls = [vote for vote in votes if vote["role"] == "control"]
    return {str(vote["session_id"]) for vote in controls if not _is_right(vote, most)}


def _is_right(vote: dict[str, Any], most: int) -> bool:
    if vote["trial_kind"] == "rate":
        return bool(vote["score"] <= most)
    return bool(vote["choice"] == ("right" if vote["left_delay_ms"] else "left"))


def _counts(ran: Ran) -> Iterator[Figure]:
    page = {row["outcome"]: (row["sessions"], row["votes"]) for row in rows_of(ran.results["counts"])}
    export = {row["outcome"]: (int(row["sessions"]), int(row["votes"])) for row in _rows(ran.export.read("counts.csv"))}
    sessions = sum(count for count, _ in page.values())
    used, shown = sum(session["used"] for session in ran.sessions), ran.results["sessions_used"]
    yield Figure("sessions by outcome", f"{len(ran.people)}", f"{sessions}", "all", sessions == len(ran.people))
    yield Figure("used: verdicts, page", f"{used}", f"{shown}", "equal", used == shown)
    yield Figure("counts: page, counts.csv", str(page), str(export), "equal", page == export)
    readme = ran.export.read("README.txt").decode()
    words = " ".join(readme.split())
    missing = [row for row in page if f"{row.replace('_', ' ')} {page[row][0]} {page[row][1]} " not in words]
    yield Figure("counts: README.txt", "all outcomes", f"missing: {missing}", "none missing", not missing)


def _sessions(client: httpx.Client, sha256: str) -> Iterator[dict[str, Any]]:
    """In the order in which they began."""
    page = pages = 1
    while page <= pages:
        address = f"/api/research/studies/{sha256}/conformance/sessions"
        answer = client.get(address, params={"page": page, "origin": "all"}).raise_for_status().json()
        yield from answer["sessions"]
        page, pages = page + 1, answer["pages"]


def _rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))
