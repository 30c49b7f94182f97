"""/api/auth: sign in, sign out, own password and tokens. /api/accounts: managing accounts, for admins."""

from django.contrib.auth import logout as end_session
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Status

from accounts import tokens, users
from accounts.login import login
from accounts.models import ApiToken, User
from accounts.permissions import account, admin, any_account, demand_csrf, researcher
from accounts.schemas import (
    AccountIn,
    AccountRow,
    ActiveChange,
    Credentials,
    Me,
    NewAccount,
    NewPassword,
    NewToken,
    PasswordChange,
    RoleChange,
    TokenIn,
    TokenRow,
)
from lib.problems import Problem

router = Router(tags=["accounts"])
accounts_router = Router(tags=["accounts"])


@router.get("/me", response=Me)
def me(request: HttpRequest) -> User:
    # before the 401, so that a first visitor gets the CSRF token for signing in
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
    users.change_own_password(request, user, current=change.current, new=change.new)
    # this signs out the user's other browsers; this one stays signed in
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


@accounts_router.get("", response=list[AccountRow], auth=admin, operation_id="accounts_people_api_accounts")
def accounts(request: HttpRequest) -> list[User]:
    return list(User.objects.order_by("-is_active", "username"))


@accounts_router.post("", response={201: NewAccount}, auth=admin, operation_id="accounts_people_api_post_account")
def post_account(request: HttpRequest, wanted: AccountIn) -> Status[NewAccount]:
    created, password = users.create(wanted.username, wanted.role, by=account(request))
    return Status(201, NewAccount(**AccountRow.from_orm(created).dict(), password=password))


@accounts_router.post("/{username}/role", response=AccountRow, auth=admin, operation_id="accounts_people_api_post_role")
def post_role(request: HttpRequest, username: str, change: RoleChange) -> User:
    return users.change_role(username, change.role, by=account(request))


@accounts_router.post(
    "/{username}/active", response=AccountRow, auth=admin, operation_id="accounts_people_api_post_active"
)
def post_active(request: HttpRequest, username: str, change: ActiveChange) -> User:
    return users.set_active(username, active=change.active, by=account(request))


@accounts_router.post(
    "/{username}/password", response=NewPassword, auth=admin, operation_id="accounts_people_api_post_new_password"
)
def post_new_password(request: HttpRequest, username: str) -> NewPassword:
    return NewPassword(password=users.new_password(username, by=account(request)))
