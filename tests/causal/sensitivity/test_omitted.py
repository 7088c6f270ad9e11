import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import AverageEffect, OmittedVariable

mpl.use("Agg")


def fit(y, *columns):
    D = np.column_stack([np.ones(len(y)), *columns])
    coef, *_ = np.linalg.lstsq(D, y, rcond=None)
    left = y - D @ coef
    dof = len(y) - D.shape[1]
    cov = np.linalg.inv(D.T @ D) * (left @ left / dof)
    return coef[1], np.sqrt(cov[1, 1]), dof, left


def test_the_formula_is_exact():
    """The bias of leaving a cause out, from its partial R squared with treatment and outcome."""
    rng = np.random.default_rng(0)
    u, x = rng.standard_normal((2, 300))
    t = u + x + rng.standard_normal(300)
    y = t + 2 * u + x + rng.standard_normal(300)
    short, error, dof, _ = fit(y, t, x)
    full, *_ = fit(y, t, x, u)
    r2_t = 1 - np.sum(fit(t, u, x)[3] ** 2) / np.sum(fit(t, x)[3] ** 2)
    r2_y = 1 - np.sum(fit(y, t, x, u)[3] ** 2) / np.sum(fit(y, t, x)[3] ** 2)
    told = OmittedVariable(short, error, dof)
    assert_allclose(told.adjusted(r2_t, r2_y), full)


def test_robustness_values():
    told = OmittedVariable(0.0973, 0.0232, 783)
    rv = told.robustness_value()
    assert_allclose(told.adjusted(rv, rv), 0, atol=1e-12)
    assert_allclose(told.adjusted(told.partial_r2, 1.0), 0, atol=1e-12)
    assert_allclose(rv, 0.139, atol=0.001)
    half = told.robustness_value(0.5)
    assert_allclose(told.adjusted(half, half), 0.0973 / 2)


def test_contours_and_refusals():
    ax = OmittedVariable(1.0, 0.2, 100).plot()
    assert "outcome" in ax.get_ylabel()
    with pytest.raises(ValueError, match="std_error must be above 0"):
        OmittedVariable(1.0, 0.0, 10)
    with pytest.raises(ValueError, match="dof must be at least 2"):
        OmittedVariable(1.0, 1.0, 1)
    with pytest.raises(ValueError, match="r2 must be between 0 and 1"):
        OmittedVariable(1.0, 1.0, 10).bias(1.0, 0.5)


def test_of_a_fitted_effect():
    """Against the regression itself, and against a cause that is left out on purpose."""
    rng = np.random.default_rng(0)
    z, u, e, v = rng.standard_normal((4, 2000))
    t = z + 0.5 * u + e
    frame = {"z": z, "u": u, "t": t, "y": t + z + 0.5 * u + v}
    short = AverageEffect(None, "t", "y", ["z"], "regression").fit(frame)
    long = AverageEffect(None, "t", "y", ["z", "u"], "regression").fit(frame)
    found = OmittedVariable.from_model(short)
    D = np.column_stack([t, np.ones(2000), z])
    coef, rss = np.linalg.lstsq(D, frame["y"], rcond=None)[:2]
    error = np.sqrt(rss[0] / 1997 * np.linalg.inv(D.T @ D)[0, 0])
    assert_allclose([found.estimate, found.std_error, found.dof], [coef[0], error, 1997])

    def share(values, columns, extra):
        """Partial R squared of one more column."""
        left = [np.linalg.lstsq(c, values, rcond=None)[1][0] for c in (columns, extra)]
        return 1 - left[1] / left[0]

    W = D[:, 1:]
    r2_t = share(t, W, np.column_stack([W, u]))
    r2_y = share(frame["y"], D, np.column_stack([D, u]))
    assert_allclose(found.adjusted(r2_t, r2_y), long.effect_, rtol=1e-6)
    debiased = AverageEffect(None, "t", "y", ["z"], "dml", random_state=0).fit(frame)
    assert_allclose(
        OmittedVariable.from_model(debiased).robustness_value(), found.robustness_value(), atol=0.01
    )
    for model in (
        3,
        AverageEffect(None, "t", "y", ["z"]),
        AverageEffect(None, ["t", "u"], "y", ["z"]).fit(frame),
    ):
        with pytest.raises(ValueError, match=r"OmittedVariable.from_model: model must be a fitted"):
            OmittedVariable.from_model(model)
