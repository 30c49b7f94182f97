"""Environment variables that the commands and the platform read: name, meaning and default.

docs/reference/settings.md is made from this list, and the platform takes its defaults from it. `lib.kept` adds the
variables EYELEVEL_KEEP_..._DAYS.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """An environment variable. `default` is written as in the environment; `unset` describes an empty default.

    A secret can also be in a file: the variable NAME_FILE then has the path.
    """

    name: str
    meaning: str
    default: str = ""
    unset: str = ""
    is_secret: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, f"{self.name}_FILE") if self.is_secret else (self.name,)


# web, worker, in-depth and beat
PLATFORM = (
    Variable(
        "EYELEVEL_ALLOWED_HOSTS",
        "names under which the platform answers, separated by commas",
        "localhost,127.0.0.1,[::1]",
    ),
    Variable(
        "EYELEVEL_PUBLIC_URL",
        "origin of the links that the platform shows, such as `https://study.example.org`",
        unset="that of the request",
    ),
    Variable(
        "EYELEVEL_SECURE_COOKIES",
        "send cookies over https only, and HSTS, also for subdomains",
        unset="0 where all names are of loopback, else 1",
    ),
    Variable(
        "EYELEVEL_TRUSTED_PROXY",
        "1 if a proxy sets `X-Forwarded-Proto`, and only the proxy can reach the web server",
        "0",
    ),
    Variable("EYELEVEL_BIND", "address and port of the web server", "127.0.0.1:8000"),
    Variable(
        "EYELEVEL_SECRET_KEY",
        "key that signs the cookies of accounts; required if other machines can reach the platform",
        unset="random at each start",
        is_secret=True,
    ),
    Variable(
        "EYELEVEL_REQUIRE_SECOND_FACTOR",
        "1 if admins and researchers must set up a second factor before anything else",
        "0",
    ),
    Variable(
        "EYELEVEL_DATABASE_URL",
        "`postgresql://user:password@host/name`, or `postgresql://user@/name?host=/socket/folder`",
        unset="`PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE`",
    ),
    Variable("EYELEVEL_DATABASE_PASSWORD", "password of PostgreSQL, if the URL has none", unset="none", is_secret=True),
    Variable(
        "EYELEVEL_REDIS_URL",
        "`redis://host/0`, `rediss://host/0` or `unix:///path/to/socket?db=0`",
        "redis://127.0.0.1:6379/0",
    ),
    Variable(
        "EYELEVEL_REDIS_PASSWORD", "password of Redis or Valkey, if the URL has none", unset="none", is_secret=True
    ),
    Variable(
        "EYELEVEL_STORE",
        "folder or `s3://BUCKET/PREFIX` of batches, snapshots and the ledger of erasures",
        unset="`data` in the clone",
    ),
    Variable(
        "EYELEVEL_BLOB_STORE",
        "folder or `s3://BUCKET/PREFIX` of the files of batches",
        unset="`blobs` in `EYELEVEL_STORE`",
    ),
    Variable(
        "EYELEVEL_SCRATCH_DIR",
        "folder of uploads in progress, and of copies that programs read",
        unset="`incoming` in `EYELEVEL_STORE`; with a bucket `eyelevel-incoming` in the temporary folder",
    ),
    Variable(
        "EYELEVEL_X_ACCEL",
        "1 if nginx sends videos from the folder of blobs (`X-Accel-Redirect`); no effect with a bucket",
        "0",
    ),
    Variable(
        "EYELEVEL_MAX_BATCH_FILES",
        "largest number of files of a batch, and of its takes and its clips; the proxy also reads it",
        "20000",
    ),
    Variable(
        "EYELEVEL_DISK_RESERVE_MB",
        "with less free space, in MB, no session begins and no batch is accepted",
        "500",
    ),
    Variable(
        "EYELEVEL_METRICS_TOKEN",
        "bearer token with which Prometheus reads `/metrics`",
        unset="`/metrics` answers 404",
        is_secret=True,
    ),
    Variable(
        "EYELEVEL_ALERT_WEBHOOK",
        "address to which alerts and warnings are posted as JSON with a field `text`",
        unset="no message",
        is_secret=True,
    ),
    Variable(
        "EYELEVEL_ALERT_EMAIL",
        "e-mail addresses that alerts and warnings are sent to, separated by commas",
        unset="no e-mail",
    ),
    Variable("EYELEVEL_ALERT_FROM", "sender of these e-mails", unset="`eyelevel@localhost`"),
    Variable(
        "EYELEVEL_SMTP_URL",
        "server for e-mail: `smtps://user:password@host`, or `smtp://host:25`; `smtp:` with a user needs STARTTLS",
        "smtp://localhost:25",
        is_secret=True,
    ),
    Variable(
        "EYELEVEL_PROLIFIC_SECRET",
        "secret of Prolific's webhooks, which free the places of returned submissions",
        unset="webhooks get 403",
        is_secret=True,
    ),
    Variable("EYELEVEL_WORKERS", "tasks that the worker runs at the same time", "2"),
    Variable("EYELEVEL_BEAT_SCHEDULE", "file in which beat records when each task last ran", "/tmp/beat"),  # noqa: S108
    Variable("EYELEVEL_FRONTEND_DIST", "folder of the built pages", unset="`frontend/dist` in the clone"),
    Variable("EYELEVEL_DEBUG", "1 for Django's debug pages; refused unless all names are of loopback", "0"),
)

# boto3 reads these, in the platform and in `eyelevel capture --store`
STORES = (
    Variable("AWS_ENDPOINT_URL", "address of an S3-compatible store", unset="AWS"),
    Variable("AWS_ACCESS_KEY_ID", "access key of the store", unset="none"),
    Variable("AWS_SECRET_ACCESS_KEY", "secret key of the store", unset="none"),
    Variable("AWS_DEFAULT_REGION", "region of the store", unset="that of boto3"),
    Variable(
        "AWS_REQUEST_CHECKSUM_CALCULATION",
        "`when_required` for stores that reject the checksums of botocore",
        unset="`when_supported`",
    ),
)

# for docker compose, and third-party programs in its containers
CONTAINERS = (
    Variable("EYELEVEL_PORT", "port on loopback at which the proxy answers"),
    Variable("EYELEVEL_SECRETS", "folder of the secrets that `deploy/make-secrets` writes"),
    Variable("EYELEVEL_DOMAIN", "public name for which Caddy gets a certificate; required with TLS"),
    Variable("EYELEVEL_TLS_ADDRESS", "address on which Caddy listens, at ports 80 and 443"),
    Variable("EYELEVEL_POSTGRES_MEMORY", "memory limit of PostgreSQL"),
    Variable("EYELEVEL_REDIS_MEMORY", "memory limit of Valkey"),
    Variable("EYELEVEL_WEB_MEMORY", "memory limit of web"),
    Variable("EYELEVEL_WORKER_MEMORY", "memory limit of worker and of in-depth, each"),
    Variable("EYELEVEL_BEAT_MEMORY", "memory limit of beat"),
    Variable("EYELEVEL_PROXY_MEMORY", "memory limit of the proxy"),
    Variable("EYELEVEL_CADDY_MEMORY", "memory limit of Caddy"),
    Variable("EYELEVEL_WEB", "name and port of the web servers behind the proxy"),
    Variable("EYELEVEL_UPSTREAM", "name and port of the proxy behind Caddy"),
)

COMMANDS = (
    Variable(
        "EYELEVEL_TOKEN",
        "API token of `eyelevel push`, `eyelevel simulate` and `eyelevel study publish`",
        unset="the option `--token`",
    ),
    Variable(
        "EYELEVEL_MACHINE",
        "name of the capture machine in takes and stores; containers need it, because their host name changes",
        unset="the host name",
    ),
    Variable(
        "SLURM_ARRAY_TASK_ID", "block that `eyelevel capture --store` films, set by Slurm", unset="the option `--block`"
    ),
    Variable(
        "JOB_COMPLETION_INDEX",
        "block that `eyelevel capture --store` films, set by Kubernetes",
        unset="the option `--block`",
    ),
    Variable(
        "EYELEVEL_TESTBED", "path of the testbed's program", unset="the one built in the clone, else one on `PATH`"
    ),
    Variable(
        "EYELEVEL_RECORDER",
        "path of the screen recorder's program",
        unset="the one built in the clone, else one on `PATH`",
    ),
    Variable("EYELEVEL_WARCPROX", "path of warcprox", unset="the one in `.venv-record`, else one on `PATH`"),
    Variable(
        "DISPLAY",
        "X display on which `eyelevel testbed browse` opens its window",
        unset="`WAYLAND_DISPLAY`",
    ),
    Variable("WAYLAND_DISPLAY", "Wayland display of the same window", unset="none: `--screenshot` is required"),
    Variable("EYELEVEL_USER", "user of the services where root runs `eyelevel serve`, `demo` or `backup`", "nobody"),
    Variable(
        "EYELEVEL_BACKUP_PASSPHRASE", "passphrase of `eyelevel backup` and `eyelevel restore`", unset="no passphrase"
    ),
    Variable(
        "EYELEVEL_BACKUP_IDENTITY",
        "private key of age for the management command `restore`",
        unset="no key",
    ),
    Variable(
        "EYELEVEL_PASSWORD",
        "password of the account that the management command `create_account` creates",
        unset="random, shown once",
    ),
)

# set by `eyelevel testbed run`
IN_THE_TESTBED = (
    Variable("EYELEVEL_STACK", "name of the stack"),
    Variable("EYELEVEL_NETWORK", "name of the network"),
    Variable("EYELEVEL_HOSTS", "JSON object: recorded host to address"),
    Variable("EYELEVEL_RESOLVER_RULES", "the same for Chromium's `--host-resolver-rules`"),
    Variable("EYELEVEL_SPKI", "digest of the servers' key, for `--ignore-certificate-errors-spki-list`"),
    Variable("EYELEVEL_START_URL", "page to load first"),
)

# set by commands for the processes that they start; setting them yourself has no effect
INTERNAL = (
    Variable("EYELEVEL_SERVICES_FILE", "file in which the supervisor records the state of the services"),
    Variable("EYELEVEL_SERVICE", "mark by which the supervisor finds processes of an earlier run"),
    Variable("EYELEVEL_IN_VIEW", "mark of a command that runs in its own mount namespace"),
    Variable("EYELEVEL_DEMO_ACCOUNTS", "mark of the demo, without which no demo account is created"),
    Variable("EYELEVEL_DEMO_RESEARCHER_PASSWORD", "password of the demo's researcher"),
    Variable("EYELEVEL_DEMO_ADMIN_PASSWORD", "password of the demo's admin"),
)

GROUPS = (PLATFORM, STORES, CONTAINERS, COMMANDS, IN_THE_TESTBED, INTERNAL)
BY_NAME = {variable.name: variable for group in GROUPS for variable in group}


def default_of(name: str) -> str:
    """Returns the declared default; KeyError for a variable that is not declared."""
    return BY_NAME[name].default
