"""README.txt of an export: contents, methods, and how to cite it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from analysis.models import Result, ResultOrigin
from eyelevel_stats.conformance.accounting import MEANING
from eyelevel_stats.departures import Departure

TEXT = """\
{title}
{line}

The votes and results of one study about how fast websites load, exported from Eyelevel.

study     {study_sha256}
snapshot  {snapshot_sha256}
taken     {taken}
whose     {whose}
field     {field}
method    eyelevel_stats {method}

Sessions and votes
{counts}
  Each session that began has one outcome. The used ones are in votes.csv, plays.csv and every table.

Departures from the plan
{departures}
  As of the export, and unchanged since {departures_since}. Results can be opened after a snapshot was taken, so a
  later export of the same snapshot may list more.

Files
  votes.csv            one line per vote of the sessions used, with the metrics of the clip that was shown
  plays.csv            one line per play of these sessions: speed, frames, stalls, size, time away
  sessions.csv         one line per session used: answers about the person, screening, signs of little attention
  clips.csv            one line per clip of the study: metrics, provenance, digests of clip, batch and takes
  counts.csv           the sessions and votes above, by outcome
  demographics.csv     answers about the person in the sessions used, per group
  departures.csv       the departures from the plan above, one line each
  hypotheses.csv       the answer to each hypothesis of the study's plan, in words
  effects.csv          the effect that each hypothesis is about, per network or pooled: interval, tests, verdict
  mos.csv              mean opinion scores per site, network, stack and context
  comparisons.csv      preferences per site, network, pair of stacks and context
  correlations.csv     the clips' mean opinion scores against each metric, per network
  points.csv           one line per clip: its mean opinion score and its metrics
  values.csv           mean values of kinds of trial with a scale of their own, such as the slider
  identical.csv        identical pairs (one stack beside itself): how often people reported a difference
  repeats.csv          questions that were asked twice: agreement of the two answers
  layouts.csv          votes whose answers stood in a row or in a column, per kind of trial
  conformance.csv      one line per session: accepted, used, and the result of each rule R1 to R9
  funnel.csv           sessions left after each rule, per group
  sureal.json          the main ratings as a dataset for SUREAL (subject models of ITU-T P.910 and P.913)
  datapackage.json     all files as a Frictionless Data Package, with the schema of every CSV file
  manifest.json        rows and SHA-256 of every other file; `eyelevel analyse` checks them
  statistics/          {in_depth}
  figures/             the figures of the study's page as SVG; their tables are the files above
  data-dictionary.csv  every column of every file: type, unit, meaning
  study.json           the frozen study: questions, texts and clips; its SHA-256 identifies the study
  snapshot.json        the digests of the Parquet files; its SHA-256 identifies the snapshot
  votes/DAY.parquet    every vote, those of excluded sessions included; a file per day (UTC)
  plays/DAY.parquet    every play of sessions with a vote, those of excluded sessions included
  sessions.parquet     language, screen, answers about the person and to control questions
  exclusions.parquet   sessions that are excluded from every table, each with the rule
  verdicts.parquet     the data of conformance.csv and funnel.csv

Participants in the tables
  Participants who completed the study and broke no rule that excludes in this study (conformance in study.json).
  Exclusion is per participant, never per vote. Missing evidence is unknown and never excludes anyone. Accepted sessions
  are paid, used sessions are in the tables; an incomplete session is neither. The Parquet files and study.json contain
  all input of the rules, so that you can compute each verdict again.

How the tables were computed
  mos, comparisons, correlations, points and values use votes of the role main only. votes.csv also has those of
  training, repeats, identical pairs and control clips; its column role says which.
  An empty cell is unknown; 0 is zero. Times are UTC, durations milliseconds.
  Scores go from 1 (extremely bad) to 7 (ideal). Several votes of one participant that fall into one row are averaged
  first, so n is the number of participants. Intervals are 95 %: Student's t for means, Wilson's score for shares (of
  all answers, "no difference" included), Fisher's z for Pearson's correlation. Intervals of means end where the scale
  ends. These tables are not corrected for multiple comparisons.
  Hypotheses are judged by effects.csv. Ratings: score ~ participant + (site, network, context) + stack, by weighted
  least squares in which every site on every network weighs the same. Choices: 1 for the second stack, -1 for the first,
  0 for no difference. Variances are clustered by participant, and by site too where there are at least 5 sites; with
  fewer, an interval holds for these very sites only. A hypothesis is answered by the interval of level 1 - alpha (does
  it exclude 0) and that of level 1 - 2 alpha (does it lie within the margin). least_margin is the smallest margin
  at which that would be so; margin_d and margin_si are the plan's margin in standard deviations of single votes and as
  a change of SI. detectable is the smallest difference that the planned number of participants finds with the plan's
  power, if votes vary as these do.
  `eyelevel analyse` computes the same tables from votes.csv without a server.
  Text that a spreadsheet would interpret as a formula begins with an apostrophe.

