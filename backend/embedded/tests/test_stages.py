"""Commands that serve a platform for themselves use its address on loopback."""

from embedded.stages import on_loopback


def test_variables_of_a_public_platform_are_ignored() -> None:
    public = {
        "EYELEVEL_ALLOWED_HOSTS": "study.example.org",
        "EYELEVEL_PUBLIC_URL": "https://study.example.org",
        "EYELEVEL_REQUIRE_SECOND_FACTOR": "1",
        "EYELEVEL_SECURE_COOKIES": "1",
        "EYELEVEL_TRUSTED_PROXY": "1",
    }
    assert on_loopback({**public, "PATH": "/usr/bin"}) == {"PATH": "/usr/bin"}
