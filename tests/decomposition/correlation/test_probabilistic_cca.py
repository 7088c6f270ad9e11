import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.decomposition import CCA, ProbabilisticCCA

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(300, 2))
X = Z @ RNG.normal(size=(2, 4)) + RNG.normal(size=(300, 4))
Y = Z @ RNG.normal(size=(2, 3)) + RNG.normal(size=(300, 3)) + 5


def test_the_directions_are_those_of_cca():
    """decomposition.11: the hidden variables are the canonical variates, scaled."""
    model, plain = ProbabilisticCCA(n_components=2).fit(X, Y), CCA(2).fit(X, Y)
    np.testing.assert_allclose(model.correlations_, plain.correlations_, rtol=1e-4)
    ours, theirs = model.transform(X), plain.transform(X)
    for j in range(2):
        assert abs(np.corrcoef(ours[:, j], theirs[:, j])[0, 1]) == pytest.approx(1, abs=1e-6)


def test_log_density_of_rows_with_gaps():
    """decomposition.11: NaN is integrated out exactly."""
    model = ProbabilisticCCA(n_components=2).fit(X, Y)
    W = np.vstack([model.x_weights_, model.y_weights_])
    C = W @ W.T
    C[:4, :4] += model.x_noise_
    C[4:, 4:] += model.y_noise_
    mean = np.concatenate([model.x_mean_, model.y_mean_])
    row, target = X[:1].copy(), Y[:1].copy()
    row[0, 1] = target[0, 2] = np.nan
    o = [0, 2, 3, 4, 5]
    expected = multivariate_normal(mean[o], C[np.ix_(o, o)]).logpdf(np.hstack([row, target])[0, o])
    assert model.score_samples(row, target)[0] == pytest.approx(expected)
    alone = multivariate_normal(mean[:4], C[:4, :4]).logpdf(X[0])
    assert model.score_samples(X[:1])[0] == pytest.approx(alone)


def test_gaps_in_both_tables_cost_little():
    full = ProbabilisticCCA(n_components=2).fit(X, Y)
    holes = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
    gaps = np.where(RNG.random(Y.shape) < 0.1, np.nan, Y)
    model = ProbabilisticCCA(n_components=2).fit(holes, gaps)
    np.testing.assert_allclose(model.correlations_, full.correlations_, atol=0.1)
    trace = model.fit_report_.trace["objective"]
    assert np.diff(trace).max() <= 1e-6 * abs(trace[0])
    assert np.isfinite(model.predict(holes)).all()
    assert model.score(X, Y) > 0.2


def test_samples_have_the_moments_of_the_model():
    model = ProbabilisticCCA(n_components=1).fit(X, Y)
    A, B = model.sample(100_000, random_state=0)
    C = model.x_weights_ @ model.y_weights_.T
    centred = (A - A.mean(0)).T @ (B - B.mean(0)) / len(A)
    np.testing.assert_allclose(centred, C, atol=0.1)


def test_bad_input():
    empty = X.copy()
    empty[:, 2] = np.nan
    with pytest.raises(ValueError, match="observed somewhere in every column"):
        ProbabilisticCCA().fit(empty, Y)
    with pytest.raises(ValueError, match="n_components must be at most 3"):
        ProbabilisticCCA(n_components=4).fit(X, Y)
    with pytest.raises(ValueError, match="y must be of length 300"):
        ProbabilisticCCA().fit(X, Y[:-1])


@pytest.mark.parametrize("gaps", [False, True])
def test_weights_are_repetitions_in_memory_and_by_blocks(gaps):
    """decomposition.11: a weight of two is the row twice, of nothing no row; NaN or not."""
    rng = np.random.default_rng(1)
    weight = rng.integers(0, 3, len(X)).astype(float)
    A = np.where(rng.random(X.shape) < 0.1, np.nan, X) if gaps else X
    B = np.where(rng.random(Y.shape) < 0.1, np.nan, Y) if gaps else Y
    rows = np.repeat(np.arange(len(X)), weight.astype(int))
    plain = ProbabilisticCCA(n_components=2).fit(A[rows], B[rows])
    heavy = ProbabilisticCCA(n_components=2).fit(A, B, sample_weight=weight)
    parts = [(A[p], B[p], weight[p]) for p in (slice(0, 7), slice(7, 200), slice(200, 300))]
    blocks = ProbabilisticCCA(n_components=2).fit_blocks(parts)
    for model in (heavy, blocks):
        np.testing.assert_allclose(model.x_weights_, plain.x_weights_, rtol=1e-6)
        np.testing.assert_allclose(model.y_noise_, plain.y_noise_, rtol=1e-6, atol=1e-9)
        assert model.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-9)
        assert model.fit_report_.objective == pytest.approx(plain.fit_report_.objective)
    with pytest.raises(ValueError, match="ProbabilisticCCA: sample_weight must be"):
        ProbabilisticCCA().fit(X, Y, sample_weight=-weight)
