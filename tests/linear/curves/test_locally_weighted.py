"""Locally weighted regression (linear.06) and kernel regression (neighbors.05)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear import LinearRegression, LocallyWeightedRegression
from margin.linear.curves import _local_rows

KERNELS = {
    "tricube": lambda u: np.where(u < 1, (1 - np.abs(u) ** 3) ** 3, 0.0),
    "gaussian": lambda u: np.exp(-(u**2) / 2),
    "epanechnikov": lambda u: np.where(u < 1, 1 - u**2, 0.0),
}


def sample(n=60, p=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.linspace(1, 10, p)
    y = np.sin(2 * X[:, 0]) + X.sum(axis=1) / 10 + 0.1 * rng.normal(size=n)
    return X, y, rng.random(n) + 0.1


def brute(q, X, y, s, h, kernel, degree):
    """One weighted least-squares problem, by a general solver, at one query."""
    weight = s * KERNELS[kernel](np.linalg.norm(X - q, axis=1) / h)
    middle, level = np.average(X, axis=0, weights=weight), np.average(y, weights=weight)
    if degree == 0:
        return level
    root = np.sqrt(weight)
    slope = np.linalg.lstsq(root[:, None] * (X - middle), root * (y - level), rcond=1e-5)[0]
    return level + (q - middle) @ slope


@pytest.mark.parametrize("kernel", list(KERNELS))
@pytest.mark.parametrize("degree", [0, 1])
@pytest.mark.parametrize("p", [1, 3])
def test_fixed_bandwidth_is_one_least_squares_per_query(kernel, degree, p):
    """linear.06: against brute force, with weights."""
    X, y, s = sample(p=p)
    h = 12.0 if p == 3 else 0.8
    model = LocallyWeightedRegression(
        bandwidth=h, kernel=kernel, degree=degree, standardise=False
    ).fit(X, y, sample_weight=s)
    queries = X[:25] + 0.01
    wanted = [brute(q, X, y, s, h, kernel, degree) for q in queries]
    assert_allclose(model.predict(queries), wanted, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("kernel", list(KERNELS))
@pytest.mark.parametrize("degree", [0, 1])
def test_span_is_the_distance_to_a_fraction_of_the_rows(kernel, degree):
    """linear.06: thirty per cent of sixty rows is the eighteenth neighbour."""
    X, y, _ = sample()
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    model = LocallyWeightedRegression(kernel=kernel, degree=degree, span=0.3).fit(X, y)
    wanted = []
    for z in Z:
        h = np.sort(np.linalg.norm(Z - z, axis=1))[17]
        wanted.append(brute(z, Z, y, np.ones(60), h, kernel, degree))
    assert_allclose(model.predict(X), wanted, rtol=1e-5, atol=1e-6)


def test_local_planes_reproduce_a_plane_and_constants_do_not():
    """linear.06: degree one has no bias on a slope, at the border included."""
    X, _, s = sample()
    y = 3.0 - 2 * X[:, 0] + 0.5 * X[:, 1]
    far = np.array([[4.0, 30.0], [-3.0, 0.0]])
    model = LocallyWeightedRegression().fit(X, y, sample_weight=s)
    assert_allclose(model.predict(X), y, atol=1e-8)
    assert_allclose(model.predict(far), 3.0 - 2 * far[:, 0] + 0.5 * far[:, 1], atol=1e-7)
    flat = LocallyWeightedRegression(degree=0).fit(X, y, sample_weight=s)
    assert np.abs(flat.predict(X) - y).max() > 0.3


@pytest.mark.parametrize("kernel", list(KERNELS))
def test_degree_zero_is_the_weighted_mean_of_nadaraya_and_watson(kernel):
    """neighbors.05: sum of K y over sum of K, written out; never beyond the targets it averages."""
    X, y, _ = sample(n=80, p=1)
    model = LocallyWeightedRegression(bandwidth=0.5, kernel=kernel, degree=0, standardise=False)
    model.fit(X, y)
    for q in np.linspace(-1.5, 1.5, 13):
        weights = [KERNELS[kernel](abs(x - q) / 0.5) for x in X[:, 0]]
        total = sum(weights)
        mean = sum(w * t for w, t in zip(weights, y, strict=True)) / total
        (value,) = model.predict([[q]])
        assert value == pytest.approx(mean, rel=1e-9)
        near = y[np.array(weights) > 0]
        assert near.min() <= value <= near.max()


@pytest.mark.parametrize("kernel", list(KERNELS))
def test_a_huge_bandwidth_is_global(kernel):
    """linear.06: everybody equally near gives least squares, or the mean."""
    X, y, s = sample()
    plain = LinearRegression().fit(X, y, sample_weight=s)
    model = LocallyWeightedRegression(bandwidth=1e6, kernel=kernel).fit(X, y, sample_weight=s)
    assert_allclose(model.predict(X), plain.predict(X), atol=1e-8)
    mean = LocallyWeightedRegression(bandwidth=1e6, kernel=kernel, degree=0)
    mean.fit(X, y, sample_weight=s)
    assert_allclose(mean.predict(X), np.average(y, weights=s), rtol=1e-8)


def test_bends_where_least_squares_cannot():
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(0, 6, 400))[:, None]
    truth = np.sin(x[:, 0])
    y = truth + 0.2 * rng.normal(size=400)
    error = LocallyWeightedRegression(span=0.15).fit(x, y).predict(x) - truth
    assert np.sqrt(np.mean(error**2)) < 0.06
    assert np.sqrt(np.mean((LinearRegression().fit(x, y).predict(x) - truth) ** 2)) > 0.3


def lowess(x, y, span, turns):
    """Cleveland's procedure written out for one feature."""
    n, delta = len(x), np.ones(len(x))
    for _ in range(turns + 1):
        fit = np.empty(n)
        for i in range(n):
            u = np.abs(x - x[i])
            h = np.sort(u)[int(np.ceil(span * n)) - 1]
            fit[i] = brute(x[i : i + 1], x[:, None], y, delta, h, "tricube", 1)
        r = np.abs(y - fit)
        last, delta = delta, (1 - np.minimum(r / (6 * np.median(r)), 1) ** 2) ** 2
    return fit, last


