import numpy as np
import pytest

from margin.datasets import make_unfaithful_sem


def partial(matrix):
    """Correlation of the first and last variable given the rest, from the precision matrix."""
    precision = np.linalg.inv(matrix)
    return -precision[0, 2] / np.sqrt(precision[0, 0] * precision[2, 2])


def test_paths_cancel_exactly():
    """datasets.09: ab + c = 0 makes X and Y uncorrelated but not given Z."""
    sem = make_unfaithful_sem(a=1.3, b=-0.7, scales=(2.0, 0.5, 1.5))
    assert sem.coefficients[2, 0] == pytest.approx(1.3 * 0.7)
    assert sem.covariance[0, 2] == pytest.approx(0, abs=1e-15)
    assert sem.partial_correlation == pytest.approx(partial(sem.covariance))
    assert abs(sem.partial_correlation) > 0.1
    assert not sem.faithful
    assert set(sem.edges) == {("X", "Z"), ("Z", "Y"), ("X", "Y")}


def test_covariance_by_substitution():
    """datasets.09: moments written out by hand from the structural equations."""
    a, b, c = 0.5, 2.0, 0.25
    sx, sz, sy = 1.5, 0.5, 1.0
    sem = make_unfaithful_sem(a=a, b=b, c=c, scales=(sx, sz, sy))
    total = a * b + c
    expected = [
        [sx**2, a * sx**2, total * sx**2],
        [a * sx**2, a**2 * sx**2 + sz**2, a * total * sx**2 + b * sz**2],
        [total * sx**2, a * total * sx**2 + b * sz**2, total**2 * sx**2 + b**2 * sz**2 + sy**2],
    ]
    assert sem.covariance == pytest.approx(np.array(expected))
    assert sem.total_effect == total
    assert sem.faithful


def test_sample_follows_the_law():
    """datasets.09: empirical moments and the failure that a structure search would make."""
    n = 100_000
    sem = make_unfaithful_sem(n, random_state=3)
    found = np.cov(sem.data, rowvar=False)
    assert found == pytest.approx(sem.covariance, abs=8 * sem.covariance.max() / np.sqrt(n))
    assert abs(np.corrcoef(sem.data[:, 0], sem.data[:, 2])[0, 1]) < 5 / np.sqrt(n)
    assert partial(found) == pytest.approx(sem.partial_correlation, abs=5 / np.sqrt(n))


def test_without_the_mediator_it_is_faithful_and_bad_input_is_refused():
    """datasets.09: with a = 0 nothing has to cancel."""
    sem = make_unfaithful_sem(a=0.0, c=0.0)
    assert sem.edges == [("Z", "Y")]
    assert sem.faithful
    with pytest.raises(ValueError, match="scales must be a number in"):
        make_unfaithful_sem(scales=(1.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="a must be a number"):
        make_unfaithful_sem(a=np.nan)
