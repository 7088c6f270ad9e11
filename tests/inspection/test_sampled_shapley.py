"""Shapley values by sampled orders."""

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest

from margin.inspection import sampled_shapley

RNG = np.random.default_rng(0)


def exact(predict, row, background):
    """Shapley values by all subsets."""
    p = len(row)

    def worth(known):
        mixed = background.copy()
        mixed[:, list(known)] = row[list(known)]
        return predict(mixed).mean()

    values = np.zeros(p)
    for j in range(p):
        rest = [k for k in range(p) if k != j]
        for size in range(p):
            share = factorial(size) * factorial(p - size - 1) / factorial(p)
            for known in combinations(rest, size):
                values[j] += share * (worth((*known, j)) - worth(known))
    return values


def test_without_interactions_it_is_exact():
    X, background = RNG.normal(size=(4, 5)), RNG.normal(size=(7, 5))
    weight = np.arange(5.0)
    shown = sampled_shapley(lambda Z: np.sin(Z) @ weight, X, background)
    expected = weight * (np.sin(X) - np.sin(background).mean(axis=0))
    np.testing.assert_allclose(shown.values[:, :, 0], expected, atol=1e-12)


def test_two_features_and_one_background_row_are_exact():
    X, background = RNG.normal(size=(3, 2)), RNG.normal(size=(1, 2))

    def predict(Z):
        return Z[:, 0] * Z[:, 1] + np.exp(Z[:, 0])

    shown = sampled_shapley(predict, X, background, n_orders=1)
    for row, values in zip(X, shown.values[:, :, 0], strict=True):
        np.testing.assert_allclose(values, exact(predict, row, background))


def test_interactions_are_approached():
    X, background = RNG.normal(size=(2, 4)), RNG.normal(size=(5, 4))

    def predict(Z):
        return Z[:, 0] * Z[:, 1] + np.maximum(Z[:, 2], Z[:, 3]) * Z[:, 0]

    shown = sampled_shapley(predict, X, background, n_orders=2000)
    for row, values in zip(X, shown.values[:, :, 0], strict=True):
        np.testing.assert_allclose(values, exact(predict, row, background), atol=0.1)


def test_values_and_base_add_up_for_every_output():
    X, background = RNG.normal(size=(6, 3)), RNG.normal(size=(4, 3))

    def predict(Z):
        return np.column_stack([Z.prod(axis=1), Z.max(axis=1)])

    shown = sampled_shapley(predict, X, background, n_orders=3)
    np.testing.assert_allclose(shown.prediction, predict(X))
    np.testing.assert_allclose(shown.base, predict(background).mean(axis=0))
    again = sampled_shapley(predict, X, background, n_orders=3)
    np.testing.assert_array_equal(shown.values, again.values)


def test_frames_keep_their_types_and_gaps():
    frame = pd.DataFrame({"x": [1.0, None, 3.0], "kind": ["a", None, "b"], "n": [1, 2, 3]})

    def predict(Z):
        assert Z["n"].dtype == frame["n"].dtype
        return Z["x"].fillna(0.0) + 10.0 * (Z["kind"] == "a") + Z["n"]

    shown = sampled_shapley(predict, frame, frame)
    np.testing.assert_allclose(shown.prediction.ravel(), predict(frame))
    assert shown.feature_names == ("x", "kind", "n")
    assert shown.values[1, 1, 0] == pytest.approx(-10 / 3)


def test_no_rows_no_values():
    assert sampled_shapley(lambda Z: Z[:, 0], np.zeros((0, 2)), np.zeros((1, 2))).values.shape == (
        0,
        2,
        1,
    )


@pytest.mark.parametrize(
    ("background", "n_orders", "words"),
    [
        (np.zeros((0, 2)), 5, "background"),
        (np.zeros((3, 1)), 5, "background"),
        (np.zeros((3, 2)), 0, "n_orders"),
    ],
)
def test_what_cannot_be_is_refused(background, n_orders, words):
    with pytest.raises(ValueError, match=f"sampled_shapley: {words} must be"):
        sampled_shapley(lambda Z: Z[:, 0], np.zeros((1, 2)), background, n_orders=n_orders)
