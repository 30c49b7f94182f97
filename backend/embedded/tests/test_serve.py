"""Who lets other machines reach the platform without encryption is warned."""

import pytest
from click.testing import CliRunner

from embedded import serve
from embedded.processes import ServerError
from embedded.serve import exposure

PUBLIC = {"EYELEVEL_ALLOWED_HOSTS": "localhost,study.example.org"}
BEHIND_TLS = PUBLIC | {"EYELEVEL_TRUSTED_PROXY": "1"}


@pytest.mark.parametrize("env", [{}, PUBLIC, BEHIND_TLS])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_loopback_needs_no_warning(host: str, env: dict[str, str]) -> None:
    assert exposure(host, env) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])  # noqa: S104 - what the warning is about
def test_a_public_name_behind_a_proxy_with_tls_needs_none(host: str) -> None:
    assert exposure(host, BEHIND_TLS) is None


@pytest.mark.parametrize(
    "env",
    [
        PUBLIC,
        PUBLIC | {"EYELEVEL_TRUSTED_PROXY": "0"},
        # settings for loopback: cookies go over http as well
        {"EYELEVEL_ALLOWED_HOSTS": "localhost, [::1]", "EYELEVEL_TRUSTED_PROXY": "1"},
    ],
)
def test_the_command_warns_before_anything_starts(monkeypatch: pytest.MonkeyPatch, env: dict[str, str]) -> None:
    def stop(_: str) -> None:
        raise ServerError("That is enough.")

    monkeypatch.setattr(serve, "unprivileged_user", stop)
    monkeypatch.delenv("EYELEVEL_TRUSTED_PROXY", raising=False)
    done = CliRunner().invoke(serve.serve, ["--host", "0.0.0.0"], env=env)  # noqa: S104
    assert done.exit_code == 1
    assert done.stderr.startswith(
        "Warning: with --host 0.0.0.0, other machines can reach the platform without encryption. "
    )


def test_without_names_to_answer_under_the_command_stops() -> None:
    done = CliRunner().invoke(serve.serve, ["--host", "0.0.0.0"], env={"EYELEVEL_ALLOWED_HOSTS": None})  # noqa: S104
    assert "set EYELEVEL_ALLOWED_HOSTS to its host names" in str(done.exception or done.output)
