"""Standard errors and tests of logistic regression (linear.32, linear.35)."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import chi2

from margin.linear import LogisticRegression

INF = float("inf")


def table_rows(counts):
    """Rows of a feature 0 or 1 and a class, as often as a table of counts says."""
    counts = np.asarray(counts)
    x, y = np.indices(counts.shape)
    return np.repeat(x.ravel(), counts.ravel())[:, None], np.repeat(y.ravel(), counts.ravel())


def sample(n_classes, n=200, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    return X, scores.argmax(axis=1), rng.uniform(0.5, 2.0, n)


def test_saturated_table_in_closed_form():
    """linear.32: the log odds ratio has the variance 1/a + 1/b + 1/c + 1/d."""
    (a, b), (c, d) = counts = [[30, 12], [9, 25]]
    X, y = table_rows(counts)
    summary = LogisticRegression(C=INF, tol=1e-10).fit(X, y).summary(X, y)
    np.testing.assert_allclose(summary.coef, [np.log(b / a), np.log(a * d / (b * c))], rtol=1e-6)
    wanted = np.sqrt([1 / a + 1 / b, 1 / a + 1 / b + 1 / c + 1 / d])
    np.testing.assert_allclose(summary.std_error, wanted, rtol=1e-6)
    null = sum(k * np.log(k / 76) for k in (a + c, b + d))
    full = sum(k * np.log(k / row) for row, k in zip((42, 42, 34, 34), (a, b, c, d), strict=True))
    assert summary.log_likelihood == pytest.approx(full)
    assert summary.null_log_likelihood == pytest.approx(null)
    assert summary.pseudo_r2 == pytest.approx(1 - full / null)
    assert summary.lr_value == pytest.approx(2 * (full - null))
    assert summary.lr_p_value == pytest.approx(chi2.sf(2 * (full - null), 1))
    assert summary.aic == pytest.approx(4 - 2 * full)
    assert summary.bic == pytest.approx(2 * np.log(76) - 2 * full)
    assert summary.dof == pytest.approx(2)


def test_several_classes_against_the_first_in_closed_form():
    """linear.35: log odds ratios of every class against the first."""
    counts = np.array([[20, 12, 30], [9, 25, 11]])
    X, y = table_rows(counts)
    labels = np.array(["a", "b", "c"])[y]
    summary = LogisticRegression(C=INF, tol=1e-10).fit(X, labels).summary(X, labels)
    assert summary.names == ("b: intercept", "b: x0", "c: intercept", "c: x0")
    for k in (1, 2):
        (a, b), (c, d) = counts[:, [0, k]]
        ours = slice(2 * k - 2, 2 * k)
        ratio = [np.log(b / a), np.log(a * d / (b * c))]
        np.testing.assert_allclose(summary.coef[ours], ratio, rtol=1e-5)
        wanted = np.sqrt([1 / a + 1 / b, 1 / a + 1 / b + 1 / c + 1 / d])
        np.testing.assert_allclose(summary.std_error[ours], wanted, rtol=1e-5)
    assert summary.dof == pytest.approx(4)
    assert summary.lr_p_value == pytest.approx(chi2.sf(summary.lr_value, 2))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [INF, 0.5])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_covariance_is_that_of_the_numerical_hessian(n_classes, C, fit_intercept):
    """linear.32, linear.35: M F M with both matrices by differences of the likelihood."""
    X, y, weight = sample(n_classes)
    model = LogisticRegression(C=C, fit_intercept=fit_intercept, tol=1e-10).fit(X, y, weight)
    summary = model.summary(X, y, weight)
    A = np.column_stack([np.ones(len(X)), X]) if fit_intercept else X
    beta = np.column_stack([model.intercept_, model.coef_]) if fit_intercept else model.coef_
    k, d = beta.shape

    def value(theta):
        scores = A @ theta.reshape(k, d).T
        scores = np.column_stack([np.zeros(len(A)), scores]) if k == 1 else scores
        return weight @ (np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(len(y)), y])

    size, h = beta.size, 1e-4
    steps, at = h * np.eye(size), beta.ravel().astype(float)
    F = np.array(
        [
            [
                value(at + a + b) - value(at + a - b) - value(at - a + b) + value(at - a - b)
                for b in steps
            ]
            for a in steps
        ]
    ) / (4 * h * h)
    penalty = np.tile(np.append([0.0] * fit_intercept, np.full(3, 0 if C == INF else 1 / C)), k)
    M = np.linalg.pinv(F + np.diag(penalty), rcond=1e-6, hermitian=True)
    contrast = np.eye(size)
    if k > 1:
        contrast = np.kron(np.column_stack([-np.ones(k - 1), np.eye(k - 1)]), np.eye(d))
    wanted = contrast @ M @ F @ M @ contrast.T
    np.testing.assert_allclose(summary.covariance, wanted, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(summary.coef, contrast @ at)
    assert summary.log_likelihood == pytest.approx(-value(at))
    assert summary.dof == pytest.approx(np.trace(M @ F), rel=1e-4)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """linear.32: coverage over repeated samples, within what chance allows."""
    rng = np.random.default_rng(1)
    truth, hits, runs = np.array([0.3, -1.0]), 0, 200
    for _ in range(runs):
        X = rng.normal(size=(150, 1))
        y = (truth[0] + X[:, 0] * truth[1] + rng.logistic(size=150) > 0).astype(int)
        summary = LogisticRegression(C=INF).fit(X, y).summary(X, y, level=0.8)
        hits += int(summary.low[1] <= truth[1] <= summary.high[1])
    assert abs(hits / runs - 0.8) < 3.5 * np.sqrt(0.16 / runs)


def test_weights_are_repetitions_and_sparse_rows_the_same():
    X, y, _ = sample(2, n=80)
    weight = np.arange(80) % 3 + 1
    model = LogisticRegression(tol=1e-10).fit(X, y, weight)
    ours = model.summary(X, y, weight)
    copies = model.summary(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    thin = model.summary(sparse.csr_array(X), y, weight)
    for other in (copies, thin):
        np.testing.assert_allclose(ours.std_error, other.std_error, rtol=1e-10)
        assert ours.aic == pytest.approx(other.aic)


def test_names_frame_and_text():
    X, y, _ = sample(2)
    frame = pd.DataFrame(X, columns=["age", "dose", "weight"])
    summary = LogisticRegression(C=INF).fit(frame, y).summary(frame, y)
    assert summary.names == ("intercept", "age", "dose", "weight")
    assert summary.to_frame().loc["dose", "std error"] == summary.std_error[2]
    text = repr(summary)
    assert "pseudo-R²" in text
    assert "95 % interval" in text
    assert text.splitlines()[-1].startswith("weight")


def test_refusals():
    X, y, _ = sample(2)
    sparse_model = LogisticRegression(l1_ratio=0.5).fit(X, y)
    with pytest.raises(ValueError, match=r"l1_ratio must be 0 for a summary: .*, got 0\.5"):
        sparse_model.summary(X, y)
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="LogisticRegression: level must be between 0 and 1"):
        model.summary(X, y, level=95)
    with pytest.raises(ValueError, match="y must be among the classes"):
        model.summary(X, y + 1)
