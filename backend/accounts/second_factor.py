"""The second factor of an account: codes of an authenticator app (TOTP, RFC 6238), and recovery codes.

Recovery codes have 60 random bits and are stored as hashes. Each code works once.
"""

import re
import secrets
from base64 import b32encode
from enum import StrEnum

import segno
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import sessions
from accounts.models import Role, User, digest_of
from accounts.rate_limit import limited, of_codes
from audit.log import record
from audit.models import What
from lib.problems import Problem

RECOVERY_CODES = 10
RECOVERY_LETTERS = 12
APP_CODE = re.compile(r"[0-9]{6}")
# hexadecimal digits that are stored of a hash: 64 bits, the length of a static token
STORED_LETTERS = 16
# codes have neither 0 nor 1
MISREAD = str.maketrans("01", "ol")


class State(StrEnum):
    ON = "on"
    OFF = "off"
    # off, and the platform permits this account nothing before it is on
    NEEDED = "needed"


def is_on(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def is_needed(user: User) -> bool:
    """Whether the account can do nothing before it has a second factor."""
    return bool(settings.REQUIRE_SECOND_FACTOR) and user.role != Role.GUEST and not is_on(user)


def state(user: User) -> State:
    if is_on(user):
        return State.ON
    return State.NEEDED if is_needed(user) else State.OFF


def with_state(users: QuerySet[User]) -> QuerySet[User]:
    """Adds `second_factor` to accounts: whether it is on."""
    return users.annotate(second_factor=Exists(TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)))


def codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def begin(user: User) -> TOTPDevice:
    """Create a new secret, which `confirm` activates; raises Problem 409 `second_factor_on`."""
    with transaction.atomic():
        _lock(user)
        if is_on(user):
            message = "The second factor is already on; turn it off before you set it up on another device."
            raise Problem(409, "second_factor_on", message)
        TOTPDevice.objects.filter(user=user).delete()
        return TOTPDevice.objects.create(user=user, name="authenticator app", confirmed=False)


def secret_of(device: TOTPDevice) -> str:
    return b32encode(device.bin_key).decode()


def qr_code_of(device: TOTPDevice) -> str:
    """The app's URI as a QR code, in a data URI."""
    return str(segno.make(device.config_url, error="m").svg_data_uri(scale=5, border=4, light="#fff"))


def confirm(request: HttpRequest, user: User, code: str) -> list[str]:
    """Turn it on by a first code, and end all other sign-ins; returns recovery codes. Raises Problem 409 or 422."""
    with transaction.atomic():
        _lock(user)
        device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
        if device is None:
            raise Problem(409, "no_setup", "The setup of a second factor has not been started; start it first.")
        typed = _plain(code)
        if not APP_CODE.fullmatch(typed) or not device.verify_token(typed):
            message = "The code is wrong; check the clock of your device, and enter the code that the app shows now."
            raise Problem(422, "wrong_first_code", message, details={"field": "code"})
        device.confirmed = True
        device.save()
        codes = _new_codes(user)
        sessions.end_all(user, but=request.session.session_key)
        record(user, What.ACCOUNT, user, {"did": "second factor on"})
    return codes


def renew_codes(user: User) -> list[str]:
    """Replace the recovery codes, and return the new ones."""
    with transaction.atomic():
        _lock(user)
        codes = _new_codes(user)
        record(user, What.ACCOUNT, user, {"did": "recovery codes"})
    return codes


def turn_off(user: User, *, by: User | None) -> None:
    """Delete the second factor and its recovery codes; changes nothing if it is off."""
    with transaction.atomic():
        _lock(user)
        was_on = is_on(user)
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()
        if was_on:
            record(by, What.ACCOUNT, user, {"did": "second factor off"})


def passes(request: HttpRequest, user: User, code: str) -> bool:
    """Check a code of the app or a recovery code, each of which works once; raises Problem 429 `too_many_attempts`."""
    return limited(of_codes(request, user.username), lambda: _use(user, code) or None) is not None


def demand(request: HttpRequest, user: User, code: str) -> None:
    """Raise Problem 409 if it is off, 422 if the code is wrong (`wrong_code`), or 429."""
    if not is_on(user):
        raise Problem(409, "second_factor_off", "The second factor is off; reload the page.")
    if not passes(request, user, code):
        raise wrong_code(422)


def wrong_code(status: int) -> Problem:
    message = "The code is wrong or was used before; wait for the next one in your app, or use a recovery code."
    return Problem(status, "wrong_code", message, details={"field": "code"})


def _use(user: User, code: str) -> bool:
    typed = _plain(code)
    with transaction.atomic():
        _lock(user)
        if APP_CODE.fullmatch(typed):
            app = TOTPDevice.objects.filter(user=user, confirmed=True).first()
            return app is not None and bool(app.verify_token(typed))
        device = StaticDevice.objects.filter(user=user).first()
        if device is None or not device.verify_token(_stored(typed)):
            return False
        record(user, What.ACCOUNT, user, {"did": "recovery code used", "codes_left": codes_left(user)})
        return True


def _new_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [b32encode(secrets.token_bytes(8)).decode().lower()[:RECOVERY_LETTERS] for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_stored(_plain(code))) for code in codes)
    return ["-".join(re.findall("....", code)) for code in codes]


def _plain(code: str) -> str:
    typed = "".join(code.split()).replace("-", "").lower()
    return typed if APP_CODE.fullmatch(typed) else typed.translate(MISREAD)


def _stored(code: str) -> str:
    return digest_of(code)[:STORED_LETTERS]


def _lock(user: User) -> None:
    User.objects.select_for_update().get(pk=user.pk)
