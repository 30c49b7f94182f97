"""The two verdicts on a participant: accepted (is paid) and used (is analysed)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eyelevel_core.assignment.unplayable import too_many
from eyelevel_stats.conformance.clock import too_fast
from eyelevel_stats.conformance.controls import questions_wrong, videos_wrong
from eyelevel_stats.conformance.early import too_early
from eyelevel_stats.conformance.evidence import Evidence
from eyelevel_stats.conformance.finding import Finding
from eyelevel_stats.conformance.length import took_too_long
from eyelevel_stats.conformance.rules import Rules
from eyelevel_stats.conformance.shown import too_small
from eyelevel_stats.conformance.watched import away, not_played, stalled

# each check covers the whole session, so that no rule hides another
CHECKS: Mapping[str, Callable[[Evidence, Rules], Finding]] = {
    "R1": not_played,
    "R2": stalled,
    "R3": away,
    "R4": too_early,
    "R5": took_too_long,
    "R6": videos_wrong,
    "R7": questions_wrong,
    "R8": too_small,
    "R9": too_fast,
}


# beside the rules, and no setting: who has skipped every trial that the study is about has rated nothing, and who could
# see too few videos is told so and not paid for the rest
NOTHING_RATED, NOT_SHOWN = "nothing_rated", "not_shown"


@dataclass(frozen=True)
class Verdict:
    """The verdicts on a participant; `left_out_by` has all rules that exclude them from analyses.

    It may also contain NOTHING_RATED and NOT_SHOWN.
    """

    version: int
    accepted: bool
    used: bool
    left_out_by: tuple[str, ...]
    findings: tuple[Finding, ...]


def judge(evidence: Evidence, rules: Rules) -> Verdict:
    """Computes both verdicts, and the finding of each rule.

    Only a rule that is certainly broken counts: missing evidence never excludes anyone. A session that is not
    complete, or has no vote of a main trial, is neither accepted nor used, regardless of the rules.
    """
    findings = tuple(check(evidence, rules) for check in CHECKS.values())
    broken = [finding.rule for finding in findings if finding.broken == "yes"]
    left_out_by = tuple(rule for rule in broken if rules.consequences[rule].use)
    unpaid = [rule for rule in broken if not rules.consequences[rule].pay]
    complete = evidence.completed_at is not None
    if complete and not evidence.answers_something:
        left_out_by = (*left_out_by, NOTHING_RATED)
        unpaid.append(NOTHING_RATED)
    elif complete and too_many(evidence.unplayable, evidence.planned):
        left_out_by = (*left_out_by, NOT_SHOWN)
        unpaid.append(NOT_SHOWN)
    return Verdict(
        version=rules.version,
        accepted=complete and not unpaid,
        used=complete and not left_out_by,
        left_out_by=left_out_by,
        findings=findings,
    )