Simulated participants
  Simulated participants (`eyelevel simulate`) are programs. Their votes test a study; do not report them as people's
  answers. conformance.csv and the Parquet files name the origin of every session.
  Simulated sessions in votes.csv and the tables: {simulated}.
  {to_include_them}

How to cite
  Cite the study and the snapshot by their digests above, and Eyelevel by its CITATION.cff. The method is that of
  K. Wolsing, J. Rueth, K. Wehrle, O. Hohlfeld: A Performance Perspective on Web Optimized Protocol Stacks:
  TCP+TLS+HTTP/2 vs. QUIC, ANRW 2019, https://doi.org/10.1145/3340301.3341123
  The user study of 2019 that questions, contexts and rules R1 to R7 follow is
  J. Rueth, K. Wolsing, K. Wehrle, O. Hohlfeld: Perceiving QUIC: Do Users Notice or Even Care?, CoNEXT 2019,
  https://doi.org/10.1145/3359989.3365416
  The sites of 2019 are those of
  M. Wijnants, R. Marx, P. Quax, W. Lamotte: HTTP/2 Prioritization and its Impact on Web Performance, WWW 2018
  `eyelevel compare --as` repeats the tables of
  K. Nepomuceno et al.: QUIC and TCP: A Performance Evaluation, 2018
  D. Saif, C.-H. Lung, A. Matrawy: An Early Benchmark of Quality of Experience Between HTTP/2 and HTTP/3 using
  Lighthouse, 2020, https://arxiv.org/abs/2004.01978
"""


WHOSE = {
    ResultOrigin.PERSON: "votes of people; simulated sessions are excluded",
    ResultOrigin.ALL: "votes of people and of simulated sessions",
}


TO_INCLUDE_SIMULATED = {
    ResultOrigin.PERSON: "To include them, select all sessions on the page, or add ?origin=all to the address.",
    ResultOrigin.ALL: "`eyelevel analyse` leaves them out; to include them, add --origin all.",
}


IN_DEPTH = {
    True: "tables that need model fits or resampling, one file each; data-dictionary.csv explains them",
    False: "tables that need model fits or resampling; available some minutes after every link of the study is closed",
}


def readme(
    result: Result,
    *,
    in_depth: bool,
    departures: Sequence[Departure],
    departures_since: datetime,
    collecting: bool,
    look: int | None,
) -> str:
    """The text of README.txt.

    `in_depth`: the export has the tables in depth. `departures`: those from the study's plan, which have not changed
    since `departures_since`. `collecting`: the study is in the field. `look`: the planned look whose answers the export
    then has, if any.
    """
    snapshot, origin = result.snapshot, ResultOrigin(result.origin)
    title = f"Eyelevel export: {snapshot.study.name}"
    return TEXT.format(
        title=title,
        line="=" * len(title),
        study_sha256=snapshot.study_id,
        snapshot_sha256=snapshot.sha256,
        taken=_moment(snapshot.created_at),
        whose=WHOSE[origin],
        field=_field(look) if collecting else "closed",
        counts="\n".join(_counts(result.counts)),
        departures="\n".join(f"  - {departure.sentence}" for departure in departures) or "  None is known.",
        departures_since=_moment(departures_since),
        method=result.method_version,
        in_depth=IN_DEPTH[in_depth],
        simulated=result.simulated_sessions if origin == ResultOrigin.ALL else 0,
        to_include_them=TO_INCLUDE_SIMULATED[origin],
    )


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _field(look: int | None) -> str:
    answers = "are empty without a planned look" if look is None else f"have the answers of planned look {look}"
    return f"open, votes could still come in; hypotheses.csv and effects.csv {answers}"


def _counts(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields a line per outcome, and one with their sum."""
    yield f"  {'':<12}{'sessions':>10}{'votes':>10}"
    for row in rows:
        yield _line(row["outcome"].replace("_", " "), row, MEANING[row["outcome"]])
    total = {name: sum(row[name] for row in rows) for name in ("sessions", "votes")}
    yield _line("in all", total, "every session that began")


def _line(name: str, row: Mapping[str, Any], meaning: str) -> str:
    return f"  {name:<12}{row['sessions']:>10}{row['votes']:>10}  {meaning}"
