"""Authentication of API calls: people by session cookie and CSRF token, programs by a bearer token with a scope.

These functions check a person's role or a token's scope; `studies.permissions` decides which studies the caller may
see or change. A token never permits more than its owner's role does at the time of the call.
"""

from collections.abc import Collection
from datetime import timedelta

from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.utils import timezone
from ninja.utils import check_csrf

from accounts import second_factor
from accounts.models import SCOPE_ROLES, ApiToken, Role, Scope, User, digest_of
from lib.problems import Problem

NEEDED = "This platform requires a second factor; set one up on the Account page first."
FORBIDDEN = "Your account does not have permission to do this; ask an admin."
EVERYONE = frozenset(Role)
RESEARCHERS = frozenset({Role.RESEARCHER, Role.ADMIN})
ADMINS = frozenset({Role.ADMIN})
# an upload of many files is many calls, and the time of last use needs no precision of seconds
USE_STEP = timedelta(minutes=1)


def any_account(request: HttpRequest) -> User | None:
    """A person with an account, guests included."""
    return _identify(request, roles=EVERYONE)


def signed_in(request: HttpRequest) -> User | None:
    """Like `any_account`, and also a person who still has to set up a second factor."""
    return _identify(request, roles=EVERYONE, before_setup=True)


def reader(request: HttpRequest) -> User | None:
    """A person with an account, guests included, or a program that may read studies and results."""
    return _identify(request, roles=EVERYONE, scopes=(Scope.STUDIES, Scope.RESULTS))


def researcher(request: HttpRequest) -> User | None:
    """A researcher or an admin in person."""
    return _identify(request, roles=RESEARCHERS)


def researcher_or_studies_token(request: HttpRequest) -> User | None:
    return _identify(request, roles=RESEARCHERS, scopes=(Scope.STUDIES,))


def admin(request: HttpRequest) -> User | None:
    """An admin in person."""
    return _identify(request, roles=ADMINS)


def admin_or_batches_token(request: HttpRequest) -> User | None:
    return _identify(request, roles=ADMINS, scopes=(Scope.BATCHES,))


def studies_token(request: HttpRequest) -> User:
    """The owner of the token with scope `studies` that this call carries; raises Problem 401 or 403."""
    user = _identify(request, roles=(), scopes=(Scope.STUDIES,)) if is_program(request) else None
    if user is None:
        message = "A simulated session requires an API token with the scope studies; send Authorization: Bearer TOKEN."
        raise Problem(401, "token_needed", message)
    return user


def account(request: HttpRequest) -> User:
    """The user whom one of the functions above authenticated."""
    user = getattr(request, "auth", None)
    if not isinstance(user, User):
        raise TypeError("account() was called in an endpoint without authentication")
    return user


def is_program(request: HttpRequest) -> bool:
    """Whether the caller is a program with a token, and not a person in a browser."""
    return request.headers.get("Authorization", "").startswith("Bearer ")


def _identify(
    request: HttpRequest, *, roles: Collection[Role], scopes: Collection[Scope] = (), before_setup: bool = False
) -> User | None:
    if is_program(request):
        return _by_token(request.headers["Authorization"].split(" ", 1)[1].strip(), scopes=scopes)
    if not isinstance(request.user, User):
        return None
    demand_csrf(request)
    if request.user.role not in roles:
        raise Problem(403, "forbidden", FORBIDDEN)
    if not before_setup and second_factor.is_needed(request.user):
        raise Problem(403, "second_factor_setup", NEEDED)
    return request.user


def demand_csrf(request: HttpRequest) -> None:
    try:
        refused = check_csrf(request) is not None
    except MultiPartParserError as error:
        # the check parses a form's body to find the token
        raise Problem(400, "bad_body", f"The body is not valid multipart/form-data: {error}.") from None
    if refused:
        raise Problem(403, "csrf_failed", "The CSRF token is missing or expired; reload the page.")


def _by_token(token: str, *, scopes: Collection[Scope]) -> User | None:
    row = ApiToken.objects.select_related("user").filter(token_sha256=digest_of(token)).first()
    now = timezone.now()
    if row is None or not row.user.is_active or row.expires_at <= now:
        return None
    if row.scope not in scopes:
        needed = f"needs {' or '.join(scopes)}" if scopes else "accepts no token; sign in with your account"
        raise Problem(403, "wrong_scope", f"The token's scope is {row.scope}, but this call {needed}.")
    if row.user.role not in SCOPE_ROLES[Scope(row.scope)]:
        raise Problem(403, "forbidden", FORBIDDEN)
    if row.last_used_at is None or now - row.last_used_at > USE_STEP:
        ApiToken.objects.filter(pk=row.pk).update(last_used_at=now)
    return row.user
