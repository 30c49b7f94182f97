from studies.models import SLUG_ALPHABET, new_slug


def test_a_slug_can_be_read_aloud_and_copied_by_hand() -> None:
    slugs = {new_slug() for _ in range(1000)}
    assert len(slugs) == 1000
    assert {len(slug) for slug in slugs} == {10}
    assert set("".join(slugs)) == set(SLUG_ALPHABET)
    assert not set(SLUG_ALPHABET) & set("-_0o1il")
