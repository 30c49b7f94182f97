"""The second factor: set up, used at the login, used up, guessed at, required, and turned off."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import rate_limit
from accounts.models import ApiToken, FailedLogins, Role, Scope, User
from audit.models import AuditEntry
from lib.problems import Problem
from testing import studies
from testing.threads import at_once
from testing.web import error_code, post, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]
WRONG = "000000"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the codes, in seconds; set its one element."""
    now = [1_800_000_000.0]
    monkeypatch.setattr("django_otp.plugins.otp_totp.models.time.time", lambda: now[0])
    return now


def code_of(name: str, clock: list[float], *, later_s: int = 0) -> str:
    """What the app of this person shows."""
    device = TOTPDevice.objects.get(user__username=name)
    totp = TOTP(device.bin_key)
    totp.time = clock[0] + later_s
    return f"{totp.token():06}"


def with_second_factor(name: str, role: Role, clock: list[float]) -> tuple[Client, list[str]]:
    """A browser in which a new person has turned it on a minute ago, and the recovery codes."""
    client = signed_in(name, role)
    post(client, "/api/auth/second-factor/setup", {})
    response = post(client, "/api/auth/second-factor/confirm", {"code": code_of(name, clock)})
    clock[0] += 60
    return client, response.json()["recovery_codes"]


def enter(client: Client, name: str, code: str | None = None, *, password: str = studies.PASSWORD) -> Any:
    return post(client, "/api/auth/login", {"username": name, "password": password, "code": code})


def deeds() -> list[tuple[str, str, dict[str, Any]]]:
    return list(AuditEntry.objects.order_by("pk").values_list("actor_name", "target", "details"))


def test_it_is_on_after_a_first_code_alone(clock: list[float]) -> None:
    rita = signed_in("rita", Role.RESEARCHER)
    elsewhere = Client()
    elsewhere.login(username="rita", password=studies.PASSWORD)
    assert error_code(post(rita, "/api/auth/second-factor/confirm", {"code": WRONG})) == (409, "no_setup")
    shown = post(rita, "/api/auth/second-factor/setup", {}).json()
    assert shown["uri"].startswith(f"otpauth://totp/Eyelevel%3Arita?secret={shown['secret']}&")
    assert shown["qr_code"].startswith("data:image/svg+xml")
    assert error_code(post(rita, "/api/auth/second-factor/confirm", {"code": WRONG})) == (422, "wrong_first_code")
    assert enter(Client(), "rita").status_code == 200
    response = post(rita, "/api/auth/second-factor/confirm", {"code": code_of("rita", clock)})
    codes = response.json()["recovery_codes"]
    assert (len(set(codes)), {len(code) for code in codes}) == (10, {14})
    assert rita.get("/api/auth/second-factor").json() == {"state": "on", "recovery_codes_left": 10}
    assert elsewhere.get("/api/auth/me").status_code == 401
    assert error_code(post(rita, "/api/auth/second-factor/setup", {})) == (409, "second_factor_on")
    assert deeds() == [("rita", "rita", {"did": "second factor on"})]


def test_the_login_asks_for_a_code_that_is_good_once(clock: list[float]) -> None:
    with_second_factor("rita", Role.RESEARCHER, clock)
    browser, code = Client(), code_of("rita", clock)
    assert error_code(enter(browser, "rita")) == (401, "second_factor_needed")
    assert error_code(enter(browser, "rita", code, password="wrong")) == (401, "wrong_credentials")
    assert browser.get("/api/auth/me").status_code == 401
    assert enter(browser, "rita", f" {code[:3]} {code[3:]}").json()["second_factor"] == "on"
    assert error_code(enter(Client(), "rita", code)) == (401, "wrong_code")
    assert enter(Client(), "rita", code_of("rita", clock, later_s=30)).status_code == 200


