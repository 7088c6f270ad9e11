"""What all estimators over discrete sequences share: contract, bad input, cross-validation."""

import inspect
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline

from margin.core import FitError, FitReport, Sequences
from margin.distributions import Normal, Poisson
from margin.sequence import (
    ARHMM,
    GMMHMM,
    CategoricalHMM,
    DiscriminativeHMM,
    DynamicBayesianNetwork,
    GaussianHMM,
    HiddenMarkovModel,
    InputHMM,
    MarkovChain,
    MarkovChainMixture,
    PoissonHMM,
    SemiMarkovHMM,
    VariationalCategoricalHMM,
    VariationalGaussianHMM,
    VariationalPoissonHMM,
)

MODELS = [
    ARHMM(2, 1, random_state=0),
    CategoricalHMM(2, random_state=0),
    DynamicBayesianNetwork(states={0: [0, 1, 2, 3]}),
    GMMHMM(2, 2, random_state=0),
    GaussianHMM(2, random_state=0),
    HiddenMarkovModel(Poisson, 2, random_state=0),
    HiddenMarkovModel(Normal, 2, random_state=0),
    MarkovChain(),
    MarkovChainMixture(2, random_state=0),
    PoissonHMM(2, random_state=0),
    SemiMarkovHMM(2, 8, random_state=0),
    VariationalCategoricalHMM(2, random_state=0),
    VariationalGaussianHMM(2, random_state=0),
    VariationalPoissonHMM(2, random_state=0),
]
IDS = [f"{type(m).__name__}-{i}" for i, m in enumerate(MODELS)]
each = pytest.mark.parametrize("model", MODELS, ids=IDS)
SUPERVISED = (DiscriminativeHMM, InputHMM)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def walks():
    rng = np.random.default_rng(0)
    walks = []
    for n in (30, 1, 22, 40, 17, 25, 33, 28):
        level = np.repeat(rng.integers(0, 2, n // 5 + 1), 5)[:n]
        walks.append(
            np.where(level == 1, rng.integers(1, 4, n), rng.integers(0, 2, n)).astype(float)
        )
    return walks


def quietly(run):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return run()


@each
def test_contract(model, walks):
    fresh = clone(model)
    assert type(model).__name__ in repr(fresh)
    with pytest.raises(NotFittedError):
        fresh.log_prob(walks)
    assert fresh.fit(walks) is fresh
    assert isinstance(fresh.fit_report_, FitReport)
    assert fresh.n_features_in_ == 1
    values = fresh.log_prob(walks)
    assert values.shape == (8,)
    assert np.isfinite(values).all()
    assert fresh.score(walks) == pytest.approx(values.sum() / sum(map(len, walks)))
    assert fresh.card.input == "sequences"
    assert fresh.get_params(deep=False).keys() == model.get_params(deep=False).keys()


@each
def test_every_way_to_give_sequences(model, walks):
    first = clone(model).fit(walks)
    others = [
        clone(model).fit(Sequences(walks)),
        clone(model).fit(np.concatenate(walks), lengths=[len(w) for w in walks]),
        clone(model).fit([w[:, None] for w in walks]),
    ]
    # Products of tables in NumPy round by where the tables lie in memory.
    rtol = 1e-13 if isinstance(model, DynamicBayesianNetwork) else 0.0
    for other in others:
        np.testing.assert_allclose(other.log_prob(walks), first.log_prob(walks), rtol=rtol)
    one = first.log_prob(walks[0])
    np.testing.assert_allclose(one, first.log_prob(walks)[:1])


@each
def test_saved_and_loaded(model, walks):
    fitted = clone(model).fit(walks)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.log_prob(walks), fitted.log_prob(walks))
    if isinstance(model, HiddenMarkovModel):
        return  # skops has no name for a class as a parameter
    saved = skops.io.dumps(fitted)
    loaded = skops.io.loads(saved, trusted=skops.io.get_untrusted_types(data=saved))
    np.testing.assert_array_equal(loaded.log_prob(walks), fitted.log_prob(walks))


@each
def test_cross_validation_never_cuts_a_sequence(model, walks):
    if isinstance(
        model, MarkovChain | CategoricalHMM | MarkovChainMixture | VariationalCategoricalHMM
    ):
        name = "n_symbols" if hasattr(model, "n_symbols") else "n_states"
        model = clone(model).set_params(**{name: 4})
    for X in (walks, Sequences(walks)):
        scores = quietly(lambda X=X: cross_val_score(clone(model), X, cv=KFold(2)))
        assert scores.shape == (2,)
        assert not np.isnan(scores).any()
    by_hand = clone(model).fit(walks[4:]).score(walks[:4])
    assert scores[0] == pytest.approx(by_hand)


@pytest.mark.parametrize("model", [GaussianHMM(random_state=0), PoissonHMM(random_state=0)])
def test_grid_search_chooses_the_number_of_states(model, walks):
    search = quietly(
        lambda: GridSearchCV(model, {"n_states": [1, 2]}, cv=KFold(2)).fit(Sequences(walks))
    )
    assert search.best_params_["n_states"] in (1, 2)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    whole = make_pipeline(clone(model)).fit(walks)
    assert whole.score(walks) == pytest.approx(clone(model).fit(walks).score(walks))


@each
def test_threads_and_seeds_give_the_same_answer(model, walks):
    # As above: NumPy rounds by where tables lie.
    rtol = 1e-13 if isinstance(model, DynamicBayesianNetwork) else 0.0
    first, second = clone(model).fit(walks), clone(model).fit(walks)
    np.testing.assert_allclose(first.log_prob(walks), second.log_prob(walks), rtol=rtol)
    if "n_jobs" in model.get_params():
        one, two = (clone(model).set_params(n_jobs=n).fit(walks) for n in (1, 2))
        np.testing.assert_allclose(one.log_prob(walks), two.log_prob(walks), rtol=rtol)


@each
def test_bad_sequences_are_refused_by_name(model, walks):
    name = type(model).__name__
    fitted = clone(model).fit(walks)
    before = fitted.log_prob(walks)
    wide = [np.zeros((3, 2)), np.zeros((3, 3))]
    for X, lengths in (
        ([], None),
        ([[]], None),
        (walks[0], [3]),
        (wide, None),
        ([["a"]], None),
        ([[np.inf]], None),
    ):
        with pytest.raises(ValueError, match=name if X is not wide else f"{name}|Sequences"):
            fitted.fit(X, lengths=lengths)
    np.testing.assert_array_equal(fitted.log_prob(walks), before)


@each
def test_unobserved_steps_are_summed_over(model, walks):
    """A gap at the end of a sequence changes no probability; a whole sequence of gaps has 1."""
    fitted = clone(model).fit(walks)
    longer = [np.r_[w, np.nan] for w in walks]
    longer_value, value = fitted.log_prob(longer), fitted.log_prob(walks)
    np.testing.assert_allclose(longer_value, value, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(fitted.log_prob([[np.nan] * 5]), 0.0, atol=1e-9)
    holes = [
        np.where(np.random.default_rng(i).random(len(w)) < 0.2, np.nan, w)
        for i, w in enumerate(walks)
    ]
    gaps = clone(model).fit(holes)
    assert np.isfinite(gaps.score(holes))
    alone = clone(model).fit([*walks, [np.nan, np.nan]])
    assert np.isfinite(alone.score(walks))


@each
def test_degenerate_sequences(model):
    for X in ([[0.0]], [[1.0, 1.0, 1.0]], [[0.0], [1.0]], [[0, 1]] * 3):
        if model.get_params().get("emission") is Normal:
            with pytest.raises(FitError, match="could not be fitted"):
                clone(model).fit(X)
            continue
        fitted = clone(model).fit(X)
        assert np.isfinite(fitted.log_prob(X)).all()


def test_every_sequence_estimator_of_these_rooms_is_here():
    from margin.evaluation import all_estimators

    known = {type(m) for m in MODELS} | set(SUPERVISED)
    rooms = ("hidden_markov", "markov", "markov_regression", "dynamic_network")
    for _, cls in all_estimators(input="sequences"):
        if Path(inspect.getsourcefile(cls)).parent.name in rooms:
            assert cls in known
