"""Files of a snapshot and their columns."""

from datetime import date

from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.tables import Column
from eyelevel_stats.conformance import RULES, broken_column

SESSIONS = (
    Column("session_id", "uuid", None, "random identity of the session"),
    Column("language", "string", None, "language of the session"),
    Column("screen_width_px", "integer", "px", "width of the screen in CSS pixels"),
    Column("screen_height_px", "integer", "px", "height of the screen in CSS pixels"),
    Column("device_pixel_ratio", "number", None, "physical pixels per CSS pixel"),
    Column("started_at", "datetime", "UTC", "when the session began"),
    Column("answers", "string", None, "what the participant said of themselves, as JSON; empty where not asked"),
    Column("group", "string", None, "key of the study's group that the participant came with"),
    Column("origin", "string", None, "person or simulated: who sat before the screen"),
    Column("completed_at", "datetime", "UTC", "when it was complete; empty where it is not"),
    Column("control_answers", "string", None, "what was chosen in control questions, as JSON; empty where none was"),
    Column("skipped_controls", "integer", None, "control videos that were skipped in a narrow window"),
)
EXCLUSIONS = (
    Column("session_id", "uuid", None, "session whose votes are left out of every table"),
    Column("rule", "string", None, "the rule that left it out, or incomplete, unjudged or beyond_quota"),
)
VERDICTS = (
    Column("session_id", "uuid", None, "the session; empty for one that left no vote"),
    Column("group", "string", None, "key of the study's group that the participant came with"),
    Column("origin", "string", None, "person or simulated: who sat before the screen"),
    Column("state", "string", None, "started, completed, or restarted as another session"),
    Column("accepted", "string", None, "yes or no: is to be paid; empty until the session was judged"),
    Column("used", "string", None, "yes or no: is in the analysis; empty until the session was judged"),
    Column("left_out_by", "string", None, "the rules for which it is left out of every table, separated by spaces"),
    *(
        Column(broken_column(rule), "string", None, f"{rule} is broken: yes, no or unknown; empty until judged")
        for rule in RULES
    ),
    Column("reasons", "string", None, "why, of every rule that is broken or unknown, as JSON"),
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