def test_robust_iterations_are_lowess():
    """linear.06: outliers lose their weight, by brute force and by effect."""
    rng = np.random.default_rng(2)
    x = np.sort(rng.uniform(0, 5, 81))
    y = np.cos(x) + 0.05 * rng.normal(size=81)
    y[[10, 40, 41, 70]] += 8.0
    model = LocallyWeightedRegression(robust_iter=3, standardise=False).fit(x[:, None], y)
    fit, delta = lowess(x, y, 0.3, 3)
    assert_allclose(model.predict(x[:, None]), fit, atol=1e-6)
    assert_allclose(model.robustness_, delta, atol=1e-5)
    assert_array_equal(model.robustness_[[10, 40, 41, 70]], 0.0)
    plain = LocallyWeightedRegression().fit(x[:, None], y)
    worst = np.abs(plain.predict(x[:, None]) - np.cos(x)).max()
    assert worst > 0.5
    assert np.abs(fit - np.cos(x)).max() < 0.25
    assert model.n_iter_ == 4
    assert len(model.fit_report_.trace["objective"]) == 4


@pytest.mark.parametrize("degree", [0, 1])
def test_blocks_and_jobs_do_not_change_the_answer(degree, monkeypatch):
    X, y, s = sample(n=150)
    one = LocallyWeightedRegression(degree=degree, n_jobs=1).fit(X, y, sample_weight=s)
    whole = one.predict(X)
    monkeypatch.setattr(_local_rows, "_CHUNK", 7 * 150 * 4)
    cut = one.predict(X)
    assert_allclose(cut, whole, rtol=1e-10, atol=1e-12)
    for n_jobs in (2, 3, -1):
        many = LocallyWeightedRegression(degree=degree, n_jobs=n_jobs).fit(X, y, sample_weight=s)
        assert_array_equal(many.predict(X), cut)


@pytest.mark.parametrize("robust_iter", [0, 2])
def test_weights_are_repetitions(robust_iter):
    X, y, _ = sample()
    times = np.random.default_rng(3).integers(0, 4, size=60)
    rows = np.repeat(np.arange(60), times)
    one = LocallyWeightedRegression(robust_iter=robust_iter).fit(X, y, sample_weight=times)
    two = LocallyWeightedRegression(robust_iter=robust_iter).fit(X[rows], y[rows])
    assert_allclose(one.predict(X), two.predict(X), rtol=1e-7, atol=1e-8)
    assert len(one.robustness_) == np.count_nonzero(times)


def test_empty_neighbourhoods_ties_and_units():
    X = np.array([[0.0], [1.0], [1.0], [2.0]])
    y = np.array([0.0, 1.0, 3.0, 8.0])
    near = LocallyWeightedRegression(bandwidth=0.01, standardise=False).fit(X, y)
    assert_allclose(near.predict([[1.0], [50.0], [-3.0], [1.2]]), [2.0, 8.0, 0.0, 2.0])
    tiny = LocallyWeightedRegression(span=1e-6).fit(X, y)
    assert_allclose(tiny.predict(X), [0.0, 2.0, 2.0, 8.0])
    A, t, _ = sample()
    one = LocallyWeightedRegression().fit(A, t).predict(A)
    other = LocallyWeightedRegression().fit(A * [1e6, 1e-6], t).predict(A * [1e6, 1e-6])
    assert_allclose(other, one, rtol=1e-6, atol=1e-8)


