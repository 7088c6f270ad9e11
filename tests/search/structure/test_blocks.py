"""Blocks of columns: scores against the regression of each, and against the Gaussian scorer."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.search import Blocks, Moments, NetworkScore, mixed_columns

LETTERS = np.array(list("abc"))


def table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    letter = rng.integers(0, 3, n)
    x = (letter == 1) + rng.normal(size=n)
    return pd.DataFrame({"x": x, "k": LETTERS[letter], "y": x + rng.normal(size=n), "b": x > 0})


def blocks(frame, weight=None):
    return Blocks.of("Example", mixed_columns("Example", frame), weight)


def likelihood(child, parents, n):
    """Log likelihood of a regression with a full covariance of its residuals."""
    X = np.column_stack([np.ones(n), *parents])
    rest = child - X @ np.linalg.lstsq(X, child)[0]
    covariance = rest.T @ rest / n
    k = child.shape[1]
    size = k * X.shape[1] + k * (k + 1) / 2
    return -0.5 * n * (np.linalg.slogdet(2 * np.pi * covariance)[1] + k) - 0.5 * np.log(n) * size


def test_families_are_regressions():
    frame, n = table(), 300
    score = NetworkScore.of("Example", blocks(frame))
    assert score.names == ("x", "k", "y", "b")
    k = np.column_stack([frame.k == "b", frame.k == "c"]).astype(float)
    x, y, b = (frame[name].to_numpy(dtype=float)[:, None] for name in "xyb")
    assert score.family(1, []) == pytest.approx(likelihood(k, [], n))
    assert score.family(1, [0]) == pytest.approx(likelihood(k, [x], n))
    assert score.family(2, [1, 0, 3]) == pytest.approx(likelihood(y, [x, k, b], n))


def test_equivalent_graphs_score_alike():
    score = NetworkScore.of("Example", blocks(table()))
    assert score.family(0, []) + score.family(1, [0]) == pytest.approx(
        score.family(1, []) + score.family(0, [1])
    )
    assert score.family(1, [2]) + score.family(0, [1, 2]) == pytest.approx(
        score.family(0, [2]) + score.family(1, [0, 2])
    )


def test_numbers_alone_are_those_of_the_gaussian_score():
    frame = table()[["x", "y"]].assign(z=1e6 * np.arange(300.0) ** 0.5)
    one = NetworkScore.of("Example", blocks(frame), "aic")
    two = NetworkScore.of("Example", Moments.of("Example", frame), "aic")
    for child, parents in ((0, []), (1, [0]), (2, [0, 1]), (0, [2, 1])):
        assert one.family(child, parents) == pytest.approx(two.family(child, parents))


def test_weights_gaps_and_refusals():
    frame = table(100)
    weight = np.random.default_rng(1).integers(0, 3, 100)
    repeated = blocks(frame.loc[frame.index.repeat(weight)])
    assert_allclose(blocks(frame, weight).moments.covariance, repeated.moments.covariance)
    holes = frame.astype({"k": object})
    holes.loc[::9, "k"] = None
    assert blocks(holes).sizes == (1, 2, 1, 1)
    assert np.isfinite(blocks(holes).moments.covariance).all()
    assert blocks(frame).owns(np.array([True, True, False, True, False])).tolist() == [
        True, False, True, False,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="Example: column 'k' must be not constant"):
        blocks(frame.assign(k="a"))
    with pytest.raises(ValueError, match="Example: X must be finite or NaN, got 'infinity'"):
        mixed_columns("Example", frame.assign(x=np.inf))
    with pytest.raises(ValueError, match="'bic' or 'aic'"):
        NetworkScore.of("Example", blocks(frame), "bdeu")
