"""Data quality screening by rules R1 to R9: plain values in, verdicts out, no I/O."""

from eyelevel_stats.conformance.accounting import COUNTS, Counted, CountRow, accounts
from eyelevel_stats.conformance.asked import NOT_ASKED, asked_rules
from eyelevel_stats.conformance.evidence import Evidence, Play, Question, Spell, Trial
from eyelevel_stats.conformance.finding import Broken, Finding
from eyelevel_stats.conformance.funnel import GroupFunnel, Row, Step, funnel
from eyelevel_stats.conformance.rules import RULES, Rules, rules_of
from eyelevel_stats.conformance.verdict import Verdict, judge
from eyelevel_stats.conformance.verdict_rows import VERDICT_COLUMNS, broken_column, funnel_rows, rules_broken
from eyelevel_stats.conformance.watched import covered_ms

__all__ = [
    "COUNTS",
    "NOT_ASKED",
    "RULES",
    "VERDICT_COLUMNS",
    "Broken",
    "CountRow",
    "Counted",
    "Evidence",
    "Finding",
    "GroupFunnel",
    "Play",
    "Question",
    "Row",
    "Rules",
    "Spell",
    "Step",
    "Trial",
    "Verdict",
    "accounts",
    "asked_rules",
    "broken_column",
    "covered_ms",
    "funnel",
    "funnel_rows",
    "judge",
    "rules_broken",
    "rules_of",
]
