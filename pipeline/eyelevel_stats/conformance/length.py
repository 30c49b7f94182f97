"""Rule R5: duration of the session."""

from eyelevel_stats.conformance.evidence import Evidence
from eyelevel_stats.conformance.finding import Finding
from eyelevel_stats.conformance.rules import Rules


def took_too_long(evidence: Evidence, rules: Rules) -> Finding:
    """R5: more than `session.time_limit_minutes` from consent to completion code, by the server's clock."""
    if evidence.completed_at is None:
        return Finding("R5", "unknown", "the session is not complete", unknown=1)
    minutes = (evidence.completed_at - evidence.started_at).total_seconds() / 60
    sentence = f"took {minutes:.4g} minutes, at most {rules.time_limit_minutes:.4g} allowed"
    return Finding("R5", "yes" if minutes > rules.time_limit_minutes else "no", sentence)
