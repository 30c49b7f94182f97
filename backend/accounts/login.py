"""Sign-in with name, password and, if the account has one, a second factor."""

from django.contrib.auth import authenticate
from django.contrib.auth import login as start_session
from django.http import HttpRequest

from accounts import second_factor
from accounts.models import User
from lib.problems import Problem


def login(request: HttpRequest, *, username: str, password: str, code: str | None) -> User:
    """Sign the user in; raises Problem 401 `wrong_credentials`, `second_factor_needed` or `wrong_code`, or 429.

    The request with the code repeats the password, because nothing is stored about an incomplete sign-in.
    """
    user = authenticate(request, username=username, password=password)
    if not isinstance(user, User):
        raise Problem(401, "wrong_credentials", "The name or the password is wrong; check both.")
    if second_factor.is_on(user):
        if code is None:
            message = "This account requires a second factor; also send a code from the app, or a recovery code."
            raise Problem(401, "second_factor_needed", message)
        if not second_factor.passes(request, user, code):
            raise second_factor.wrong_code(401)
    start_session(request, user)
    return user
