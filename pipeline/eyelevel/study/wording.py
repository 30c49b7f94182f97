"""Forecasts as text and tables for a terminal."""

from collections.abc import Iterator, Sequence

from eyelevel.study.forecast import CLIP_S, Forecast, HourlyPay, Practice, Unit, Votes

UNKNOWN = "?"
HEAD = ("trials", "group", "context", "network", "votes", "cells", "per cell", "arms", "people", "finds", "on one site")


def lines(forecast: Forecast) -> Iterator[str]:
    """Yields the lines that `eyelevel study check` prints for a valid study file."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in forecast.trials.items())
    extra = ", ".join(f"{_number(count)} {what}" for what, count in forecast.extra.items() if count)
    trials = sum(forecast.trials.values()) + int(forecast.extra["control videos"])
    asked = _counted(forecast.questions, "question")
    if forecast.control_questions:
        asked += f" and {_counted(forecast.control_questions, 'control question')}"
    yield f"{forecast.name}: a valid study file, in {' and '.join(forecast.languages)}."
    yield f"A participant answers {asked}, and {trials} trials ({kinds})"
    among = f"with {extra} among them, " if extra else ""
    yield f"{among}which takes about {forecast.minutes} minutes{_clip(forecast)}."
    if forecast.pay is not None:
        yield _pay(forecast.pay, forecast.minutes)
    yield ""
    yield f"Expected votes from {_sessions(forecast)}, in main trials:"
    yield from table([HEAD, *(_cells(row) for row in forecast.votes)], numbers=4)
    for clips in forecast.clips or []:
        fewest, most = _number(clips.fewest_votes), _number(clips.most_votes)
        each = fewest if fewest == most else f"{fewest} to {most}"
        yield f"Each of the {clips.clips} clips of trials[{clips.block}] gets {each} votes."
    yield from _practice(forecast.practice or [])
    yield from _contexts_seen(forecast)
    if forecast.clips is None:
        yield f"The number of clips per cell is unknown ({UNKNOWN}) without a batch; add --batch DIR."
    yield ""
    yield from _explained(forecast)


def _explained(forecast: Forecast) -> Iterator[str]:
    yield "A cell is a clip in a context for a group; people is the number who vote on each arm (stack, or pair)."
    if not all(row.arms_known for row in forecast.votes):
        yield "If neither the file nor a batch names the arms, two stacks or one pair are assumed (?)."
    yield (
        f"finds: the smallest effect detected with a power of {forecast.power:g} at a significance level of "
        f"{forecast.alpha:g}, with people as units:"
    )
    yield f"  rate: a difference of two MOS in points, for scores with a standard deviation of {forecast.sd:g};"
    yield "  compare: a share of those who name a side, against one half."
    for kind in dict.fromkeys(row.kind for row in forecast.votes if row.unit is None):
        yield f"  {kind}: not computed ({UNKNOWN}), because sd refers to scores on the seven-point scale."
    for hypothesis in forecast.hypotheses:
        margin = "" if hypothesis.margin is None else f" (margin {hypothesis.margin:g})"
        yield f"{hypothesis.key}{margin}: {hypothesis.says}"


def _practice(practice: Sequence[Practice]) -> Iterator[str]:
    for block in dict.fromkeys(trial.block for trial in practice):
        shown = ", then ".join(_practised(trial) for trial in practice if trial.block == block)
        yield f"All participants practise trials[{block}] with {shown}."


def _practised(trial: Practice) -> str:
    what = f"{trial.site} over {trial.network} with {' and '.join(trial.stacks)}"
    if len(trial.stacks) == 1:
        return f"{what} (Speed Index {trial.contrast:.0f} ms)"
    return f"{what} (Speed Index ratio {1 + trial.contrast:.1f})"


def _contexts_seen(forecast: Forecast) -> Iterator[str]:
    for group, numbers in (forecast.contexts_seen or {}).items():
        each = ", ".join(f"{people} see {number}" for number, people in numbers.items())
        yield f"Contexts per participant ({group}): of {sum(numbers.values())}, {each}."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _clip(forecast: Forecast) -> str:
    return f" if a clip lasts {CLIP_S:g} s" if forecast.clips is None else ""


def _sessions(forecast: Forecast) -> str:
    if len(forecast.sessions) == 1:
        (only,) = forecast.sessions.values()
        return _counted(only, "session")
    each = ", ".join(f"{group} {count}" for group, count in forecast.sessions.items())
    return f"{sum(forecast.sessions.values())} sessions ({each})"


def _pay(pay: HourlyPay, minutes: int) -> str:
    hourly = f"{pay.amount:.2f} {pay.currency} for {minutes} minutes is {pay.hourly:.2f} an hour"
    if pay.fair_hourly is None:
        return f"{hourly}; add fair_hourly to check whether that is fair."
    return f"{hourly}, {'at least' if pay.fair else 'below'} the fair {pay.fair_hourly:.2f}."


def _cells(row: Votes) -> tuple[str, ...]:
    return (
        f"[{row.block}] {row.kind}",
        row.group,
        row.context,
        row.network,
        _number(row.votes),
        _number(row.cells),
        _number(row.votes_per_cell),
        f"{row.arms}" if row.arms_known else f"{row.arms} {UNKNOWN}",
        f"{row.participants}",
        _effect(row.unit, row.smallest, known=True),
        _effect(row.unit, row.smallest_per_site, known=row.participants_per_site is not None),
    )


def _effect(unit: Unit | None, smallest: float | None, *, known: bool) -> str:
    if unit is None or not known:
        return UNKNOWN
    if smallest is None:
        return "nothing"
    return f"{smallest:.2f}" if unit == "points" else f"{100 * smallest:.0f} %"


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}".removesuffix(".0")


def table(rows: Sequence[Sequence[str]], *, numbers: int) -> Iterator[str]:
    """Yields rows with aligned columns, right-aligned from the column `numbers` on."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        parts = [
            cell.rjust(width) if place >= numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  " + "  ".join(parts).rstrip()
