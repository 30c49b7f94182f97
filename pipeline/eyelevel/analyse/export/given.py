"""Reads an export of the platform as the input of an analysis."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from eyelevel.analyse.export.integrity import MANIFEST, check_export
from eyelevel.analyse.export.parsing import parse_votes
from eyelevel.analyse.export.reading import (
    VotesSource,
    departures_of,
    design_of,
    is_collecting,
    open_votes,
    source_of,
)
from eyelevel.analyse.export.screened import completed_of, plays_of, screened_of
from eyelevel.analyse.given import Given, Study, computed_with
from eyelevel.analyse.notices import some_of
from eyelevel.errors import BadInputError
from eyelevel.report.words import count, plural
from eyelevel_core.contracts import short
from eyelevel_figures.words import Words
from eyelevel_stats.columns import Whose, of_origin, simulated_sessions
from eyelevel_stats.votes import ratings_of

IN_FIELD = (
    "The study was still in the field when this was exported. Its hypotheses are answered only at planned looks, and "
    "over all votes once every link is closed. Comparisons of metrics and tables in depth are computed only then."
)
EDITED = "manifest.json beside the votes lists other votes, so these were edited"
NO_MANIFEST = "no manifest.json beside the votes, so they could not be checked"


def read_export(export: Path, *, origin: Whose = "person", seed: int) -> Given:
    """Reads an export (a folder, a zip or its votes), and selects the sessions of this origin.

    Raises BadInputError if it is not as the platform wrote it.
    """
    unlisted = check_export(export)
    with open_votes(export) as file:
        every = parse_votes(file, source=str(export))
    columns = votes_of(every, origin, source=str(export))
    design = design_of(export)
    screened = screened_of(export, design, origin)
    collecting = is_collecting(export)
    notices = [IN_FIELD] if collecting else []
    notices += [f"Not listed in {MANIFEST}, so not checked: {some_of(unlisted)}."] if unlisted else []
    votes, participants = len(columns["vote_id"]), len(set(columns["session_id"]))
    simulated = simulated_sessions(columns)
    left_out = simulated_sessions(every) - simulated
    lead = f"{plural(votes, 'vote')} of {plural(participants, 'participant')}."
    if simulated:
        lead += (
            f" {plural(simulated, 'participant was', 'participants were')} simulated: programs, whose votes say "
            "nothing about people."
        )
    if left_out:
        lead += (
            f" {plural(left_out, 'simulated participant is', 'simulated participants are')} left out; to include them, "
            "add --origin all."
        )
    study, source = _study(columns), source_of(export)
    return Given(
        columns=columns,
        about=Study(
            design=design,
            departures=departures_of(export, simulated=simulated > 0),
            screened=screened,
            collecting=collecting,
            plays=partial(plays_of, export),
            completed=partial(completed_of, export, design, screened, origin),
        ),
        name=str(export),
        title=f"Results of study {short(study)}",
        lead=lead,
        source=_caption(study, source, votes=votes, simulated=simulated),
        read=_read(columns, simulated=simulated),
        provenance={
            "study": study,
            "snapshot": source.snapshot or f"none: {EDITED if source.edited else NO_MANIFEST}",
            "SHA-256 of the votes": source.votes_sha256,
            **computed_with(seed),
        },
        notices=notices,
    )


def votes_of(columns: dict[str, list[Any]], origin: Whose, *, source: str) -> dict[str, list[Any]]:
    """Returns the votes of the sessions of this origin; raises BadInputError if all votes have the other origin."""
    of_this_origin = of_origin(columns, origin)
    if columns["vote_id"] and not of_this_origin["vote_id"]:
        other = "simulated" if origin == "person" else "person"
        votes = len(columns["vote_id"])
        raise BadInputError(f"{source}: all {votes} votes have the origin {other}; add --origin {other}.")
    return of_this_origin


def _study(columns: Mapping[str, Sequence[Any]]) -> str:
    """The digest of the one study that all votes belong to."""
    return next(iter(columns["study_sha256"]), "unknown, without votes")


def _caption(study: str, votes_source: VotesSource, *, votes: int, simulated: int) -> str:
    words = Words()
    if votes_source.edited:
        return words("source_edited", study=short(study), sha256=short(votes_source.votes_sha256))
    if votes_source.snapshot is None:
        return words("source_votes", study=short(study), votes=f"{votes:,}")
    return words(
        "source_simulated" if simulated else "source", study=short(study), snapshot=short(votes_source.snapshot)
    )


def _read(columns: Mapping[str, Sequence[Any]], *, simulated: int) -> dict[str, str]:
    kinds = {kind: columns["trial_kind"].count(kind) for kind in sorted(set(columns["trial_kind"]))}
    facts = {
        "votes of all kinds and roles": count(len(columns["vote_id"])),
        "participants": f"{len(set(columns['session_id'])):,}, of which {simulated:,} simulated",
        "votes by kind": ", ".join(f"{kind} {votes:,}" for kind, votes in kinds.items()) or "none",
    }
    if ratings := ratings_of(columns):
        clips = len({vote.clip_sha256 for vote in ratings})
        facts["scores in the tables below"] = (
            f"{len(ratings):,} of {plural(len({vote.participant for vote in ratings}), 'participant')} on "
            f"{plural(clips, 'clip')} (role main; training, repeats and controls are not part of them)"
        )
    return facts
