"""Django settings, read from the environment once. By default, the platform answers on loopback only.

`eyelevel_core.variables` declares each variable with its meaning and default (docs/reference/settings.md).
A secret can be in a file: NAME_FILE is the path of a file with the value of NAME.
"""

import os
import secrets
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import content_security_policy, environment, logs
from eyelevel_store import is_bucket
from lib import secret_values
from lib.kept import KINDS

REPOSITORY = Path(__file__).resolve().parents[2]
ENV = os.environ

DEBUG = environment.flag(ENV, "EYELEVEL_DEBUG")
ALLOWED_HOSTS = environment.names(ENV, "EYELEVEL_ALLOWED_HOSTS")
ON_LOOPBACK = environment.is_loopback(ALLOWED_HOSTS)
PUBLIC_URL = ENV.get("EYELEVEL_PUBLIC_URL", "").rstrip("/")

SECRET_KEY = secret_values.secret(ENV, "EYELEVEL_SECRET_KEY")
METRICS_TOKEN = secret_values.secret(ENV, "EYELEVEL_METRICS_TOKEN")
REDIS_URL = secret_values.redis_url(ENV)
DATABASES = {"default": environment.database(ENV)}
if environment.is_exposed(ALLOWED_HOSTS, ENV.get("EYELEVEL_BIND", "")):
    environment.demand_secrets(
        {
            "EYELEVEL_SECRET_KEY": SECRET_KEY,
            "EYELEVEL_METRICS_TOKEN": METRICS_TOKEN,
            "EYELEVEL_DATABASE_PASSWORD": DATABASES["default"]["PASSWORD"],
            "EYELEVEL_REDIS_PASSWORD": urlsplit(REDIS_URL).password or "",
        },
        needed="EYELEVEL_SECRET_KEY",
    )
# valid for one process; the supervisor and compose set a permanent one
SECRET_KEY = SECRET_KEY or secrets.token_urlsafe(50)
if DEBUG and not ON_LOOPBACK:
    raise ImproperlyConfigured("EYELEVEL_DEBUG is 1, which shows settings to visitors; use it on loopback only.")

INSTALLED_APPS = [
    "config.apps.AdminSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    # its table is empty (SESSION_ENGINE), but `check --deploy` checks session cookies only if it is installed
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "config.apps.ConfigConfig",
    "accounts",
    "stimuli",
    "studies",
    "ratings",
    "conformance",
    "payment",
    "fieldwork",
    "analysis",
    "exports",
    "privacy",
    "backups",
    "health",
    "audit",
]

MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "config.middleware.RequestIdMiddleware",
    "config.middleware.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.PathMiddleware",
    "config.middleware.BodyLimitMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.SessionLimitsMiddleware",
    "accounts.known_devices.KnownDeviceMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.rate_limit.LimitedBackend"]
