import numpy as np
import pytest

from margin.decomposition import johnson_lindenstrauss_min_dim
from margin.decomposition.manifold._johnson_lindenstrauss import distortion_bound


def test_the_bound():
    """decomposition.17: m >= 4 ln n / (e^2/2 - e^3/3)."""
    bound = 4 * np.log(1000) / (0.1**2 / 2 - 0.1**3 / 3)
    assert johnson_lindenstrauss_min_dim(1000, eps=0.1) == int(bound)
    many = johnson_lindenstrauss_min_dim([10, 100], eps=[0.5, 0.2])
    assert many.tolist() == [110, 1062]


@pytest.mark.parametrize(("n", "eps"), [(100, 0.1), (10, 0.9), (10**6, 0.5)])
def test_both_directions_agree(n, eps):
    exact = 4 * np.log(n) / (eps**2 / 2 - eps**3 / 3)
    assert distortion_bound(n, np.ceil(exact)) <= eps
    worse = distortion_bound(n, np.floor(exact) - 1)
    assert worse is None or worse > eps
    assert distortion_bound(1, 3) == 0.0


def test_bad_input():
    with pytest.raises(ValueError, match="eps must be above 0 and below 1, got"):
        johnson_lindenstrauss_min_dim(10, eps=1.5)
    with pytest.raises(ValueError, match="n_samples must be at least 1, got 0"):
        johnson_lindenstrauss_min_dim(0)
    with pytest.raises(ValueError, match="eps must be one number"):
        johnson_lindenstrauss_min_dim([10, 20], eps=[0.1, 0.2, 0.3])
