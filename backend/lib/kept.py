"""Inventory of all data that the platform stores: place, retention and personal data, with a row per kind.

Settings, the scheduled task, `manage.py apply_retention` and the table in docs/reference/privacy.md derive from it.
"""

from dataclasses import dataclass

NOTHING = "nothing"


@dataclass(frozen=True)
class Kind:
    """A kind of data. `kept` is the retention in words, with {days} for the operator's number of days.

    `due` is a plural noun for the things that a sweep deletes. `tables` are database tables, `where` is another place.
    """

    key: str
    what: str
    kept: str
    personal: str = NOTHING
    tables: tuple[str, ...] = ()
    where: str = ""
    days: int | None = None
    due: str = ""
    has_setting: bool = False

    @property
    def setting(self) -> str | None:
        """The variable by which an operator changes `days`."""
        return f"EYELEVEL_KEEP_{self.key.upper()}_DAYS" if self.has_setting else None

    @property
    def places(self) -> str:
        """Tables and other places, as Markdown."""
        return ", ".join([*(f"`{table}`" for table in self.tables), *([self.where] if self.where else [])])

    def kept_for(self, days: int | None) -> str:
        unit = "day" if days == 1 else "days"
        return self.kept.format(days=f"{days} {unit}")


UNTIL_DELETED = "until the study is deleted"
UNTIL_ERASED = "until erased, or the study is deleted"

