import numpy as np
import pytest

from margin.decomposition import MatrixCompletion

RNG = np.random.default_rng(0)
TRUE = RNG.normal(size=(60, 2)) @ RNG.normal(size=(2, 20))
HOLES = np.where(RNG.random(TRUE.shape) < 0.3, np.nan, TRUE)


@pytest.mark.parametrize("method", ["soft-impute", "als"])
def test_gaps_of_a_matrix_of_low_rank(method):
    """decomposition.15: entries that nobody saw are found."""
    model = MatrixCompletion(
        method=method, alpha=0.01, centre=False, random_state=0, tol=1e-8, max_iter=20_000
    ).fit(HOLES)
    assert np.abs(model.completed_ - TRUE).max() < 0.2
    known = ~np.isnan(HOLES)
    np.testing.assert_array_equal(model.completed_[known], TRUE[known])
    assert model.fit_report_.certificate.holds


def test_coordinates_of_rows_give_them_back():
    model = MatrixCompletion(alpha=0.05, centre=False, tol=1e-9, max_iter=20_000).fit(HOLES)
    back = model.inverse_transform(model.transform(HOLES))
    np.testing.assert_allclose(back[np.isnan(HOLES)], model.completed_[np.isnan(HOLES)], atol=0.05)
    new = TRUE[:3].copy()
    new[:, ::2] = np.nan
    assert np.abs(model.inverse_transform(model.transform(new)) - TRUE[:3]).max() < 0.2


def test_rank_is_bounded_and_precision_kept():
    assert MatrixCompletion(n_components=1, tol=1e-3).fit(HOLES).rank_ == 1
    single = MatrixCompletion().fit(HOLES.astype(np.float32))
    assert single.completed_.dtype == np.float32
    strong = MatrixCompletion(alpha=1e6).fit(HOLES)
    assert strong.rank_ == 0
    np.testing.assert_allclose(strong.inverse_transform(strong.transform(HOLES))[0], strong.mean_)


def test_bad_input():
    empty = HOLES.copy()
    empty[4] = np.nan
    with pytest.raises(ValueError, match="X must be observed somewhere in every row"):
        MatrixCompletion().fit(empty)
    with pytest.raises(ValueError, match="n_components must be at most 20"):
        MatrixCompletion(n_components=21).fit(HOLES)
    with pytest.raises(ValueError, match="alpha must be a number above 0, got 0"):
        MatrixCompletion(alpha=0).fit(HOLES)
