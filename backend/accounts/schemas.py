"""Request and response bodies of the accounts API."""

from datetime import datetime

from ninja import Schema

from accounts.models import TOKEN_DAYS, Role, Scope
from lib.text import Line, Secret


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
    """The token's row and the token itself, which is returned only once."""

    token: str


class AccountRow(Schema):
    username: str
    role: Role
    is_active: bool
    last_login: datetime | None


class AccountIn(Schema):
    username: str
    role: Role


class NewAccount(AccountRow):
    """The account and its first password, which is returned only once."""

    password: str


class NewPassword(Schema):
    password: str


class RoleChange(Schema):
    role: Role


class ActiveChange(Schema):
    active: bool
