"""Sign-in with name and password."""

from django.contrib.auth import authenticate
from django.contrib.auth import login as start_session
from django.http import HttpRequest

from accounts.models import User
from lib.problems import Problem


def login(request: HttpRequest, *, username: str, password: str) -> User:
    """The user, signed in; raises Problem 401 `wrong_credentials`, or 429 `too_many_attempts` or `busy`."""
    user = authenticate(request, username=username, password=password)
    if not isinstance(user, User):
        raise Problem(401, "wrong_credentials", "This name and password do not fit; check both.")
    start_session(request, user)
    return user
