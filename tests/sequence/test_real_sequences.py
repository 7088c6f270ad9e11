"""What counts as sequences of real vectors."""

import numpy as np
import pandas as pd
import pytest

from margin.core import Sequences
from margin.sequence import (
    AutoRegression,
    BayesianLinearDynamicalSystem,
    LinearDynamicalSystem,
    ObservedLinearSystem,
    StructuralTimeSeries,
    SwitchingAutoRegression,
    SwitchingLinearDynamicalSystem,
    TimeVaryingAutoRegression,
)
from margin.sequence._real_sequences import input_rows, last_sequence, real_sequences


@pytest.mark.parametrize(
    ("X", "lengths", "shape"),
    [
        (np.zeros(4), None, (1, 4, 1)),
        (np.zeros((4, 2)), None, (1, 4, 2)),
        (np.zeros((3, 4, 2)), None, (3, 12, 2)),
        (np.zeros((4, 2)), [1, 3], (2, 4, 2)),
        ([np.zeros(2), np.zeros(3)], None, (2, 5, 1)),
        (Sequences([np.zeros((2, 3))]), None, (1, 2, 3)),
        (pd.DataFrame({"a": [1, 2]}), None, (1, 2, 1)),
        ([np.array([1, None], dtype=object)], None, (1, 2, 1)),
    ],
)
def test_accepted(X, lengths, shape):
    found = real_sequences("Model", X, lengths)
    assert (len(found), *found.buffer.shape) == shape
    assert found.buffer.dtype == np.float64


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[np.nan]], {"missing": False}, "X must be observed everywhere"),
        ([[1.0]], {"width": 2}, "X must be of 2 numbers per row, got 1"),
        ([["a"]], {}, "X must be sequences of numbers"),
        ([np.zeros((0, 2))], {}, "X must be of at least 1 row"),
        ([[np.inf]], {}, "X must be finite"),
        ([np.zeros((2, 2, 2))], {}, "X must be sequences of numbers or vectors"),
    ],
)
def test_refused(X, options, message):
    with pytest.raises(ValueError, match=f"Model: {message}"):
        real_sequences("Model", X, **options)


def test_the_last_sequence_is_one_that_has_rows():
    given = real_sequences("Model", [np.ones(2), np.arange(3.0), np.zeros(0)])
    np.testing.assert_array_equal(last_sequence(given), [[0.0], [1.0], [2.0]])


@pytest.mark.parametrize(
    "model",
    [
        AutoRegression(1),
        BayesianLinearDynamicalSystem(n_draws=5, n_warmup=5, random_state=0),
        LinearDynamicalSystem(1, tol=1e-2),
        ObservedLinearSystem(),
        StructuralTimeSeries(),
        SwitchingAutoRegression(2, 1, random_state=0, max_iter=5),
        SwitchingLinearDynamicalSystem(2, random_state=0, max_iter=5),
        TimeVaryingAutoRegression(1, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_sequences_without_rows_change_nothing(model):
    rng = np.random.default_rng(0)
    parts, empty = [rng.normal(size=20), rng.normal(size=15)], np.zeros(0)
    want = model.fit(parts).forecast(3).mean
    values = model.score(parts)
    for given in ([*parts, empty], [empty, *parts], [parts[0], empty, empty, parts[1], empty]):
        np.testing.assert_allclose(model.fit(given).forecast(3).mean, want)
        assert model.score(given) == pytest.approx(values)


def test_inputs_belong_to_their_sequences():
    given = real_sequences("Model", [[1.0], [2.0, 3.0]])
    for inputs in ([[[5.0]], [[6.0], [7.0]]], np.array([[5.0], [6.0], [7.0]])):
        np.testing.assert_array_equal(input_rows("Model", inputs, given, 1), [[5.0], [6.0], [7.0]])
    with pytest.raises(ValueError, match="Model: inputs must be given, 2 numbers per row"):
        input_rows("Model", None, given, 2)
    with pytest.raises(ValueError, match="Model: inputs must be of the lengths of the sequences"):
        input_rows("Model", [[5.0, 6.0], [7.0]], given, 1)
    with pytest.raises(ValueError, match="Model: inputs must be observed everywhere"):
        input_rows("Model", [[5.0], [6.0, np.nan]], given, 1)