def test_bad_parameters_are_refused():
    X, y, _ = sample()
    for bad in (
        {"span": 0.0},
        {"span": 1.5},
        {"bandwidth": -1.0},
        {"bandwidth": "wide"},
        {"kernel": "boxcar"},
        {"degree": 2},
        {"robust_iter": -1},
        {"standardise": "yes"},
    ):
        with pytest.raises(ValueError, match=f"LocallyWeightedRegression: {next(iter(bad))} must"):
            LocallyWeightedRegression(**bad).fit(X, y)


def test_law_of_a_new_target_follows_the_noise():
    """linear.06: three times the noise on the right; intervals hold what they say on both sides."""
    rng = np.random.default_rng(4)
    x = rng.uniform(-1.0, 1.0, size=(3000, 1))

    def draw(z):
        return np.sin(2 * z[:, 0]) + np.where(z[:, 0] > 0, 0.6, 0.2) * rng.normal(size=len(z))

    model = LocallyWeightedRegression(span=0.1).fit(x, draw(x))
    for side, noise in ((-0.5, 0.2), (0.5, 0.6)):
        new = side + rng.uniform(-0.3, 0.3, size=(4000, 1))
        law = model.predict_dist(new)
        assert_allclose(law.mean, model.predict(new))
        assert_allclose(np.mean(law.std), noise, rtol=0.1)
        low, high = law.interval(0.9)
        seen = draw(new)
        assert abs(np.mean((seen > low) & (seen < high)) - 0.9) < 0.025


def test_law_at_a_wide_bandwidth_is_that_of_least_squares():
    """linear.06: every row near, a plane: the variance of ordinary least squares."""
    X, y, s = sample()
    wide = LocallyWeightedRegression(bandwidth=1e7).fit(X, y, sample_weight=s)
    plain = LinearRegression().fit(X, y, sample_weight=s)
    new = X[:10] + 0.3
    law, wanted = wide.predict_dist(new), plain.predict_dist(new)
    A = np.column_stack([np.ones(60), X])
    H = A @ np.linalg.solve(A.T @ (s[:, None] * A), A.T * s)
    delta = 1 - 2 * np.diag(H) / s + (H**2) @ (1 / s)
    noise = s @ (y - H @ y) ** 2 / (s @ delta)
    usual = s @ (y - H @ y) ** 2 / wanted.df[0]
    assert_allclose(law.var / noise, wanted.scale**2 / usual, rtol=1e-6)


def test_no_law_where_fits_go_through_their_rows():
    """linear.06: nothing is left to estimate the noise by."""
    model = LocallyWeightedRegression(bandwidth=0.1, degree=0, standardise=False)
    assert hasattr(model, "predict_dist")
    x = np.arange(6.0)[:, None]
    assert not hasattr(model.fit(x, x[:, 0] ** 2), "predict_dist")
    assert hasattr(model.set_params(bandwidth=1.5).fit(x, x[:, 0] ** 2), "predict_dist")


def test_outliers_do_not_widen_the_law():
    """linear.06: rows that reweighting ignores have no part in the noise."""
    X, y, _ = sample(n=200, p=1)
    clean = LocallyWeightedRegression(robust_iter=3).fit(X, y).predict_dist(X)
    y = y.copy()
    y[::20] += 50.0
    spoilt = LocallyWeightedRegression(robust_iter=3).fit(X, y).predict_dist(X)
    assert_allclose(np.median(spoilt.std), np.median(clean.std), rtol=0.2)


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**1015])
@pytest.mark.parametrize("degree", [0, 1])
def test_the_unit_of_the_weights_does_not_matter(unit, degree):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    X[0, 0] = 1e12
    y = X[:, 1] + 0.1 * rng.normal(size=60)
    weight = rng.integers(1, 4, 60).astype(float)
    usual = LocallyWeightedRegression(degree=degree).fit(X, y, weight)
    model = LocallyWeightedRegression(degree=degree).fit(X, y, unit * weight)
    assert_array_equal(model.predict(X), usual.predict(X))


def test_rows_too_far_for_a_distance_are_refused():
    X = np.arange(6.0)[:, None]
    model = LocallyWeightedRegression(span=1.0).fit(X, X[:, 0])
    with pytest.raises(ValueError, match=r"X must be within 1e\+150 spreads of the rows"):
        model.predict([[1e300]])
    assert_allclose(model.predict([[1e100]]), 1e100)
