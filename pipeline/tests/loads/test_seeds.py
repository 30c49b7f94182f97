"""Test vectors of the seeds: who rewrites the derivation draws other losses, and must say so."""

import pytest

from eyelevel.loads.seeds import calibration_seed, first_visit_seed, loss_seed, page_seed, seed_of

RECORDING, NETWORK = "ab" * 32, "cd" * 32


def test_a_seed_is_the_first_63_bits_of_a_sha256_over_canonical_json() -> None:
    first_64_bits = 0x1EFB30ABADD56065  # printf '[1,"DSL"]' | sha256sum
    assert seed_of(1, "DSL") == first_64_bits // 2


# printf '["loss",2019,"abab...","cdcd...","QUIC",1]' | sha256sum, the first 16 digits, halved
@pytest.mark.parametrize(
    ("stack", "number", "cache", "first_64_bits"),
    [
        ("QUIC", 1, "cold", 0x41B66B7AB547C879),
        ("TCP+", 1, "cold", 0x30D7C8F1C3748514),
        (None, 1, "cold", 0x6A3C5BBA1364B9B0),
        ("QUIC", 31, "http", 0xAB97A55A14B28FCD),
    ],
)
def test_vectors(stack: str | None, number: int, cache: str, first_64_bits: int) -> None:
    assert loss_seed(2019, RECORDING, NETWORK, stack, number, cache=cache) == first_64_bits // 2


def test_every_part_counts() -> None:
    parts = [
        (2019, RECORDING, NETWORK, "QUIC", 1),
        (2020, RECORDING, NETWORK, "QUIC", 1),
        (2019, NETWORK, NETWORK, "QUIC", 1),
        (2019, RECORDING, RECORDING, "QUIC", 1),
        (2019, RECORDING, NETWORK, "TCP", 1),
        (2019, RECORDING, NETWORK, None, 1),
        (2019, RECORDING, NETWORK, "QUIC", 2),
    ]
    assert len({loss_seed(*part) for part in parts}) == len(parts)


def test_the_page_knows_nothing_of_network_stack_or_run() -> None:
    assert page_seed(7, RECORDING) == seed_of("page", 7, RECORDING)


def test_a_first_visit_draws_by_the_seed_of_its_run_and_not_as_the_filmed_visit() -> None:
    first_64_bits = 0xC63F0333F180D17D  # printf '["first visit",2019]' | sha256sum
    assert first_visit_seed(2019) == first_64_bits // 2


def test_a_calibration_draws_as_the_campaign_says_and_as_none_of_its_runs() -> None:
    first_64_bits = 0x56BC84B02281D8A0  # printf '["calibration",2019]' | sha256sum
    assert calibration_seed(2019) == first_64_bits // 2
