"""Sentences about alerts, for e-mail and webhooks."""

from fieldwork.alerts import Alert, Code

SENTENCES = {
    Code.NOBODY_FINISHES: "None of the last {count} sessions of group {group} that ended was completed.",
    Code.EXCLUDED_JUMPS: "{count} of the last {of} completed sessions of group {group} are excluded, more than before.",
    Code.CLIP_FAILS: "A video did not play for {count} of {of} people in group {group} to whom it was sent.",
    Code.QUOTA_FULL: "The quota of group {group} is full: {count} of {of} sessions count.",
    Code.IDS_MISSING: "Since yesterday, the link of group {group} was opened {count} times without the recruiter's ID.",
}


def sentence(alert: Alert) -> str:
    """The sentence about an alert, in English; it contains nothing about a participant."""
    return SENTENCES[alert.code].format(group=alert.group, count=alert.count, of=alert.of)
