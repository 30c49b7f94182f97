"""Fisher's exact test of two shares, such as void attempts or censored runs of two stacks."""

from dataclasses import dataclass

from scipy import stats


@dataclass(frozen=True)
class CountTest:
    """Two shares, and the two-sided p of Fisher's exact test that they are one; None where an arm has no trial."""

    share_new: float | None
    share_reference: float | None
    p_value: float | None


def compare_shares(hits_new: int, of_new: int, hits_reference: int, of_reference: int) -> CountTest:
    """R. A. Fisher's exact test (J. R. Statist. Soc. 85, 1922) of a two by two table."""
    if not (0 <= hits_new <= of_new and 0 <= hits_reference <= of_reference):
        raise ValueError("A count lies between 0 and its trials.")
    if not of_new or not of_reference:
        return CountTest(_share(hits_new, of_new), _share(hits_reference, of_reference), None)
    table = [[hits_new, of_new - hits_new], [hits_reference, of_reference - hits_reference]]
    return CountTest(hits_new / of_new, hits_reference / of_reference, float(stats.fisher_exact(table).pvalue))


def _share(hits: int, of: int) -> float | None:
    return hits / of if of else None
