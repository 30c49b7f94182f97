"""Endpoints /api/auth (sign-in, password, second factor, sessions, tokens) and /api/accounts (for admins)."""

from django.conf import settings
from django.contrib.auth import logout as end_session
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest
from django.middleware.csrf import get_token
from ninja import Router, Status

from accounts import reset_links, second_factor, sessions, tokens, users
from accounts.login import login
from accounts.models import ApiToken, SignIn, User
from accounts.permissions import account, admin, any_account, demand_csrf, researcher, signed_in
from accounts.schemas import (
    AccountIn,
    AccountRow,
    ActiveChange,
    Credentials,
    FirstCode,
    Me,
    NewAccount,
    NewLink,
    NewToken,
    PasswordAndCode,
    PasswordChange,
    RecoveryCodes,
    Reset,
    ResetAccount,
    ResetLink,
    RoleChange,
    SecondFactor,
    SecondFactorSetup,
    SessionRow,
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
        raise Problem(401, "not_signed_in", "You are not signed in; sign in first.")
    return request.user


@router.post("/login", response=Me)
def post_login(request: HttpRequest, credentials: Credentials) -> User:
    demand_csrf(request)
    return login(request, username=credentials.username, password=credentials.password, code=credentials.code)


@router.post("/logout", response={204: None}, auth=signed_in)
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


@router.post("/reset/check", response=ResetAccount)
def post_reset_check(request: HttpRequest, link: ResetLink) -> ResetAccount:
    """Check a reset link, and return the account whose password it sets."""
    demand_csrf(request)
    user = reset_links.account_of(link.account, link.token)
    return ResetAccount(username=user.username, second_factor=second_factor.is_on(user))


@router.post("/reset", response={204: None})
def post_reset(request: HttpRequest, reset: Reset) -> Status[None]:
    demand_csrf(request)
    if reset_links.set_password(reset.account, reset.token, reset.new) == request.user:
        end_session(request)
    return Status(204, None)


@router.get("/second-factor", response=SecondFactor, auth=signed_in)
def get_second_factor(request: HttpRequest) -> SecondFactor:
    user = account(request)
    return SecondFactor(state=second_factor.state(user), recovery_codes_left=second_factor.codes_left(user))


@router.post("/second-factor/setup", response=SecondFactorSetup, auth=signed_in)
def post_second_factor_setup(request: HttpRequest) -> SecondFactorSetup:
    device = second_factor.begin(account(request))
    return SecondFactorSetup(
        secret=second_factor.secret_of(device), uri=device.config_url, qr_code=second_factor.qr_code_of(device)
    )


@router.post("/second-factor/confirm", response=RecoveryCodes, auth=signed_in)
def post_second_factor_confirm(request: HttpRequest, first: FirstCode) -> RecoveryCodes:
    return RecoveryCodes(recovery_codes=second_factor.confirm(request, account(request), first.code))


@router.post("/second-factor/off", response={204: None}, auth=any_account)
def post_second_factor_off(request: HttpRequest, proof: PasswordAndCode) -> Status[None]:
    second_factor.turn_off(_proven(request, proof), by=account(request))
    return Status(204, None)


@router.post("/second-factor/recovery-codes", response=RecoveryCodes, auth=any_account)
def post_recovery_codes(request: HttpRequest, proof: PasswordAndCode) -> RecoveryCodes:
    return RecoveryCodes(recovery_codes=second_factor.renew_codes(_proven(request, proof)))


@router.get("/sessions", response=list[SessionRow], auth=any_account)
def get_sessions(request: HttpRequest) -> list[SignIn]:
    return list(sessions.running(account(request)))


@router.delete("/sessions", response={204: None}, auth=any_account)
def delete_other_sessions(request: HttpRequest) -> Status[None]:
    sessions.end_all(account(request), but=request.session.session_key)
    return Status(204, None)


@router.delete("/sessions/{session_id}", response={204: None}, auth=any_account)
def delete_session(request: HttpRequest, session_id: str) -> Status[None]:
    sign_in = sessions.find(account(request), session_id)
    if sign_in.session_key == request.session.session_key:
        end_session(request)
    else:
        sign_in.delete()
    return Status(204, None)


@router.get("/tokens", response=list[TokenRow], auth=researcher)
def get_tokens(request: HttpRequest) -> list[ApiToken]:
    return list(tokens.tokens_of(account(request)))


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
    return list(second_factor.with_state(User.objects.order_by("-is_active", "username")))


@accounts_router.post("", response={201: NewAccount}, auth=admin, operation_id="accounts_people_api_post_account")
def post_account(request: HttpRequest, wanted: AccountIn) -> Status[NewAccount]:
    created = users.create(wanted.username, wanted.role, by=account(request))
    return Status(201, NewAccount(**AccountRow.from_orm(_row(created)).dict(), **_link(request, created).dict()))


@accounts_router.post("/{username}/role", response=AccountRow, auth=admin, operation_id="accounts_people_api_post_role")
def post_role(request: HttpRequest, username: str, change: RoleChange) -> User:
    return _row(users.change_role(username, change.role, by=account(request)))


@accounts_router.post(
    "/{username}/active", response=AccountRow, auth=admin, operation_id="accounts_people_api_post_active"
)
def post_active(request: HttpRequest, username: str, change: ActiveChange) -> User:
    changed = users.set_active(username, active=change.active, by=account(request))
    if changed == account(request) and not changed.is_active:
        end_session(request)
    return _row(changed)


@accounts_router.post(
    "/{username}/reset-link", response={201: NewLink}, auth=admin, operation_id="accounts_people_api_post_reset_link"
)
def post_reset_link(request: HttpRequest, username: str) -> Status[NewLink]:
    return Status(201, _link(request, reset_links.make(username, by=account(request))))


@accounts_router.delete("/{username}/second-factor", response={204: None}, auth=admin)
def delete_second_factor(request: HttpRequest, username: str) -> Status[None]:
    by = account(request)
    second_factor.turn_off(users.other(username, by=by), by=by)
    return Status(204, None)


@accounts_router.delete("/{username}/sessions", response={204: None}, auth=admin)
def delete_sessions(request: HttpRequest, username: str) -> Status[None]:
    users.end_sessions(username, by=account(request), but=request.session.session_key)
    return Status(204, None)


def _row(user: User) -> User:
    return second_factor.with_state(User.objects.filter(pk=user.pk)).get()


def _link(request: HttpRequest, user: User) -> NewLink:
    path = reset_links.path_of(user)
    link = settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(path)
    return NewLink(link=link, expires_at=reset_links.expires_at())


def _proven(request: HttpRequest, proof: PasswordAndCode) -> User:
    """The caller, after a check of password and code; raises Problem 409, 422 or 429."""
    user = account(request)
    users.demand_password(request, user, proof.password, field="password")
    second_factor.demand(request, user, proof.code)
    return user
