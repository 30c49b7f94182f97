"""What Hypothesis draws is the same in every run, however busy the machine is."""

from hypothesis import HealthCheck, settings


def settle_hypothesis() -> None:
    """Else one draw in a thousand, or a machine that stalls, would fail a change that has nothing to do with it."""
    settings.register_profile("eyelevel", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("eyelevel")
