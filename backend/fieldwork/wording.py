"""Alerts as sentences for e-mail and webhooks."""

from fieldwork.alerts import Alert, Code

SENTENCES = {
    Code.NOBODY_FINISHES: "Of the last {count} sessions of group {group} that ended, nobody finished.",
    Code.EXCLUDED_JUMPS: "{count} of the last {of} completed sessions of group {group} are excluded, more than before.",
    Code.CLIP_FAILS: "A video did not play for {count} people in group {group}, of {of} to whom it was sent.",
    Code.QUOTA_FULL: "The quota of group {group} is full: {count} of {of} sessions count.",
    Code.IDS_MISSING: "Since yesterday, the link of group {group} was opened {count} times without the recruiter's ID.",
}


def sentence(alert: Alert) -> str:
    """English, and without anything about a participant."""
    return SENTENCES[alert.code].format(group=alert.group, count=alert.count, of=alert.of)
