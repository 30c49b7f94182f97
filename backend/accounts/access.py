"""Who may call what: a person by the session cookie with CSRF token, a program by a bearer token of the right scope."""

from django.http import HttpRequest
from django.utils import timezone
from ninja.utils import check_csrf

from accounts.models import ApiToken, Role, Scope, User, digest_of
from problems import Problem

FORBIDDEN = "Your account may not do this; ask an admin."


def any_account(request: HttpRequest) -> User | None:
    """A researcher or an admin."""
    return _identify(request, scope=None)


def researcher_or_studies_token(request: HttpRequest) -> User | None:
    return _identify(request, scope=Scope.STUDIES)


def admin_or_batches_token(request: HttpRequest) -> User | None:
    user = _identify(request, scope=Scope.BATCHES)
    if user is not None and user.role != Role.ADMIN and not _is_token(request):
        raise Problem(403, "forbidden", FORBIDDEN)
    return user


def account(request: HttpRequest) -> User:
    """The user whom one of the functions above let in."""
    user = getattr(request, "auth", None)
    if not isinstance(user, User):
        raise TypeError("an endpoint without an account asked for one")
    return user


def _identify(request: HttpRequest, *, scope: Scope | None) -> User | None:
    if _is_token(request):
        return _by_token(request.headers["Authorization"].split(" ", 1)[1].strip(), scope=scope)
    if not isinstance(request.user, User):
        return None
    demand_csrf(request)
    return request.user


def demand_csrf(request: HttpRequest) -> None:
    if check_csrf(request) is not None:
        raise Problem(403, "csrf_failed", "The CSRF token is missing or old; reload the page.")


def _is_token(request: HttpRequest) -> bool:
    return request.headers.get("Authorization", "").startswith("Bearer ")


def _by_token(token: str, *, scope: Scope | None) -> User | None:
    found = ApiToken.objects.select_related("user").filter(token_sha256=digest_of(token)).first()
    if found is None or not found.user.is_active or (found.expires_at and found.expires_at <= timezone.now()):
        return None
    if scope is None or found.scope != scope:
        needed = "none: sign in with your account" if scope is None else scope
        raise Problem(403, "wrong_scope", f"The token's scope is {found.scope}, but this call needs {needed}.")
    return found.user
