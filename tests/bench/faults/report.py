"""One table of what was promised and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.faults.ledger import Verdict


@dataclass
class Arm:
    """One way of taking part; `votes` has a verdict per source, such as the database, `besides` one per other deed."""

    name: str
    sessions: int
    finished: int
    receipts: int
    votes: dict[str, Verdict]
    besides: dict[str, Verdict]
    # sentences on sessions that did not come to their end
    unfinished: list[str] = field(default_factory=list)

    @property
    def against(self) -> dict[str, Verdict]:
        return self.votes | self.besides

    @property
    def ok(self) -> bool:
        kept = {verdict.given for verdict in self.votes.values()} <= {self.receipts}
        return self.finished == self.sessions and kept and all(verdict.ok for verdict in self.against.values())


@dataclass
class Outcome:
    arms: list[Arm]
    # promises broken otherwise: sentences
    faults: Sequence[str]
    disturbed: Mapping[str, int]
    back_s: Mapping[str, Sequence[float]]
    commit: Mapping[str, str]
    mishaps: Mapping[str, int]

    @property
    def ok(self) -> bool:
        durable = set(self.commit.values()) == {"on"}
        return all(arm.ok for arm in self.arms) and not self.faults and durable


def table(outcome: Outcome) -> str:
    lines = [_row("", *(arm.name for arm in outcome.arms))]
    lines.append(_row("sessions finished", *(f"{arm.finished} of {arm.sessions}" for arm in outcome.arms)))
    lines.append(_row("votes with a receipt", *(arm.receipts for arm in outcome.arms)))
    for source in outcome.arms[0].against:
        verdicts = [arm.against[source] for arm in outcome.arms]
        lines.append(_row(source, *(f"{verdict.stored} of {verdict.given}" for verdict in verdicts)))
        for name in ("lost", "lost_after_receipt", "doubled", "different", "unknown"):
            words = f"  {name.replace('_', ' ')}"
            lines.append(_row(words, *(getattr(verdict, name) for verdict in verdicts)))
    lines.append(_row("other broken promises", len(outcome.faults)))
    lines += [f"  {sentence}" for sentence in outcome.faults[:10]]
    for arm in outcome.arms:
        lines += [f"  {arm.name}, not finished: {sentence}" for sentence in arm.unfinished[:10]]
    lines.append("kill -9, seconds until all was well again:")
    for service, seconds in outcome.back_s.items():
        lines.append(f"  {service:12} {len(seconds)} times: {', '.join(f'{value:.1f}' for value in seconds)}")
    lines.append(f"requests: {', '.join(f'{count} {fate}' for fate, count in sorted(outcome.disturbed.items()))}")
    if outcome.mishaps:
        lines.append(f"browsers: {', '.join(f'{count} {what}' for what, count in outcome.mishaps.items())}")
    lines.append(f"database: {', '.join(f'{name} {value}' for name, value in outcome.commit.items())}")
    lines.append("All kept." if outcome.ok else "NOT ALL KEPT.")
    return "\n".join(lines)


def _row(name: str, *values: object) -> str:
    return f"{name:26}" + "".join(f"{value!s:>16}" for value in values)
