"""Sign-in with name, password and, where it is on, a second factor."""

from django.contrib.auth import authenticate
from django.contrib.auth import login as start_session
from django.http import HttpRequest

from accounts import second_factor
from accounts.models import User
from lib.problems import Problem


def login(request: HttpRequest, *, username: str, password: str, code: str | None) -> User:
    """The user, signed in; raises Problem 401 `wrong_credentials`, `second_factor_needed` or `wrong_code`, or 429.

    The password comes with the code again: nothing is stored of a sign-in that is half done.
    """
    user = authenticate(request, username=username, password=password)
    if not isinstance(user, User):
        raise Problem(401, "wrong_credentials", "This name and password do not fit; check both.")
    if second_factor.is_on(user):
        if code is None:
            message = "This account has a second factor; also send a code from the app, or a recovery code."
            raise Problem(401, "second_factor_needed", message)
        if not second_factor.passes(request, user, code):
            raise second_factor.wrong_code(401)
    start_session(request, user)
    return user
