"""/api/auth: who am I, sign in, sign out."""

from django.contrib.auth import logout as end_session
from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Schema, Status

from accounts.access import account, any_account, demand_csrf
from accounts.login import login
from accounts.models import User
from problems import Problem

router = Router(tags=["accounts"])


class Me(Schema):
    username: str
    role: str


class Credentials(Schema):
    username: str
    password: str


@router.get("/me", response=Me)
def me(request: HttpRequest) -> User:
    # before the 401, so that a first visitor has the token for signing in
    get_token(request)
    if not isinstance(request.user, User):
        raise Problem(401, "not_signed_in", "Nobody is signed in.")
    return request.user


@router.post("/login", response=Me)
def post_login(request: HttpRequest, credentials: Credentials) -> User:
    demand_csrf(request)
    return login(request, username=credentials.username, password=credentials.password)


@router.post("/logout", response={204: None}, auth=any_account)
def post_logout(request: HttpRequest) -> Status[None]:
    account(request)
    end_session(request)
    return Status(204, None)
