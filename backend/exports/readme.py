"""README.txt of an export: contents, methods, and how to cite it."""

from analysis.models import Result

TEXT = """\
{title}
{line}

The votes and results of one study about how fast websites load, exported from Eyelevel.

study     {study_sha256}
snapshot  {snapshot_sha256}
taken     {taken}
votes     {votes} of {sessions} participants' sessions
method    eyelevel_stats {method}

Files
  votes.csv            one line per vote that counts, with the metrics of the very clip that was shown
  plays.csv            one line per play of the sessions that count: speed, frames, stalls, size, time away
  mos.csv              mean opinion scores per site, network, stack and context
  comparisons.csv      preferences per site, network, pair of stacks and context
  correlations.csv     the clips' mean opinion scores against each metric, per network
  points.csv           one line per clip: its mean opinion score and its metrics
  values.csv           mean values of kinds of trial with a scale of their own, such as the slider
  identical.csv        pairs that show one stack twice: how often people saw a difference all the same
  repeats.csv          questions that were asked twice: how far the answers agree
  conformance.csv      one line per session: is it accepted and used, and what each of the rules R1 to R7 found
  funnel.csv           participants left after each rule, per group
  data-dictionary.csv  every column of every file: type, unit, meaning
  study.json           the frozen study: questions, texts and clips; its SHA-256 is the study's name
  snapshot.json        the digests of the Parquet files; its SHA-256 is the snapshot's name
  votes.parquet        every vote, also of sessions that are left out
  plays.parquet        every play of the sessions with a vote, also of those that are left out
  sessions.parquet     language, screen, answers about the person and to control questions
  exclusions.parquet   sessions that are left out of every table, and the rule that did it
  verdicts.parquet     what conformance.csv and funnel.csv are made of

Who is in the tables
  Participants who completed the study and kept the rules that the study chose (conformance in study.json); they are
  left out whole, never single votes of theirs. What nobody could observe is unknown and held against nobody. Accepted
  means paid, used means in the tables; a session that is not complete is neither. Votes, plays and sessions as Parquet,
  with study.json, hold all that the rules looked at, so that each verdict can be computed again.

How it was computed
  Only votes of the role main answer the study's question: mos, comparisons, correlations, points and values are of
  these. votes.csv has those of training, repeats, identical pairs and control clips too; its column role says which.
  An empty cell is unknown; 0 is zero. Times are UTC, durations milliseconds.
  Scores go from 1 (extremely bad) to 7 (ideal). Several votes of one participant on the same thing are averaged
  first, so that n counts participants. Intervals are 95 %: Student's t for means, Wilson's score for shares (of all
  answers, those of no difference included), Fisher's z for Pearson's correlation. Intervals are not cut at the ends
  of the scale. Nothing is corrected for many comparisons.
  `eyelevel analyse` computes the same tables from votes.csv without a server.
  Text that a spreadsheet would take for a formula has an apostrophe in front.

Who these votes are from
  {simulated} of the sessions that count were simulated participants (`eyelevel simulate`), which are programs and no
  people; such votes test a study and must not be reported as what people said. The column origin says which.

How to cite
  Cite the study and the snapshot by their digests above, and Eyelevel as its CITATION.cff says. The method is that of
  K. Wolsing, J. Rueth, K. Wehrle, O. Hohlfeld: A Performance Perspective on Web Optimized Protocol Stacks:
  TCP+TLS+HTTP/2 vs. QUIC, ANRW 2019, https://doi.org/10.1145/3340301.3341123
"""


def readme(result: Result) -> str:
    snapshot = result.snapshot
    title = f"Eyelevel export: {snapshot.study.name}"
    return TEXT.format(
        title=title,
        line="=" * len(title),
        study_sha256=snapshot.study_id,
        snapshot_sha256=snapshot.sha256,
        taken=f"{snapshot.created_at:%Y-%m-%d %H:%M:%S} UTC",
        votes=snapshot.votes,
        sessions=snapshot.sessions,
        method=result.method_version,
        simulated=result.simulated_sessions,
    )
