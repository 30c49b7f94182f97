"""The browsers in which an account is logged in: list them, end one, end all."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import SignIn, User, digest_of
from lib.problems import not_found


def running(user: User) -> QuerySet[SignIn]:
    """The sign-ins of an account that are not over, the one that was used last first."""
    return SignIn.objects.filter(~_over(timezone.now()), user=user).order_by("-seen_at")


def id_of(sign_in: SignIn) -> str:
    """Names a sign-in without opening it, as its key would."""
    return digest_of(sign_in.session_key)[:16]


def find(user: User, session_id: str) -> SignIn:
    """Raises Problem 404 where the account has no such sign-in."""
    found = next((one for one in running(user) if id_of(one) == session_id), None)
    if found is None:
        raise not_found(f"login {session_id}")
    return found


def end_all(user: User, *, but: str | None = None) -> int:
    """End all sign-ins of an account, except for the session with the key `but`; how many ended."""
    ended = running(user).exclude(session_key=but).count()
    SignIn.objects.filter(user=user).exclude(session_key=but).delete()
    return ended


def over(now: datetime) -> QuerySet[SignIn]:
    """Sessions that open nothing any more."""
    return SignIn.objects.filter(_over(now))


def _over(now: datetime) -> Q:
    begun = now - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    seen = now - timedelta(seconds=settings.SESSION_IDLE_S)
    return Q(expire_date__lte=now) | Q(begun_at__lte=begun) | Q(seen_at__lte=seen)
