"""/api/accounts: the accounts, for admins."""

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema, Status

from accounts import people
from accounts.access import account, admin
from accounts.models import Role, User

router = Router(tags=["accounts"])


class AccountRow(Schema):
    username: str
    role: Role
    is_active: bool
    last_login: datetime | None


class AccountIn(Schema):
    username: str
    role: Role


class NewAccount(AccountRow):
    """The account and, this once, its first password."""

    password: str


class NewPassword(Schema):
    password: str


class RoleChange(Schema):
    role: Role


class ActiveChange(Schema):
    active: bool


@router.get("", response=list[AccountRow], auth=admin)
def accounts(request: HttpRequest) -> list[User]:
    return list(User.objects.order_by("-is_active", "username"))


@router.post("", response={201: NewAccount}, auth=admin)
def post_account(request: HttpRequest, wanted: AccountIn) -> Status[NewAccount]:
    made, password = people.create(wanted.username, wanted.role, by=account(request))
    return Status(201, NewAccount(**AccountRow.from_orm(made).dict(), password=password))


@router.post("/{username}/role", response=AccountRow, auth=admin)
def post_role(request: HttpRequest, username: str, change: RoleChange) -> User:
    return people.change_role(username, change.role, by=account(request))


@router.post("/{username}/active", response=AccountRow, auth=admin)
def post_active(request: HttpRequest, username: str, change: ActiveChange) -> User:
    return people.set_active(username, active=change.active, by=account(request))


@router.post("/{username}/password", response=NewPassword, auth=admin)
def post_new_password(request: HttpRequest, username: str) -> NewPassword:
    return NewPassword(password=people.new_password(username, by=account(request)))
