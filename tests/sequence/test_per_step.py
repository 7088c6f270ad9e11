import warnings

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from margin.core import Sequences
from margin.sequence import GaussianHMM, LinearDynamicalSystem, PerStep

RNG = np.random.default_rng(0)
PARTS = [
    1e5 + 1e3 * (np.repeat(RNG.permutation([0.0, 6.0] * 2), 8)[:n, None] + RNG.normal(size=(n, 2)))
    for n in (20, 32, 25, 31, 18, 28)
]


def test_every_step_is_a_row():
    """Learned from all rows together, applied to each; lengths and forms stay."""
    model = PerStep(StandardScaler()).fit(PARTS)
    found = model.transform(PARTS)
    assert isinstance(found, Sequences)
    assert found.lengths.tolist() == [len(part) for part in PARTS]
    want = StandardScaler().fit_transform(np.concatenate(PARTS))
    np.testing.assert_allclose(found.buffer, want)
    np.testing.assert_allclose(model.inverse_transform(found).buffer, np.concatenate(PARTS))
    np.testing.assert_allclose(model.transform(PARTS[1]), found[1])
    joined = model.transform(np.concatenate(PARTS), lengths=[len(part) for part in PARTS])
    np.testing.assert_allclose(joined, want)
    assert PerStep(PCA(1)).fit_transform(PARTS)[0].shape == (20, 1)


def test_what_is_unobserved_stays_so():
    gaps = [np.where(RNG.random(part.shape) < 0.1, np.nan, part) for part in PARTS]
    found = PerStep().fit_transform(gaps)
    np.testing.assert_array_equal(np.isnan(found.buffer), np.isnan(np.concatenate(gaps)))


@pytest.mark.parametrize("last", [GaussianHMM(2, random_state=0), LinearDynamicalSystem(1)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_pipelines_hold_out_sequences(last):
    """Sequences go through pipelines, cross-validation and grids."""
    pipe = make_pipeline(PerStep(), last)
    pipe.fit(PARTS)
    assert np.isfinite(pipe.score(PARTS))
    assert np.isfinite(cross_val_score(pipe, PARTS, cv=3)).all()


def test_a_grid_over_both():
    pipe = make_pipeline(PerStep(), GaussianHMM(random_state=0))
    grid = {
        "perstep__transformer": [StandardScaler(), MinMaxScaler()],
        "gaussianhmm__n_states": [1, 2],
    }
    search = GridSearchCV(pipe, grid, cv=3).fit(PARTS)
    assert search.best_params_["gaussianhmm__n_states"] == 2
    assert len(search.predict(PARTS)) == len(PARTS)


def test_refusals():
    with pytest.raises(ValueError, match="PerStep: transformer must be a transformer with fit"):
        PerStep(3).fit(PARTS)
    with pytest.raises(ValueError, match="PerStep: X must have rows of 2 columns as in fit, got 1"):
        PerStep().fit(PARTS).transform([[1.0, 2.0]])
    with pytest.raises(ValueError, match="a transformer with inverse_transform"):
        PerStep(_Halves()).fit(PARTS).inverse_transform(PARTS)
    with pytest.raises(ValueError, match="a row for each row, got 'shape"):
        PerStep(_Halves()).fit(PARTS).transform(PARTS)


class _Halves:
    """Every other row."""

    def get_params(self, deep=True):
        return {}

    def fit(self, X):
        return self

    def transform(self, X):
        return X[::2]


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("size", [1e200, 1e300])
def test_values_too_large_to_square_are_refused(size):
    rng = np.random.default_rng(0)
    parts = [size * rng.integers(-3, 9, (n, 4)) for n in (28, 36)]
    need = r"X must be of a size that StandardScaler can square \(its \w+ is not finite\), got"
    with pytest.raises(ValueError, match=need):
        PerStep().fit(parts)


def test_a_column_without_numbers_is_left_to_the_transformer():
    part = np.column_stack([np.arange(5.0), np.full(5, np.nan)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = PerStep().fit_transform([part])[0]
    assert np.isfinite(rows[:, 0]).all()
    assert np.isnan(rows[:, 1]).all()
