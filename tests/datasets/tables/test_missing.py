import numpy as np
import pytest

from margin.datasets import make_missing

N = 40_000


@pytest.fixture(scope="module")
def table():
    """Three standard normal columns; the second follows the first, the third is on its own."""
    rng = np.random.default_rng(0)
    first = rng.standard_normal(N)
    second = 0.8 * first + 0.6 * rng.standard_normal(N)
    return np.column_stack([first, second, rng.standard_normal(N)])


def bias(hidden, column):
    """Mean of the observed values minus the mean of all, in standard errors of the former."""
    seen = hidden.data[~hidden.mask[:, column], column]
    return (seen.mean() - hidden.complete[:, column].mean()) / (seen.std() / np.sqrt(len(seen)))


@pytest.mark.parametrize("mechanism", ["MCAR", "MAR", "MNAR"])
@pytest.mark.parametrize("rate", [0.05, 0.5, 0.9])
def test_rate_is_met(table, mechanism, rate):
    """datasets.30: mean probability exactly, share of missing values nearly."""
    hidden = make_missing(table, mechanism, rate=rate, random_state=1)
    assert hidden.columns == [1, 2]
    for column in hidden.columns:
        assert hidden.probability[:, column].mean() == pytest.approx(rate, abs=1e-9)
        assert hidden.mask[:, column].mean() == pytest.approx(rate, abs=5 * 0.5 / np.sqrt(N))
    assert not hidden.mask[:, 0].any()
    assert np.array_equal(np.isnan(hidden.data), hidden.mask)
    assert np.array_equal(hidden.data[~hidden.mask], table[~hidden.mask])


def test_bias_is_where_it_should_be(table):
    """datasets.30: MCAR none, MAR only in what follows the driver, MNAR always."""
    found = {
        mechanism: [
            bias(make_missing(table, mechanism, random_state=2), column) for column in (1, 2)
        ]
        for mechanism in ("MCAR", "MAR", "MNAR")
    }
    assert max(map(abs, found["MCAR"])) < 5
    assert found["MAR"][0] < -20
    assert abs(found["MAR"][1]) < 5
    assert max(found["MNAR"]) < -20


def test_observed_likelihood_corrects_mar_but_not_mnar(table):
    """datasets.30: the regression on the driver, averaged over all rows, is right under MAR."""
    errors = {}
    for mechanism in ("MAR", "MNAR"):
        hidden = make_missing(table, mechanism, columns=[1], random_state=3)
        seen = ~hidden.mask[:, 1]
        slope, intercept = np.polyfit(hidden.data[seen, 0], hidden.data[seen, 1], 1)
        estimate = intercept + slope * table[:, 0].mean()
        errors[mechanism] = abs(estimate - table[:, 1].mean())
    assert errors["MAR"] < 5 * 0.6 / np.sqrt(0.5 * N)
    assert errors["MNAR"] > 0.1


def test_mechanisms_depend_on_what_they_say(table):
    """datasets.30: probabilities are functions of the driver, or of the value itself."""
    mar = make_missing(table, "MAR", random_state=0)
    order = np.argsort(table[:, 0])
    assert (np.diff(mar.probability[order, 1]) >= 0).all()
    assert np.array_equal(mar.probability[:, 1], mar.probability[:, 2])
    mnar = make_missing(table, "MNAR", strength=-2.0, random_state=0)
    order = np.argsort(table[:, 2])
    assert (np.diff(mnar.probability[order, 2]) <= 0).all()
    none = make_missing(table, "MNAR", strength=0.0, rate=0.2, random_state=0)
    assert none.probability[:, 1:] == pytest.approx(np.full((N, 2), 0.2))


def test_constant_column_and_input_left_alone():
    """datasets.30: a constant driver means MCAR; the caller's table is not touched."""
    X = np.column_stack([np.ones(50), np.arange(50.0)])
    before = X.copy()
    hidden = make_missing(X, "MAR", rate=0.4, random_state=0)
    assert hidden.probability[:, 1] == pytest.approx(np.full(50, 0.4))
    assert np.array_equal(X, before)
    assert not np.shares_memory(hidden.complete, X)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mechanism": "LOST"}, "mechanism must be one of"),
        ({"rate": 1.0}, "rate must be a number in"),
        ({"driver": 2}, "driver must be a number in"),
        ({"columns": [5]}, "columns must be a number in"),
        ({"mechanism": "MAR", "columns": [0]}, "columns must not contain the driver"),
        ({"X": [[np.nan, 1.0]]}, "X must be a finite, nonempty table"),
        ({"X": [1.0, 2.0]}, "X must be a finite, nonempty table"),
    ],
)
def test_bad_input_is_refused(change, message):
    arguments = {"X": np.eye(2), **change}
    with pytest.raises(ValueError, match=f"make_missing: {message}"):
        make_missing(**arguments)