@pytest.mark.parametrize("typed", ["", "12345", "+12345", "１２３４５６", "1_2_3_4", "x" * 300])
def test_what_is_no_code_is_wrong(clock: list[float], typed: str) -> None:
    with_second_factor("rita", Role.RESEARCHER, clock)
    assert error_code(enter(Client(), "rita", typed)) == (401, "wrong_code")


def test_a_recovery_code_is_good_once_and_recorded(clock: list[float]) -> None:
    _, codes = with_second_factor("rita", Role.RESEARCHER, clock)
    assert enter(Client(), "rita", codes[3].replace("-", " ").upper()).status_code == 200
    assert error_code(enter(Client(), "rita", codes[3])) == (401, "wrong_code")
    assert deeds()[-1] == ("rita", "rita", {"did": "recovery code used", "codes_left": 9})


def test_only_hashes_of_recovery_codes_are_kept(clock: list[float]) -> None:
    _, codes = with_second_factor("rita", Role.RESEARCHER, clock)
    hashes = set(StaticToken.objects.values_list("token", flat=True))
    assert len(hashes) == 10
    assert not hashes & {code.replace("-", "") for code in codes}


@pytest.mark.django_db(transaction=True)
def test_a_code_that_comes_many_times_at_once_is_good_once(clock: list[float]) -> None:
    _, codes = with_second_factor("rita", Role.RESEARCHER, clock)
    for code in (codes[0], code_of("rita", clock)):
        statuses = at_once(lambda _, code=code: enter(Client(), "rita", code).status_code, threads=4)  # type: ignore[misc]
        assert sorted(statuses) == [200, 401, 401, 401]


def test_wrong_codes_count_as_wrong_passwords_do(clock: list[float]) -> None:
    with_second_factor("rita", Role.RESEARCHER, clock)
    browser = Client()
    codes = [error_code(enter(browser, "rita", WRONG)) for _ in range(11)]
    assert codes == [(401, "wrong_code")] * 10 + [(429, "too_many_attempts")]
    assert enter(browser, "rita", code_of("rita", clock)).status_code == 429


def test_right_codes_do_not_count(clock: list[float]) -> None:
    _, codes = with_second_factor("rita", Role.RESEARCHER, clock)
    assert enter(Client(), "rita", codes[0]).status_code == 200
    assert not FailedLogins.objects.exists()


def test_codes_are_guessed_only_so_often_in_a_day(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "FAILED_CODES", 3)
    with_second_factor("rita", Role.RESEARCHER, clock)
    for _ in range(3):
        enter(Client(), "rita", WRONG)
    FailedLogins.objects.exclude(bucket__startswith="codes ").delete()
    refused = enter(Client(), "rita", code_of("rita", clock))
    assert (error_code(refused), "24 hours" in refused.content.decode()) == ((429, "too_many_attempts"), True)
    # the password alone is told apart still
    assert error_code(enter(Client(), "rita")) == (401, "second_factor_needed")


def test_turning_it_off_takes_password_and_code(clock: list[float]) -> None:
    rita, codes = with_second_factor("rita", Role.RESEARCHER, clock)
    proof = {"password": studies.PASSWORD, "code": codes[0]}
    path = "/api/auth/second-factor/off"
    assert error_code(post(rita, path, proof | {"password": "wrong"})) == (422, "wrong_password")
    assert error_code(post(rita, path, proof | {"code": WRONG})) == (422, "wrong_code")
    assert post(rita, path, proof).status_code == 204
    assert enter(Client(), "rita").status_code == 200
    assert error_code(post(rita, path, proof)) == (409, "second_factor_off")
    assert not StaticToken.objects.exists()
    assert deeds()[-1] == ("rita", "rita", {"did": "second factor off"})


