import numpy as np
from numpy.testing import assert_allclose

from margin.causal.methods._lines import fold_lines, fold_values, solve_normal


def test_folds_equal_fits_without_the_fold():
    rng = np.random.default_rng(0)
    D, Y = rng.normal(size=(60, 3)), rng.normal(size=(60, 2))
    weight, folds = rng.uniform(0, 2, 60) * (rng.random(60) < 0.8), rng.integers(0, 4, 60)
    coef = fold_lines(D, Y, weight, folds)
    values = fold_values(D, coef, folds)
    for fold in range(4):
        out = folds != fold
        root = np.sqrt(weight[out])[:, None]
        direct = np.linalg.lstsq(D[out] * root, Y[out] * root, rcond=None)[0]
        assert_allclose(coef[fold], direct, atol=1e-9)
        assert_allclose(values[~out], D[~out] @ direct, atol=1e-9)


def test_singular_equations_have_the_shortest_solution():
    D = np.array([[1.0, 1.0], [2.0, 2.0]])
    assert_allclose(solve_normal(D.T @ D, D.T @ [2.0, 4.0]), [1, 1], atol=1e-9)
