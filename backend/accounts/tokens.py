"""A user's own API tokens: issue, list, revoke; every change is in the audit log."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import MAX_TOKEN_DAYS, SCOPE_ROLES, ApiToken, Scope, User, in_days
from audit.log import record
from audit.models import What
from lib.problems import Problem, not_found

MAX_TOKENS = 50


def own(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(user=user).order_by("-created_at")


def issue(user: User, *, name: str, scope: Scope, days: int, by: User | None) -> tuple[ApiToken, str]:
    """The row and the token, which is shown this once; raises Problem 403, 409 or 422."""
    if user.role not in SCOPE_ROLES[scope]:
        needed = " or ".join(sorted(SCOPE_ROLES[scope]))
        raise Problem(403, "forbidden", f"A token for {scope} needs an account that is {needed}; ask an admin.")
    if not 1 <= days <= MAX_TOKEN_DAYS:
        message = f"days is {days}, but a token is good for 1 to {MAX_TOKEN_DAYS} days."
        raise Problem(422, "invalid", message, details={"field": "days"})
    if not name.strip() or len(name) > 80:
        raise Problem(422, "invalid", "name must have 1 to 80 letters.", details={"field": "name"})
    if own(user).count() >= MAX_TOKENS:
        raise Problem(409, "too_many_tokens", f"There are {MAX_TOKENS} tokens already; revoke some first.")
    expires_at = in_days(days)
    with transaction.atomic():
        token = ApiToken.issue(user=user, name=name.strip(), scope=scope, expires_at=expires_at)
        row = own(user).first()
        if row is None:
            raise RuntimeError("a token was made and is not there")
        record(by, What.TOKEN, user, {"did": "made", **_facts(row)})
    return row, token


def revoke(user: User, token_id: int) -> None:
    """The token opens nothing from now on; raises Problem 404 where it is not the user's."""
    found = own(user).filter(pk=token_id).first()
    if found is None:
        raise not_found(f"token {token_id}")
    with transaction.atomic():
        record(user, What.TOKEN, user, {"did": "revoked", **_facts(found)})
        found.delete()


def _facts(token: ApiToken) -> dict[str, str]:
    return {"name": token.name, "scope": token.scope, "expires": _day(token.expires_at)}


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
