"""API tokens of a user: issue, list, revoke; every change is recorded in the audit log."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import MAX_TOKEN_DAYS, SCOPE_ROLES, ApiToken, Scope, User, in_days
from audit.log import record
from audit.models import What
from lib.problems import Problem, not_found

MAX_TOKENS = 50


def tokens_of(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user).order_by("-created_at")


def issue(user: User, *, name: str, scope: Scope, days: int, by: User | None) -> tuple[ApiToken, str]:
    """Create a token; returns its row and the token, which is shown only once. Raises Problem 403, 409 or 422."""
    if user.role not in SCOPE_ROLES[scope]:
        needed = " or ".join(sorted(SCOPE_ROLES[scope]))
        message = f"A token with the scope {scope} requires an account with the role {needed}; ask an admin."
        raise Problem(403, "forbidden", message)
    if not 1 <= days <= MAX_TOKEN_DAYS:
        message = f"days is {days}, but must be between 1 and {MAX_TOKEN_DAYS}."
        raise Problem(422, "invalid", message, details={"field": "days"})
    if not name.strip() or len(name) > 80:
        raise Problem(422, "invalid", "name must have 1 to 80 characters.", details={"field": "name"})
    if tokens_of(user).count() >= MAX_TOKENS:
        message = f"The account already has {MAX_TOKENS} tokens, which is the maximum; revoke one first."
        raise Problem(409, "too_many_tokens", message)
    expires_at = in_days(days)
    with transaction.atomic():
        token = ApiToken.issue(user=user, name=name.strip(), scope=scope, expires_at=expires_at)
        row = tokens_of(user).first()
        if row is None:
            raise RuntimeError("the row of the new token is missing")
        record(by, What.TOKEN, user, {"did": "made", **_facts(row)})
    return row, token


def revoke(user: User, token_id: int) -> None:
    """Delete a token of the user; raises Problem 404 if the user has no such token."""
    row = tokens_of(user).filter(pk=token_id).first()
    if row is None:
        raise not_found(f"token {token_id}")
    with transaction.atomic():
        record(user, What.TOKEN, user, {"did": "revoked", **_facts(row)})
        row.delete()


def _facts(token: ApiToken) -> dict[str, str]:
    return {"name": token.name, "scope": token.scope, "expires": _day(token.expires_at)}


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
