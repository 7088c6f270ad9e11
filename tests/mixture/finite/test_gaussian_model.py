"""What both Gaussian mixtures answer."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.mixture import BayesianGaussianMixture, GaussianMixture

X = np.concatenate([np.random.default_rng(k).normal(5 * k, 1, (40, 2)) for k in range(2)])


@pytest.mark.parametrize("cls", [GaussianMixture, BayesianGaussianMixture])
@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_answers_fit_together(cls, kind):
    model = cls(n_components=2, covariance_type=kind, random_state=0)
    labels = model.fit_predict(X)
    share = model.predict_proba(X)
    assert_array_equal(labels, share.argmax(axis=1))
    assert_allclose(share.sum(axis=1), 1)
    assert_allclose(model.score(X), model.score_samples(X).mean())
    gaps = X.copy()
    gaps[::3, 0] = np.nan
    filled = model.impute(gaps)
    assert_array_equal(filled[~np.isnan(gaps)], gaps[~np.isnan(gaps)])
    # What is filled in is nearer to the truth than the mean of all.
    assert np.abs(filled - X)[::3, 0].mean() < np.abs(X[::3, 0] - X[:, 0].mean()).mean() / 1.5
    rows, which = model.sample(7)
    assert rows.shape == (7, 2)
    assert len(which) == 7


@pytest.mark.parametrize("cls", [GaussianMixture, BayesianGaussianMixture])
def test_warm_starts_go_on(cls):
    model = cls(n_components=2, warm_start=True, random_state=0, tol=1e-9, max_iter=500).fit(X)
    again = model.fit(X).n_iter_
    assert again == 1
    assert model.set_params(n_components=3).fit(X).means_.shape == (3, 2)


def test_verbose_prints(capsys):
    GaussianMixture(2, verbose=1, verbose_interval=1, random_state=0).fit(X)
    assert "GaussianMixture: iteration 1, bound" in capsys.readouterr().out


def test_rows_far_out_have_shares_all_the_same():
    model = GaussianMixture(2, random_state=0).fit(X)
    share = model.predict_proba([[1e200, 0.0]])
    assert_allclose(share.sum(), 1)
    assert model.score_samples([[1e200, 0.0]])[0] == -np.inf
