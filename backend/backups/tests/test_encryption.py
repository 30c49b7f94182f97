"""Backups are encrypted for a public key or with a passphrase, and a wrong key is named as such."""

import io
import os
from contextlib import nullcontext
from types import SimpleNamespace

import pyrage
import pytest
from django.core.management import call_command

from backups.encryption import ARMOR_END, PASSPHRASE_LINE, Key, Lock, decrypted, encrypted
from backups.errors import BackupError, BadInputError
from backups.management.commands import backup

PASSPHRASE = "correct horse battery staple"
# more than a pipe holds, and than a chunk of age
DATA = os.urandom(300_000)


def sealed(lock: Lock, data: bytes = DATA) -> bytes:
    out = io.BytesIO()
    with encrypted(out, lock) as plain:
        plain.write(data)
    return out.getvalue()


def opened(data: bytes, key: Key) -> bytes:
    """All of it, as a restore reads it, which fails where it ends too early."""
    with decrypted(io.BytesIO(data), key) as plain:
        found = b"".join(iter(lambda: plain.read(1 << 16), b""))
        if found != DATA:
            raise BackupError("It ends in the middle.")
        return found


def test_without_a_lock_nothing_is_encrypted() -> None:
    assert sealed(Lock()) == DATA
    assert opened(DATA, Key()) == DATA


def test_a_passphrase_opens_what_it_closed() -> None:
    data = sealed(Lock(passphrase=PASSPHRASE))
    assert DATA[:100] not in data
    assert opened(data, Key(passphrase=PASSPHRASE)) == DATA


def test_a_private_key_opens_what_its_public_key_closed() -> None:
    pair = pyrage.x25519.Identity.generate()
    data = sealed(Lock(recipient=str(pair.to_public())))
    assert opened(data, Key(identity=f"# created: today\n{pair}\n")) == DATA


def test_other_programs_can_open_it_by_hand() -> None:
    data = sealed(Lock(passphrase=PASSPHRASE))
    armored, _, rest = data.removeprefix(PASSPHRASE_LINE).partition(ARMOR_END)
    key = pyrage.passphrase.decrypt(armored + ARMOR_END, PASSPHRASE).decode()
    assert pyrage.decrypt(rest, [pyrage.x25519.Identity.from_str(key)]) == DATA


@pytest.mark.parametrize(
    ("lock", "key", "sentence"),
    [
        (
            Lock(passphrase=PASSPHRASE),
            Key(passphrase="wrong"),
            "the key or passphrase is not the one that it was made with",
        ),
        (Lock(passphrase=PASSPHRASE), Key(), "is encrypted with a passphrase; pass it with --passphrase-file"),
        (Lock(recipient="own"), Key(), "is encrypted for a public key; pass the file of its private key"),
        (Lock(recipient="own"), Key(identity="other"), "the key or passphrase is not the one that it was made with"),
        (Lock(recipient="own"), Key(identity="AGE-SECRET-KEY-1TORN"), "has no valid private key of age"),
        (Lock(recipient="own"), Key(identity="hello"), "has no valid private key of age"),
    ],
)
def test_a_wrong_key_is_named(lock: Lock, key: Key, sentence: str) -> None:
    if lock.recipient:
        lock = Lock(recipient=str(pyrage.x25519.Identity.generate().to_public()))
    if key.identity == "other":
        key = Key(identity=str(pyrage.x25519.Identity.generate()))
    with pytest.raises(BadInputError, match=sentence):
        opened(sealed(lock), key)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
def test_what_was_cut_off_is_no_wrong_key(share: float) -> None:
    data = sealed(Lock(passphrase=PASSPHRASE))
    cut = data[: int(len(data) * share)]
    with pytest.raises(BackupError, match=r"cut off or damaged|ends in the middle"):
        opened(cut, Key(passphrase=PASSPHRASE))


@pytest.mark.parametrize("text", ["hello", ""])
def test_a_public_key_that_is_none_is_named(text: str) -> None:
    with pytest.raises(BadInputError, match=f"^'{text}' is not a public key of age; generate a key pair"):
        sealed(Lock(recipient=text))


def test_an_error_of_the_writer_is_raised() -> None:
    def fail() -> None:
        with encrypted(io.BytesIO(), Lock(passphrase=PASSPHRASE)) as plain:
            plain.write(DATA)
            raise BackupError("no room")

    with pytest.raises(BackupError, match="no room"):
        fail()


@pytest.mark.parametrize(("passphrase", "is_said"), [("", True), ("a passphrase", False)])
def test_a_backup_that_is_not_encrypted_is_said_to_be(
    passphrase: str, is_said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EYELEVEL_BACKUP_PASSPHRASE", passphrase)
    header = SimpleNamespace(studies=[], votes=0, created_at="now")
    monkeypatch.setattr(backup, "make_backup", lambda _out, tell: header)
    monkeypatch.setattr(backup, "noted", lambda _kind: nullcontext(SimpleNamespace()))
    monkeypatch.setattr(backup, "destination", lambda _place: nullcontext(io.BytesIO()))
    said = io.StringIO()
    call_command("backup", "-", stderr=said)
    assert ("The backup is not encrypted." in said.getvalue()) is is_said
