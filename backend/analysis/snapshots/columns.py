"""Files of a snapshot and their columns."""

from datetime import date

from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.tables import Column
from eyelevel_stats.conformance import RULES, broken_column

SESSIONS = (
    Column("session_id", "uuid", None, "random id of the session"),
    Column("language", "string", None, "language of the session"),
    Column("screen_width_px", "integer", "px", "width of the screen in CSS pixels"),
    Column("screen_height_px", "integer", "px", "height of the screen in CSS pixels"),
    Column("device_pixel_ratio", "number", None, "physical pixels per CSS pixel"),
    Column("started_at", "datetime", "UTC", "start of the session"),
    Column("answers", "string", None, "answers to questions about the person, as JSON; empty if none were asked"),
    Column("group", "string", None, "key of the participant's group in the study"),
    Column("origin", "string", None, "person or simulated: the kind of participant"),
    Column("completed_at", "datetime", "UTC", "end of the session; empty if it is incomplete"),
    Column("control_answers", "string", None, "answers to control questions, as JSON; empty if there are none"),
    Column("skipped_controls", "integer", None, "control videos that were skipped in a narrow window"),
)
EXCLUSIONS = (
    Column("session_id", "uuid", None, "session whose votes no table includes"),
    Column("rule", "string", None, "rule that excludes the session, or incomplete, unjudged or beyond_quota"),
)
VERDICTS = (
    Column("session_id", "uuid", None, "id of the session; empty if it has no vote"),
    Column("group", "string", None, "key of the participant's group in the study"),
    Column("origin", "string", None, "person or simulated: the kind of participant"),
    Column("state", "string", None, "started, completed, or restarted as another session"),
    Column("accepted", "string", None, "yes or no: the participant should be paid; empty until the session is judged"),
    Column("used", "string", None, "yes or no: the analysis includes the session; empty until it is judged"),
    Column("left_out_by", "string", None, "rules that exclude the session from every table, separated by spaces"),
    *(
        Column(broken_column(rule), "string", None, f"{rule} is broken: yes, no or unknown; empty until judged")
        for rule in RULES
    ),
    Column("reasons", "string", None, "reason for each rule that is broken or unknown, as JSON"),
)
SESSIONS_FILE, EXCLUSIONS_FILE = "sessions.parquet", "exclusions.parquet"
# every session that began
VERDICTS_FILE = "verdicts.parquet"
FILES: dict[str, tuple[Column, ...]] = {
    SESSIONS_FILE: SESSIONS,
    EXCLUSIONS_FILE: EXCLUSIONS,
    VERDICTS_FILE: VERDICTS,
}
# every vote, and every play of a session with a vote, also of excluded ones; a file per day, such as
# votes/2026-11-30.parquet
VOTES, PLAYS = "votes", "plays"
PARTS: dict[str, tuple[Column, ...]] = {VOTES: export_columns(), PLAYS: play_columns()}


def part_name(kind: str, day: date) -> str:
    """The name of a part in the manifest and in exports."""
    return f"{kind}/{day.isoformat()}.parquet"
