import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.decomposition import SparseCoder

D = np.random.default_rng(0).normal(size=(7, 5))
X = np.random.default_rng(1).normal(size=(9, 5))


def test_split_signs_decode_to_the_same_rows():
    plain = SparseCoder(D, transform_algorithm="lasso_lars", transform_alpha=0.1)
    split = SparseCoder(D, transform_algorithm="lasso_lars", transform_alpha=0.1, split_sign=True)
    codes = split.transform(X)
    assert codes.shape == (9, 14)
    assert codes.min() >= 0
    np.testing.assert_allclose(
        split.inverse_transform(codes), plain.inverse_transform(plain.transform(X))
    )
    with pytest.raises(ValueError, match="X must be of 14 columns"):
        split.inverse_transform(codes[:, :7])


def test_bad_coding_and_short_paths():
    with pytest.raises(ValueError, match="Positive constraint not supported for 'omp'"):
        SparseCoder(D, positive_code=True).transform(X)
    with pytest.raises(ValueError, match="transform_algorithm must be one of"):
        SparseCoder(D, transform_algorithm="guess").transform(X)
    short = SparseCoder(
        D, transform_algorithm="lasso_cd", transform_alpha=1e-6, transform_max_iter=1
    )
    with pytest.warns(ConvergenceWarning, match="raise transform_max_iter"):
        short.transform(X)
