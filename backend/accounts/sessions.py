"""Sign-ins of an account in its browsers: lists them, ends one, ends all."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import SignIn, User, digest_of
from lib.problems import not_found


def running(user: User) -> QuerySet[SignIn]:
    """The active sign-ins of an account, the last used one first."""
    return SignIn.objects.filter(~_over(timezone.now()), user=user).order_by("-seen_at")


def id_of(sign_in: SignIn) -> str:
    """An identifier of a sign-in that, unlike its key, gives no access to it."""
    return digest_of(sign_in.session_key)[:16]


def find(user: User, session_id: str) -> SignIn:
    """The active sign-in with this identifier; raises Problem 404 if the account has none."""
    sign_in = next((row for row in running(user) if id_of(row) == session_id), None)
    if sign_in is None:
        raise not_found(f"sign-in {session_id}")
    return sign_in


def end_all(user: User, *, but: str | None = None) -> int:
    """End all sign-ins of an account, except for the session with the key `but`; returns how many ended."""
    ended = running(user).exclude(session_key=but).count()
    SignIn.objects.filter(user=user).exclude(session_key=but).delete()
    return ended


def over(now: datetime) -> QuerySet[SignIn]:
    """Sessions that have expired."""
    return SignIn.objects.filter(_over(now))


def _over(now: datetime) -> Q:
    begun = now - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    seen = now - timedelta(seconds=settings.SESSION_IDLE_S)
    return Q(expire_date__lte=now) | Q(begun_at__lte=begun) | Q(seen_at__lte=seen)
