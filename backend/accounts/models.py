"""Users, API tokens and failed logins."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from audit.log import Subject
from audit.models import Kind


class Role(models.TextChoices):
    # reads only what is shared with the account
    GUEST = "guest"
    RESEARCHER = "researcher"
    ADMIN = "admin"


class UserManager(DjangoUserManager["User"]):
    def create_account(self, username: str, password: str | None, role: Role) -> "User":
        """Create a user whose permissions follow from the role; without a password nobody can sign in."""
        return self.create_user(username, password=password, role=role)


class User(AbstractUser):
    """A guest, a researcher or an admin; participants have no account."""

    role = models.CharField(max_length=16, choices=Role, default=Role.RESEARCHER)

    objects: ClassVar[UserManager] = UserManager()

    def save(self, *args: Any, **kwargs: Any) -> None:
        # one source of truth: Django's admin pages are for admins
        self.is_staff = self.is_superuser = self.role == Role.ADMIN
        super().save(*args, **kwargs)

    def audit_subject(self) -> Subject:
        return Subject(Kind.ACCOUNT, self.username)


class Scope(models.TextChoices):
    # uploading and viewing batches
    BATCHES = "batches"
    # publishing, and all of `results`
    STUDIES = "studies"
    # reading studies, results and exports
    RESULTS = "results"


# roles that a token's owner needs when the token is used, also after a change of role
SCOPE_ROLES: dict[Scope, frozenset[Role]] = {
    Scope.BATCHES: frozenset({Role.ADMIN}),
    Scope.STUDIES: frozenset({Role.RESEARCHER, Role.ADMIN}),
    Scope.RESULTS: frozenset({Role.RESEARCHER, Role.ADMIN}),
}
TOKEN_DAYS = 90
MAX_TOKEN_DAYS = 366


def in_days(days: int) -> datetime:
    return timezone.now() + timedelta(days=days)


class ApiToken(models.Model):
    """A program's key for one scope. Only its hash is stored; 32 random bytes need no slow hash."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=16, choices=Scope)
    token_sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.scope})"

    @classmethod
    def issue(cls, *, user: User, name: str, scope: Scope, expires_at: datetime | None = None) -> str:
        """Create a token and return it, only this once. By default it is valid for 90 days."""
        token = "ey_" + secrets.token_urlsafe(32)
        cls.objects.create(
            user=user,
            name=name,
            scope=scope,
            token_sha256=digest_of(token),
            expires_at=expires_at or in_days(TOKEN_DAYS),
        )
        return token


class SignIn(AbstractBaseSession):
    """A browser session and its account. Neither an IP address nor a user agent is stored."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sign_ins")
    # its kind, such as `Firefox 128, Linux`
    browser = models.CharField(max_length=60, blank=True)
    begun_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)


class FailedLogins(models.Model):
    """Number of wrong passwords and codes in one time window, for a name or known browser (hashed) or all others."""

    bucket = models.CharField(max_length=80, primary_key=True)
    begun_at = models.DateTimeField()
    count = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.bucket[:16]} {self.begun_at:%F %T}"


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
