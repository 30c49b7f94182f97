"""Accounts: create, change role, close, reopen, change password; every change is recorded in the audit log."""

from django.contrib.auth import authenticate
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts import sessions
from accounts.models import Role, User
from audit.log import record
from audit.models import What
from lib.problems import Problem, not_found


def create(username: str, role: Role, *, by: User | None) -> User:
    """Create an account, whose password a one-time link sets; raises Problem 409 `name_taken` or 422."""
    try:
        UnicodeUsernameValidator()(username)
    except ValidationError:
        message = f"The name {username!r} is invalid; use only letters, digits and @ . + - _."
        raise Problem(422, "invalid", message, details={"field": "username"}) from None
    try:
        with transaction.atomic():
            user = User.objects.create_account(username, None, role)
            record(by, What.ACCOUNT, user, {"did": "made", "role": role.value})
    except IntegrityError:
        raise Problem(409, "name_taken", f"An account {username} already exists; choose another name.") from None
    return user


def change_role(username: str, role: Role, *, by: User) -> User:
    """Give the account another role, with immediate effect; raises Problem 404, or 409 `last_admin`."""
    with transaction.atomic():
        user = _locked(username)
        if user.role == role:
            return user
        _keep_an_admin(user)
        before, user.role = user.role, role
        user.save()
        record(by, What.ROLE, user, {"from": before, "to": role.value})
    return user


def set_active(username: str, *, active: bool, by: User) -> User:
    """Close the account, with its sessions and tokens, or reopen it; raises Problem 404, or 409 `last_admin`."""
    with transaction.atomic():
        user = _locked(username)
        if user.is_active == active:
            return user
        if not active:
            _keep_an_admin(user)
        user.is_active = active
        user.save()
        if not active:
            # otherwise they would work again once the account is reopened
            sessions.end_all(user)
        record(by, What.ACCOUNT, user, {"did": "opened" if active else "closed"})
    return user


def change_own_password(request: HttpRequest, user: User, *, current: str, new: str) -> None:
    """Change the password, and end all other sign-ins; raises Problem 422 with the field."""
    demand_password(request, user, current, field="current")
    demand_strength(new, user)
    user.set_password(new)
    with transaction.atomic():
        user.save()
        sessions.end_all(user, but=request.session.session_key)
        record(user, What.ACCOUNT, user, {"did": "own password"})


def demand_password(request: HttpRequest, user: User, password: str, *, field: str) -> None:
    """Raise Problem 422 `wrong_password` unless the password is right; the limits of sign-ins apply."""
    if authenticate(request, username=user.username, password=password) is None:
        raise Problem(422, "wrong_password", "The password is wrong; type it again.", details={"field": field})


def demand_strength(new: str, user: User) -> None:
    """Raise Problem 422 `weak_password` if the password is weak."""
    try:
        validate_password(new, user)
    except ValidationError as error:
        raise Problem(422, "weak_password", " ".join(error.messages), details={"field": "new"}) from None


def end_sessions(username: str, *, by: User, but: str | None) -> None:
    """End the account's sign-ins, except for the session with the key `but`; raises Problem 404."""
    with transaction.atomic():
        user = _locked(username)
        ended = sessions.end_all(user, but=but)
        record(by, What.ACCOUNT, user, {"did": "logged out", "logins": ended})


def other(username: str, *, by: User | None) -> User:
    """The account, which must not be the caller's own; raises Problem 404, or 409 `own_account`."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise not_found(f"account {username}")
    if by is not None and user.pk == by.pk:
        message = "This is your own account; change it on the Account page, with your password."
        raise Problem(409, "own_account", message)
    return user


def _locked(username: str) -> User:
    # locks all admins too, always in the same order, so that two admins cannot remove each other at the same time
    admins = list(User.objects.select_for_update().filter(role=Role.ADMIN).order_by("pk"))
    account = next((user for user in admins if user.username == username), None)
    account = account or User.objects.select_for_update().filter(username=username).first()
    if account is None:
        raise not_found(f"account {username}")
    return account


def _keep_an_admin(user: User) -> None:
    """Raise Problem 409 if nobody could manage accounts without this user; call it inside the lock."""
    if user.role != Role.ADMIN or not user.is_active:
        return
    if not User.objects.filter(role=Role.ADMIN, is_active=True).exclude(pk=user.pk).exists():
        raise Problem(409, "last_admin", f"{user.username} is the last admin; make another account an admin first.")
