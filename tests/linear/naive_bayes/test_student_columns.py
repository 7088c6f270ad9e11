import numpy as np
from scipy.stats import t

from margin.linear.naive_bayes._student_columns import StudentLikelihood


def test_rows_of_students_t_with_holes():
    rng = np.random.default_rng(0)
    df, loc, scale = rng.random((3, 2, 3)) + 1.0
    X = rng.standard_normal((5000, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    fitted = StudentLikelihood(df, loc, scale, -1.5)
    expected = np.nansum(t.logpdf(X[:, None, :], df, loc, scale), axis=2)
    np.testing.assert_allclose(fitted.log_prob(X), expected, rtol=1e-10)
    assert fitted.total_log_prob(None) == -1.5
    assert fitted.log_penalty == 0.0


def test_samples_have_the_quartiles_of_the_law():
    fitted = StudentLikelihood(np.full((1, 1), 3.0), np.full((1, 1), 5.0), np.full((1, 1), 2.0), 0)
    drawn = fitted.sample(np.zeros(20_000, dtype=int), np.random.default_rng(0))
    np.testing.assert_allclose(
        np.quantile(drawn, [0.25, 0.5, 0.75]), t.ppf([0.25, 0.5, 0.75], 3, 5, 2), atol=0.08
    )
