"""Request and response bodies of the accounts API."""

from datetime import datetime

from django.http import HttpRequest
from ninja import Schema

from accounts import second_factor, sessions
from accounts.models import TOKEN_DAYS, Role, Scope, SignIn, User
from accounts.second_factor import State
from lib.text import Line, Secret


class Me(Schema):
    username: str
    role: Role
    # needed: the account can do nothing else before it is on
    second_factor: State

    @staticmethod
    def resolve_second_factor(user: User) -> State:
        return second_factor.state(user)


class Credentials(Schema):
    username: Line
    password: Secret
    # six digits of the app, or a recovery code
    code: Line | None = None


class SecondFactor(Schema):
    state: State
    recovery_codes_left: int


class SecondFactorSetup(Schema):
    """The secret, its URI for apps (otpauth:), and a QR code of the URI as a data URI."""

    secret: str
    uri: str
    qr_code: str


class FirstCode(Schema):
    code: Line


class PasswordAndCode(Schema):
    password: Secret
    code: Line


class RecoveryCodes(Schema):
    """Returned only once."""

    recovery_codes: list[str]


class SessionRow(Schema):
    id: str
    # its kind, such as `Firefox 128, Linux`
    browser: str
    begun_at: datetime
    # to the minute
    seen_at: datetime
    # whether it is the session of this call
    here: bool

    @staticmethod
    def resolve_id(sign_in: SignIn) -> str:
        return sessions.id_of(sign_in)

    @staticmethod
    def resolve_here(sign_in: SignIn, context: dict[str, HttpRequest]) -> bool:
        return bool(sign_in.session_key == context["request"].session.session_key)


class ResetLink(Schema):
    """The parameters in the fragment (after #) of a reset link."""

    account: Line
    token: Line


class ResetAccount(Schema):
    username: str
    second_factor: bool


class Reset(ResetLink):
    new: Secret


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
    """The token's row and the token itself, which is returned only once."""

    token: str


class AccountRow(Schema):
    username: str
    role: Role
    is_active: bool
    last_login: datetime | None
    second_factor: bool


class AccountIn(Schema):
    username: str
    role: Role


class NewLink(Schema):
    """A one-time link that sets the account's password, returned only once."""

    link: str
    expires_at: datetime


class NewAccount(AccountRow, NewLink):
    """The account and the link that sets its first password."""


class RoleChange(Schema):
    role: Role


class ActiveChange(Schema):
    active: bool