KINDS = (
    # --- participants
    Kind(
        "participants",
        "a random id, different in each study",
        tables=("ratings_participant",),
        kept="as a tombstone after erasure; until the study is deleted",
        personal="a pseudonym",
    ),
    Kind(
        "sessions",
        "sessions: language, consent version, window size, pixel ratio, times; without a recruiter also the names (not "
        "the values) of the link's parameters",
        tables=("ratings_session",),
        kept=UNTIL_ERASED,
        personal="properties of the window, times",
    ),
    Kind(
        "cookies",
        "hashes of the cookies' tokens, of at most two browsers",
        tables=("ratings_session",),
        kept="until a day after completion; of an abandoned session until its lease (`session.lease_minutes`) has been "
        "over for seven days, or for as long as the study lets participants resume, if that is longer",
        personal="hashes of random tokens",
    ),
    Kind(
        "plans",
        "the plan of a session, one row per trial",
        tables=("ratings_trial",),
        kept=UNTIL_ERASED,
        personal="when clips were sent, and which did not play",
    ),
    Kind(
        "unbegun",
        "the plan of a session in which nothing was played or answered; the session is still counted as started",
        tables=("ratings_trial",),
        kept="{days} after the session began, and not before its cookie is deleted",
        days=30,
        due="plans of sessions in which nothing was played or answered",
        has_setting=True,
    ),
    Kind(
        "answers",
        "answers about the person",
        tables=("ratings_personanswers",),
        kept=UNTIL_ERASED,
        personal="what the study asks, such as an age group",
    ),
    Kind(
        "votes",
        "plays, votes and answers to control questions, with their times and evidence",
        tables=("ratings_play", "ratings_vote", "ratings_controlanswer"),
        kept=UNTIL_ERASED,
        personal="answers, behaviour, properties of window and screen",
    ),
    Kind(
        "verdicts",
        "verdicts of the screening, and the rules that excluded a session",
        tables=("conformance_verdict", "ratings_exclusion"),
        kept=UNTIL_ERASED,
        personal="judgements about a session",
    ),
    Kind(
        "recruitments",
        "recruiter, recruiter's id, other parameters of the link (at most 20)",
        tables=("ratings_recruitment",),
        where="apart from all answers",
        kept="the study's `retention.months`, or until deleted or erased, or the study is deleted",
        personal="the person's id at the recruiter",
    ),
    Kind(
        "previews",
        "previews of researchers, without answers",
        tables=("ratings_participant", "ratings_session", "ratings_trial"),
        kept="{days} after they began",
        personal="window size of the researcher",
        days=7,
        due="previews",
        has_setting=True,
    ),
    Kind(
        "play_failures",
        "how often a clip did not play: a number per link, clip, problem and kind of browser (`Firefox 128, Linux`), "
        "without the session",
        tables=("ratings_playfailure",),
        kept=UNTIL_DELETED,
    ),
    Kind(
        "problems_shown",
        "problems shown to participants, such as a full study: a number per link, problem and day, without the session",
        tables=("ratings_problemshown",),
        kept=UNTIL_DELETED,
    ),
    # --- studies and results
    Kind(
        "alerts",
        "alerts of studies in the field: what was found, since when, and whether it was sent",
        tables=("fieldwork_raisedalert",),
        kept=UNTIL_DELETED,
    ),
    Kind(
        "studies",
        "studies, their links, assignments and quota slots, stimuli, shares, stored counts",
        tables=(
            *("studies_study", "studies_fielding", "studies_assignment", "studies_slot", "studies_stimulus"),
            *("studies_studyshare", "studies_storedcount"),
        ),
        kept=UNTIL_DELETED,
        personal="the contact in the study file, accounts with which the study is shared",
    ),
    Kind(
        "snapshots",
        "snapshots: votes, plays, sessions, verdicts, exclusions as Parquet",
        tables=("analysis_snapshot", "analysis_part"),
        where="`EYELEVEL_STORE/snapshots`",
        kept="the newest, and each one that was exported, because it may be cited; none with an erased participant; "
        "until the study is deleted",
        personal="the same as votes",
    ),
    Kind(
        "results",
        "results of these snapshots, and the state of each study's analysis",
        tables=("analysis_result", "analysis_indepthresult", "analysis_analysisstate"),
        kept="as long as their snapshot",
        personal="statistics; answers about the person only in counts of five or more",
    ),
    Kind(
        "exports",
        "log of exports: account, time, sessions in the export",
        tables=("exports_export",),
        kept=UNTIL_DELETED,
        personal="account, random ids of sessions",
    ),
    Kind(
        "export_jobs",
        "requests of exports: account, progress, reason of a failure",
        tables=("exports_exportjob",),
        kept="{days} after the request; until the study is deleted",
        personal="account",
        days=30,
        due="requests of exports",
    ),
    Kind(
        "export_files",
        "files of exports, for download",
        where="`EYELEVEL_STORE/exports`",
        kept="{days} after they were made, then at most an hour; none with an erased participant; until the study is "
        "deleted",
        personal="the same as votes, and answers about the person",
        days=7,
        due="files of exports",
    ),
    Kind(
        "erasures",
        "erasures of participants and deletions of studies",
        tables=("privacy_erasure",),
        where="the ledger `EYELEVEL_STORE/erasures`",
        kept="never deleted",
        personal="random ids, times, counts, digests of snapshots",
    ),
    Kind(
        "failed_codes",
        "failed completion codes: only the time",
        tables=("privacy_failedcode",),
        kept="ten minutes, then until the next failure or the next run of retention",
    ),
    # --- batches
    Kind(
        "batches",
        "batches with their takes and clips",
        tables=("stimuli_batch", "stimuli_batchfile", "stimuli_blob", "stimuli_take", "stimuli_clip"),
        where="files in `EYELEVEL_BLOB_STORE`",
        kept="until an admin deletes them, which is possible while no study uses them",
        personal="the account that uploaded them; content of the recorded websites",
    ),
    Kind(
        "uploads",
        "uploads of batches that were not completed, with their files",
        tables=("stimuli_batch", "stimuli_batchfile", "stimuli_blob"),
        where="`EYELEVEL_SCRATCH_DIR`",
        kept="{days} after they began",
        personal="the account that uploads them",
        days=1,
        due="incomplete uploads",
        has_setting=True,
    ),
    Kind(
        "refusals",
        "reasons why batches were rejected",
        tables=("stimuli_refusal",),
        kept="{days}",
        days=1,
        due="rejections of batches",
    ),
    Kind(
        "stray_files",
        "files that a killed upload, deletion or restore left behind",
        where="`EYELEVEL_BLOB_STORE`, `EYELEVEL_STORE/snapshots`, `EYELEVEL_STORE/exports`",
        kept="{days}; of snapshots and exports an hour",
        personal="the same as snapshots",
        days=1,
        due="files without a row in the database",
    ),
    # --- accounts
    Kind(
        "accounts",
        "accounts",
        tables=("accounts_user", "accounts_user_groups", "accounts_user_user_permissions"),
        kept="never deleted; accounts are closed instead",
        personal="user name, hash of the password, times of sign-ins",
    ),
    Kind(
        "tokens",
        "API tokens, as hashes",
        tables=("accounts_apitoken",),
        kept="until they are revoked, or {days} after they expired",
        personal="account, name of the token",
        days=30,
        due="expired API tokens",
        has_setting=True,
    ),
    Kind(
        "sign_ins",
        "sign-ins of accounts: kind of browser (`Firefox 128, Linux`), times",
        tables=("accounts_signin", "django_session"),
        kept="12 hours at most, then until the next run of retention",
        personal="account, kind of browser",
        days=0,
        due="expired sign-ins",
    ),
    Kind(
        "second_factors",
        "second factors: the secret, and recovery codes as hashes",
        tables=("otp_totp_totpdevice", "otp_static_staticdevice", "otp_static_statictoken"),
        kept="until turned off; a recovery code until it is used",
        personal="account",
    ),
    Kind(
        "failed_logins",
        "number of wrong passwords and codes per name or known browser, as hashes",
        tables=("accounts_failedlogins",),
        kept="five minutes, then until the next run of retention",
        personal="hashes",
    ),
    Kind(
        "audit",
        "audit log",
        tables=("audit_auditentry",),
        kept="never deleted; the database rejects deletion",
        personal="user names, names of studies; nothing about participants",
    ),
    # --- operation
    Kind(
        "backup_runs",
        "records of backups, restores and drills",
        tables=("backups_backuprun",),
        kept="{days}; the last one of each kind is never deleted",
        days=365,
        due="records of backups, restores and drills",
        has_setting=True,
    ),
    Kind(
        "restore_point",
        "the restore point: the database from before the last restore or upgrade",
        where="a database named as the platform's with `_before`",
        kept="{days} after the restore or upgrade, or until the next one",
        personal="everything that the database contained, including people erased since",
        days=14,
        due="restore points",
        has_setting=True,
    ),
    Kind(
        "scratch",
        "the database that a restore or drill fills and verifies",
        where="a database named as the platform's with `_restoring`",
        kept="until the restore or drill ends; after a kill until the next one",
        personal="the same as the database",
    ),
    Kind(
        "backups",
        "backups",
        where="where you put them",
        kept="until you delete them, which the platform cannot do; state the time in your consent text",
        personal="everything that the platform contained at that time",
    ),
    Kind(
        "disk_samples",
        "free space of the disk, once an hour",
        tables=("health_disksample",),
        kept="{days}",
        days=30,
        due="samples of the disk",
    ),
    Kind(
        "queue",
        "waiting and running tasks, each with the digest of a study or batch or the random id of a session",
        where="Redis: `celery`, `in-depth`, `unacked*`, `_kombu*`",
        kept="until a worker has completed them; results of tasks are not stored",
        personal="random ids",
    ),
    Kind(
        "errors",
        "errors grouped by message and location, at most 200 groups an hour; heartbeats of services",
        where="Redis: `eyelevel:*`",
        kept="25 hours; heartbeats a minute",
    ),
    Kind(
        "logs",
        "logs of the services",
        where="`logs/` in the data folder, or Docker's logs",
        kept="four files (Docker: three) of 10 MB per service, the newest lines",
        personal="random ids of sessions",
    ),
    Kind(
        "program",
        "versions of the data, migrations, unused tables of Django, the secret key, times of tasks",
        tables=(
            *("backups_dataversion", "django_migrations", "django_content_type", "django_admin_log"),
            *("auth_group", "auth_group_permissions", "auth_permission"),
        ),
        where="the data folder, `EYELEVEL_BEAT_SCHEDULE`",
        kept="never deleted; they do not grow",
    ),
)


def as_markdown() -> str:
    """The table of docs/reference/privacy.md, with the default numbers of days."""
    lines = ["| what | where | how long (default) | personal data | setting |", "| --- | --- | --- | --- | --- |"]
    for kind in KINDS:
        setting = f"`{kind.setting}`" if kind.setting else ""
        lines.append(f"| {kind.what} | {kind.places} | {kind.kept_for(kind.days)} | {kind.personal} | {setting} |")
    return "\n".join(lines)
