"""One-time links that set the password of an account, made by an admin or by a command on the server.

The token is in the fragment (after #) of the link, which browsers do not send, so it is in no log and no Referer.
"""

from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import sessions, users
from accounts.models import User
from audit.log import record
from audit.models import What
from lib.problems import Problem


class ResetTokens(PasswordResetTokenGenerator):
    """Tokens that are valid for settings.PASSWORD_RESET_TIMEOUT, until the password changes or the account signs in."""

    key_salt = "accounts.reset-link"


TOKENS = ResetTokens()


def path_of(user: User) -> str:
    return f"/reset#{urlencode({'account': user.username, 'token': TOKENS.make_token(user)})}"


def expires_at() -> datetime:
    """The time at which a link that is made now expires."""
    return timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)


def make(username: str, *, by: User | None) -> User:
    """Record that a link is made for an active account; raises Problem 404, or 409 `closed` or `own_account`."""
    user = users.other(username, by=by)
    if not user.is_active:
        raise Problem(409, "closed", f"The account {username} is closed; reopen it first.")
    record(by, What.ACCOUNT, user, {"did": "reset link"})
    return user


def account_of(username: str, token: str, *, among: QuerySet[User] | None = None) -> User:
    """The account whose password the link sets; raises Problem 409 `link_over`."""
    accounts = User.objects.all() if among is None else among
    user = accounts.filter(username=username, is_active=True).first()
    if user is None or not TOKENS.check_token(user, token):
        message = "This link was used before or is older than 24 hours; ask an admin for a new one."
        raise Problem(409, "link_over", message)
    return user


def set_password(username: str, token: str, new: str) -> User:
    """Set the password, which ends all sign-ins and invalidates the link; raises Problem 409 or 422 `weak_password`."""
    with transaction.atomic():
        user = account_of(username, token, among=User.objects.select_for_update())
        users.demand_strength(new, user)
        user.set_password(new)
        user.save()
        sessions.end_all(user)
        record(user, What.ACCOUNT, user, {"did": "password by link"})
    return user
