"""/api/auth: who am I, sign in, sign out, my password and my tokens."""

from datetime import datetime

from django.contrib.auth import logout as end_session
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Schema, Status

from accounts import people, tokens
from accounts.access import account, any_account, demand_csrf, researcher
from accounts.login import login
from accounts.models import TOKEN_DAYS, ApiToken, Role, Scope, User
from lines import Line, Secret
from problems import Problem

router = Router(tags=["accounts"])


class Me(Schema):
    username: str
    role: Role


class Credentials(Schema):
    username: Line
    password: Secret


class PasswordChange(Schema):
    current: Secret
    new: Secret


class TokenIn(Schema):
    name: Line
    scope: Scope
    days: int = TOKEN_DAYS


class TokenRow(Schema):
    id: int
    name: str
    scope: Scope
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


class NewToken(TokenRow):
    """The row and, this once, the token itself."""

    token: str


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


@router.post("/password", response={204: None}, auth=any_account)
def post_password(request: HttpRequest, change: PasswordChange) -> Status[None]:
    user = account(request)
    people.change_own_password(user, current=change.current, new=change.new)
    # other browsers are signed out by it, this one stays
    update_session_auth_hash(request, user)
    return Status(204, None)


@router.get("/tokens", response=list[TokenRow], auth=researcher)
def get_tokens(request: HttpRequest) -> list[ApiToken]:
    return list(tokens.own(account(request)))


@router.post("/tokens", response={201: NewToken}, auth=researcher)
def post_token(request: HttpRequest, wanted: TokenIn) -> Status[NewToken]:
    user = account(request)
    row, token = tokens.issue(user, name=wanted.name, scope=wanted.scope, days=wanted.days, by=user)
    return Status(201, NewToken(**TokenRow.from_orm(row).dict(), token=token))


@router.delete("/tokens/{token_id}", response={204: None}, auth=researcher)
def delete_token(request: HttpRequest, token_id: int) -> Status[None]:
    tokens.revoke(account(request), token_id)
    return Status(204, None)
