"""The files of a snapshot and the columns of each."""

from eyelevel_contracts.columns import Column, export_columns

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
)
EXCLUSIONS = (
    Column("session_id", "uuid", None, "session whose votes are left out of every table"),
    Column("rule", "string", None, "the rule that left it out"),
)
# every vote, also of excluded sessions
VOTES_FILE, SESSIONS_FILE, EXCLUSIONS_FILE = "votes.parquet", "sessions.parquet", "exclusions.parquet"
FILES: dict[str, tuple[Column, ...]] = {
    VOTES_FILE: export_columns(),
    SESSIONS_FILE: SESSIONS,
    EXCLUSIONS_FILE: EXCLUSIONS,
}