def test_new_recovery_codes_replace_the_old_ones(clock: list[float]) -> None:
    rita, old = with_second_factor("rita", Role.RESEARCHER, clock)
    proof = {"password": studies.PASSWORD, "code": code_of("rita", clock)}
    new = post(rita, "/api/auth/second-factor/recovery-codes", proof).json()["recovery_codes"]
    assert error_code(enter(Client(), "rita", old[0])) == (401, "wrong_code")
    assert enter(Client(), "rita", new[0]).status_code == 200


def test_an_admin_turns_off_that_of_somebody_else(clock: list[float]) -> None:
    anna, _ = with_second_factor("anna", Role.ADMIN, clock)
    with_second_factor("rita", Role.RESEARCHER, clock)
    listed = {row["username"]: row["second_factor"] for row in anna.get("/api/accounts").json()}
    assert listed == {"anna": True, "rita": True}
    assert anna.delete("/api/accounts/rita/second-factor").status_code == 204
    assert enter(Client(), "rita").status_code == 200
    assert deeds()[-1] == ("anna", "rita", {"did": "second factor off"})
    assert error_code(anna.delete("/api/accounts/anna/second-factor")) == (409, "own_account")
    assert error_code(anna.delete("/api/accounts/nobody/second-factor")) == (404, "not_found")


def test_on_the_server_that_of_the_last_admin_is_turned_off(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with_second_factor("anna", Role.ADMIN, clock)
    call_command("reset_account", "anna", "--second-factor-off")
    assert "/reset#account=anna&token=" in capsys.readouterr().out
    assert enter(Client(), "anna").status_code == 200
    assert [(actor, details["did"]) for actor, _, details in deeds()[1:]] == [
        ("", "reset link"),
        ("", "second factor off"),
    ]


def test_programs_need_none(clock: list[float], settings: Any) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    token = ApiToken.issue(user=studies.user("rita", Role.RESEARCHER), name="mine", scope=Scope.STUDIES)
    program = Client(headers={"Authorization": f"Bearer {token}"})
    assert program.get("/api/research/studies").status_code == 200


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.ADMIN])
def test_where_it_is_required_nothing_else_goes_before(clock: list[float], settings: Any, role: Role) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    rita = signed_in("rita", role)
    assert rita.get("/api/auth/me").json()["second_factor"] == "needed"
    for path in ("/api/research/studies", "/api/auth/sessions", "/api/audit", "/api/auth/tokens"):
        assert error_code(rita.get(path)) == (403, "second_factor_setup")
    assert rita.get("/django-admin/").status_code == 302
    post(rita, "/api/auth/second-factor/setup", {})
    post(rita, "/api/auth/second-factor/confirm", {"code": code_of("rita", clock)})
    assert rita.get("/api/research/studies").status_code == 200
    assert rita.get("/django-admin/").status_code == (200 if role == Role.ADMIN else 302)


def test_guests_need_none(settings: Any) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    assert signed_in("gus", Role.GUEST).get("/api/research/studies").status_code == 200


@pytest.mark.parametrize("role", Role)
def test_djangos_pages_have_no_login_of_their_own(role: Role) -> None:
    User.objects.create_account("ada", studies.PASSWORD, role)
    browser = Client()
    form = {"username": "ada", "password": studies.PASSWORD}
    answer = browser.post("/django-admin/login/?next=/django-admin/audit/", form)
    assert (answer.status_code, answer["Location"]) == (302, "/login?next=%2Fdjango-admin%2Faudit%2F")
    assert browser.get("/api/auth/me").status_code == 401
    enter(browser, "ada")
    inside = browser.get("/django-admin/login/")["Location"]
    assert inside == ("/django-admin/" if role == Role.ADMIN else "/admin")
    if role == Role.ADMIN:
        assert browser.get("/django-admin/password_change/")["Location"] == "/account"


def test_a_problem_of_the_check_itself_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy() -> None:
        raise Problem(429, "busy", "m")

    with pytest.raises(Problem, match="m"):
        rate_limit.limited(rate_limit.of_codes(None, "rita"), busy)
    assert not FailedLogins.objects.exists()