PASSWORD_HASHERS = ["accounts.hashers.OneAtATimeHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
# paths of the API have no trailing slash
APPEND_SLASH = False

# --- security -------------------------------------------------------------------------------------------------------
SECURE_COOKIES = environment.flag(ENV, "EYELEVEL_SECURE_COOKIES", default=not ON_LOOPBACK)
TRUSTED_PROXY = environment.flag(ENV, "EYELEVEL_TRUSTED_PROXY")
# a browser accepts a cookie with this prefix only from this very host, over HTTPS and for all of its paths
COOKIE_PREFIX = "__Host-" if SECURE_COOKIES else ""
SESSION_ENGINE = "accounts.session_store"
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
SESSION_COOKIE_SECURE = SECURE_COOKIES
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# one sign-in per working day; `accounts.middleware` enforces both limits even if a cookie is kept longer
SESSION_COOKIE_AGE = 12 * 3600
SESSION_IDLE_S = 2 * 3600
# the one-time links of admins
PASSWORD_RESET_TIMEOUT = 24 * 3600
REQUIRE_SECOND_FACTOR = environment.flag(ENV, "EYELEVEL_REQUIRE_SECOND_FACTOR")
# the name in the authenticator app, which may have entries of several platforms
OTP_TOTP_ISSUER = " ".join(["Eyelevel", *PUBLIC_URL.split("://")[1:]])
# accounts.rate_limit counts wrong codes, and still admits known browsers of an account while others guess
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = SECURE_COOKIES
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []
CSRF_FAILURE_VIEW = "config.views.csrf_failed"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if TRUSTED_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if SECURE_COOKIES and TRUSTED_PROXY:
    SECURE_SSL_REDIRECT = True
    # the health check of the containers comes without the proxy
    SECURE_REDIRECT_EXEMPT = [r"^api/health$"]
if SECURE_COOKIES:
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
# Django's check wants the domain in browsers' preload lists; the domain's owner decides, and it is hard to undo
SILENCED_SYSTEM_CHECKS = ["security.W021"]
CONTENT_SECURITY_POLICY = content_security_policy.POLICY

# --- files ----------------------------------------------------------------------------------------------------------
STORE = (ENV.get("EYELEVEL_STORE") or str(REPOSITORY / "data")).rstrip("/")
BLOB_STORE = ENV.get("EYELEVEL_BLOB_STORE") or f"{STORE}/blobs"
SCRATCH_DIR = Path(
    ENV.get("EYELEVEL_SCRATCH_DIR")
    or (Path(tempfile.gettempdir()) / "eyelevel-incoming" if is_bucket(STORE) else f"{STORE}/incoming")
)
# nginx can read files of a folder, but not of a bucket
X_ACCEL = environment.flag(ENV, "EYELEVEL_X_ACCEL") and not is_bucket(BLOB_STORE)
STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
# files of a batch: some 3,000 takes with their clips; the matrix of 2019 in one batch has 145,000
MAX_BATCH_FILES = environment.count(ENV, "EYELEVEL_MAX_BATCH_FILES")
# a manifest has some 600 bytes per file, takes and clips included; backend/proxy/start computes nginx's limit likewise
MAX_MANIFEST_BYTES = 800 * MAX_BATCH_FILES
# bodies that are neither a manifest nor a file of a batch; `config.limits` distinguishes them
MAX_BODY_BYTES = 1024**2
# free space below which no session begins and no batch is accepted, so that running sessions can store their answers
DISK_RESERVE_BYTES = environment.count(ENV, "EYELEVEL_DISK_RESERVE_MB") * 10**6
RETENTION_DAYS = {
    kind.key: environment.count(ENV, kind.setting, default=kind.days) if kind.setting else kind.days
    for kind in KINDS
    if kind.days is not None
}
# no body larger than a manifest is read into memory as a whole
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_MANIFEST_BYTES

# --- alerts and warnings ---------------------------------------------------------------------------------
ALERT_WEBHOOK = environment.web_address("EYELEVEL_ALERT_WEBHOOK", secret_values.secret(ENV, "EYELEVEL_ALERT_WEBHOOK"))
ALERT_EMAIL = environment.names(ENV, "EYELEVEL_ALERT_EMAIL")
SMTP = environment.smtp(ENV)
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = SMTP.host, SMTP.port, SMTP.user, SMTP.password
EMAIL_USE_SSL, EMAIL_USE_TLS, EMAIL_TIMEOUT = SMTP.is_tls_from_start, SMTP.is_tls_later, 10
DEFAULT_FROM_EMAIL = ENV.get("EYELEVEL_ALERT_FROM") or "eyelevel@localhost"

# --- recruiters -----------------------------------------------------------------------------------------------------
PROLIFIC_API = "https://api.prolific.com"
PROLIFIC_WEBHOOK_SECRET = secret_values.secret(ENV, "EYELEVEL_PROLIFIC_SECRET")

FRONTEND_DIST = Path(ENV.get("EYELEVEL_FRONTEND_DIST") or REPOSITORY / "frontend" / "dist")
STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True
# Vite writes a hash of the content into these names
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[A-Za-z0-9_-]{8}\.\w+$"
if FRONTEND_DIST.is_dir():
    WHITENOISE_ROOT = str(FRONTEND_DIST)

# --- tasks ----------------------------------------------------------------------------------------------------------
TASK_LIMIT_S = 15 * 60
CELERY_BROKER_URL = environment.celery_broker(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # a killed worker's task is requeued after this time, which must exceed the longest task
    "visibility_timeout": 2 * TASK_LIMIT_S,
    # a participant must not wait for a queue that is down
    "socket_connect_timeout": 1,
    "socket_timeout": 30,
    "max_retries": 0,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = TASK_LIMIT_S
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "config.celery:Scheduler"
# these take minutes, so a separate worker runs them: other tasks take seconds, and people wait for their results
CELERY_TASK_ROUTES = {
    "analysis.tasks.compute_in_depth": {"queue": "in-depth"},
    "backups.tasks.drill": {"queue": "in-depth"},
}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "release-abandoned-slots": {"task": "ratings.tasks.release_abandoned_slots", "schedule": 300.0},
    # each vote requests an analysis; this catches lost messages and killed workers
    "catch-up-with-votes": {"task": "analysis.tasks.catch_up", "schedule": 15.0},
    "resume-tables-in-depth": {"task": "analysis.tasks.resume_in_depth", "schedule": 15.0},
    "drop-stray-snapshots": {"task": "analysis.tasks.drop_stray_snapshots", "schedule": 3600.0},
    "apply-retention": {"task": "privacy.tasks.apply_retention", "schedule": 6 * 3600.0},
    # each completed session requests a verdict; this catches lost messages, killed workers and late plays
    "catch-up-with-verdicts": {"task": "conformance.tasks.catch_up", "schedule": 30.0},
    "count-large-studies": {"task": "studies.tasks.count_large_studies", "schedule": 15.0},
    # each video requests a probe; this catches lost messages and killed workers
    "probe-videos": {"task": "stimuli.tasks.probe_videos", "schedule": 15.0},
    "resume-commits": {"task": "stimuli.tasks.resume_commits", "schedule": 15.0},
    "check-alerts": {"task": "fieldwork.tasks.check_alerts", "schedule": 300.0},
    "sample-the-disk": {"task": "health.tasks.sample_disk", "schedule": 3600.0},
    "send-warnings": {"task": "health.tasks.send_warnings", "schedule": 3600.0},
    "drill-a-restore": {"task": "backups.tasks.drill", "schedule": 3600.0},
    "drop-stale-batches": {"task": "stimuli.tasks.drop_stale_batches", "schedule": 3600.0},
}

# --- logs: never an address, a cookie or an answer of a participant --------------------------------------------------
LOGGING = logs.configuration()
