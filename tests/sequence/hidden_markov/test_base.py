import tracemalloc

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from margin.sequence import ARHMM, GMMHMM, CategoricalHMM, GaussianHMM

LEVEL = np.repeat([0.0, 6.0, 0.0, 6.0], 40)
X = LEVEL + np.random.default_rng(0).normal(size=160)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_states": 0}, "n_states must be an integer of at least 1, got 0"),
        ({"init": "kmean"}, "init must be one of"),
        ({"algorithm": "mcmc"}, "algorithm must be one of"),
        ({"decoding": "best"}, "decoding must be one of"),
        ({"start_prior": 0.5}, "start_prior must be a number of at least 1"),
        ({"transition_prior": np.inf}, "transition_prior must be"),
        ({"fixed": ("means",)}, "fixed must be some of"),
        ({"groups": [0, 2]}, "groups must be 2 integers"),
        ({"groups": [0]}, "groups must be 2 integers"),
        ({"tol": -1.0}, "tol must be"),
        ({"transition_init": [[1.0, 1.0], [0, 1]]}, "transition_init must be probabilities"),
        ({"random_state": "a"}, "random_state must be"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, message):
    with pytest.raises(ValueError, match=f"GaussianHMM: {message}"):
        GaussianHMM(**settings).fit(X)


def test_groups_tie_laws():
    """Two states of one law: durations that are not geometric."""
    model = GaussianHMM(3, groups=[0, 0, 1], random_state=0).fit(X)
    assert model.means_.shape == (2, 1)
    assert model.posterior(X).shape == (160, 3)
    assert sorted(model.means_[:, 0].round()) == [0.0, 6.0]
    assert model.sample(1, 10, random_state=0)[0][0].shape == (10, 1)
    assert 0 <= model.forecast(1, X).mean[0] <= 7


def test_online_steps_approach_the_batch():
    """Stochastic EM: batches one after the other, twice, give nearly the fit of all."""
    rng = np.random.default_rng(1)
    batches = [
        [np.repeat(rng.permutation([0.0, 6.0] * 3), 10) + rng.normal(size=60)] for _ in range(20)
    ]
    model = GaussianHMM(2, random_state=0)
    for batch in batches * 2:
        model.partial_fit(batch)
    whole = GaussianHMM(2, random_state=0).fit([b[0] for b in batches])
    np.testing.assert_allclose(np.sort(model.means_[:, 0]), np.sort(whole.means_[:, 0]), atol=0.05)
    with pytest.raises(ValueError, match="1 columns as in fit"):
        model.partial_fit([np.zeros((3, 2))])


def test_supervised_counting_and_partial_labels():
    """sequence.15: all labels known is counting; few labels name the states."""
    states = (LEVEL > 3).astype(int)
    model = GaussianHMM(2, min_covar=0.0, random_state=0).fit([X], [states])
    np.testing.assert_allclose(model.means_[:, 0], [X[states == k].mean() for k in (0, 1)])
    np.testing.assert_allclose(model.transition_[0, 1], 2 / 80)
    few = np.full(160, -1)
    few[[3, 50]] = 1, 0
    swapped = GaussianHMM(2, random_state=0).fit([X], [few])
    assert swapped.means_[1, 0] < swapped.means_[0, 0]


def test_a_failed_fit_keeps_the_old_model_and_reports_are_kept():
    model = GaussianHMM(2, random_state=0).fit(X)
    before = model.transition_
    with pytest.raises(ValueError, match="GaussianHMM: X must be finite"):
        model.fit([np.array([1.0, np.inf])])
    assert model.transition_ is before
    assert model.fit_report_.status.value == "converged"
    assert np.diff(model.fit_report_.trace["objective"]).max() <= 1e-8


def test_repairs_are_in_the_report():
    model = CategoricalHMM(
        2, start_init=[1.0, 0.0], transition_init=[[1.0, 0.0], [0.5, 0.5]], random_state=0
    ).fit([[0, 1, 0, 1]])
    assert any("lost all its mass" in repair for repair in model.fit_report_.repairs)


def test_weights_repeat_sequences():
    parts = [X[:80], X[80:]]
    given = {
        "means_init": [[0.0], [6.0]],
        "start_init": [0.5, 0.5],
        "transition_init": np.full((2, 2), 0.5),
    }
    heavy = GaussianHMM(2, **given).fit(parts, sample_weight=[2.0, 1.0])
    long = GaussianHMM(2, **given).fit([parts[0], *parts])
    np.testing.assert_allclose(heavy.means_, long.means_, rtol=1e-6)
    with pytest.raises(ValueError, match="sample_weight must be of length 2"):
        heavy.fit(parts, sample_weight=[1.0])


LEFT_RIGHT = {
    "start_init": [1.0, 0.0, 0.0],
    "transition_init": [[0.8, 0.1, 0.1], [0.0, 0.9, 0.1], [0.0, 0.0, 1.0]],
    "means_init": [[0.0], [6.0], [1e4]],
}


@pytest.mark.parametrize("low_memory", [False, True])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_state_that_is_seeded_again_stays_out_of_zeros(low_memory):
    """sequence.16: structural zeros hold for a state that lost its mass, and the report tells."""
    model = GaussianHMM(3, low_memory=low_memory, **LEFT_RIGHT).fit(X[:80])
    assert any("state 2 had lost all its mass" in told for told in model.fit_report_.repairs)
    assert model.start_.tolist() == [1.0, 0.0, 0.0]
    assert (model.transition_[np.tril_indices(3, -1)] == 0).all()
    assert model.covariances_.max() < 50.0


@pytest.mark.parametrize(
    ("fixed", "told"),
    [
        (("start",), "seeded again"),
        (("transition",), "seeded again"),
        (("emission",), "its law is fixed"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_fixed_parts_do_not_hide_a_lost_state(fixed, told):
    model = GaussianHMM(3, fixed=fixed, **LEFT_RIGHT).fit(X[:80])
    assert any("state 2" in repair and told in repair for repair in model.fit_report_.repairs)
    if "start" in fixed:
        assert model.start_.tolist() == LEFT_RIGHT["start_init"]
    if "transition" in fixed:
        np.testing.assert_allclose(model.transition_, LEFT_RIGHT["transition_init"])
    if "emission" in fixed:
        np.testing.assert_array_equal(model.means_, LEFT_RIGHT["means_init"])


def test_a_lost_state_does_not_touch_a_law_that_others_show():
    """Tied states: the law of all rows is only for laws that no state shows any more."""
    settings = {
        "groups": [0, 1, 1],
        "start_init": [0.5, 0.5, 0.0],
        "transition_init": [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.4, 0.3, 0.3]],
        "means_init": [[0.0], [6.0]],
    }
    tied = GaussianHMM(3, **settings).fit(X)
    np.testing.assert_allclose(tied.means_[:, 0], [X[k == LEVEL].mean() for k in (0, 6)], atol=0.05)


def test_online_steps_are_reported():
    model = GaussianHMM(3, **LEFT_RIGHT)
    first = model.partial_fit(X[:80])
    assert first.n_iter_ == 1
    assert any("state 2 had lost all its mass" in told for told in first.fit_report_.repairs)
    assert model.partial_fit(X[80:]).n_iter_ == 2
    assert np.isfinite(model.fit_report_.objective)


def test_a_batch_without_a_state_keeps_its_law():
    """A batch in which a state does not occur says nothing about it."""
    model = GaussianHMM(2, random_state=0).fit(X)
    before = np.sort(model.means_[:, 0])
    calm = X[LEVEL == 0]
    after = np.sort(model.partial_fit(calm).means_[:, 0])
    np.testing.assert_allclose(after[1], before[1], atol=0.02)
    assert model.fit_report_.repairs == ()


def test_online_steps_go_on_after_a_fit():
    """Statistics of the fit are kept: five numbers do not make a model of a hundred forgotten."""
    model = GaussianHMM(2, random_state=0).fit(X)
    means = np.sort(model.means_[:, 0])
    model.partial_fit(np.array([0.5, -0.4, 6.5, 5.5, 6.0]))
    np.testing.assert_allclose(np.sort(model.means_[:, 0]), means, atol=0.1)
    assert not np.array_equal(np.sort(model.means_[:, 0]), means)


def test_symbols_that_come_later_are_refused():
    model = CategoricalHMM(2, random_state=0).partial_fit([[0, 1, 0, 1]])
    with pytest.raises(ValueError, match="n_symbols must be at least 4, the symbols seen"):
        model.partial_fit([[0, 3]])
    known = CategoricalHMM(2, n_symbols=4, emission_prior=1.5, random_state=0)
    known.partial_fit([[0, 1, 0, 1]])
    assert known.partial_fit([[0, 3]]).emission_probabilities_.shape == (2, 4)


@pytest.mark.parametrize("init", ["kmeans", "random", "mixture", "viterbi"])
def test_a_sequence_of_weight_zero_is_none(init):
    """Not even for the start, the scales, or the symbols there are."""
    rng = np.random.default_rng(3)
    parts = [X[:80], np.full(5, 1e6), X[80:]]
    model = GaussianHMM(2, init=init, random_state=0)
    with_it = clone(model).fit(parts, sample_weight=[1.0, 0.0, 1.0])
    without = clone(model).fit([parts[0], parts[2]])
    np.testing.assert_array_equal(with_it.covariances_, without.covariances_)
    walks = [rng.integers(0, 2, 40), np.array([2, 2])]
    symbols = CategoricalHMM(2, init=init, random_state=0).fit(walks, sample_weight=[1.0, 0.0])
    assert symbols.emission_probabilities_.shape == (2, 2)
    states = [np.zeros(40), np.ones(2)]
    labelled = CategoricalHMM(2, init=init, random_state=0)
    labelled.fit(walks, states, sample_weight=[1.0, 0.0])
    assert labelled.emission_probabilities_.shape == (2, 2)


@pytest.mark.parametrize("kind", ["full", "diag"])
def test_weights_repeat_sequences_from_the_start_on(kind):
    """No start given: scales, clusters and counts take the weights as well."""
    parts = [X[:40], X[40:120], X[120:]]
    model = GaussianHMM(2, kind, random_state=0, tol=1e-12, max_iter=1000)
    heavy = clone(model).fit(parts, sample_weight=[3, 1, 2])
    long = clone(model).fit([parts[i] for i in (0, 0, 0, 1, 2, 2)])
    one, other = (np.argsort(m.means_[:, 0]) for m in (heavy, long))
    for name in ("start_", "means_", "covariances_"):
        np.testing.assert_allclose(
            getattr(heavy, name)[one], getattr(long, name)[other], rtol=1e-4, atol=1e-12
        )
    assert -heavy.fit_report_.objective == pytest.approx(-long.fit_report_.objective, rel=1e-8)
    symbols = [np.digitize(part, [3.0]) for part in parts]
    rows = CategoricalHMM(2, init="kmeans", random_state=0, tol=1e-12, max_iter=2000)
    one = clone(rows).fit(symbols, sample_weight=[3, 1, 2]).fit_report_.objective
    other = clone(rows).fit([symbols[i] for i in (0, 0, 0, 1, 2, 2)]).fit_report_.objective
    assert one == pytest.approx(other, rel=1e-6)


@pytest.mark.parametrize("model", [GaussianHMM(2), CategoricalHMM(2), GMMHMM(2), ARHMM(2)])
def test_what_is_seen_nowhere_is_refused(model):
    name = type(model).__name__
    with pytest.raises(ValueError, match=f"{name}: X must be observed somewhere, got"):
        clone(model).fit([np.full(5, np.nan)])
    if not isinstance(model, CategoricalHMM):
        gap = np.column_stack([X, np.full(160, np.nan)])
        with pytest.raises(ValueError, match="observed somewhere in every column, got 'NaN every"):
            clone(model).fit(gap)


def test_little_memory_and_best_paths_do_not_go_together():
    with pytest.raises(ValueError, match="low_memory must be False with algorithm='viterbi'"):
        GaussianHMM(2, low_memory=True, algorithm="viterbi").fit(X)


def peak(length, **settings):
    """Bytes held at most by a fit and its questions, beside the data."""
    rows = np.tile(np.repeat([0.0, 6.0], 50), length // 100)[:, None]
    rows += np.random.default_rng(0).normal(size=rows.shape)
    model = GaussianHMM(8, max_iter=2, random_state=0, **settings)
    tracemalloc.start()
    with pytest.warns(ConvergenceWarning):
        model.fit(rows)
    model.score(rows)
    model.forecast(3)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held


def test_memory_grows_with_the_root_of_the_length():
    """sequence.16: sixteen times the steps, and far less than sixteen times the memory."""
    short, long = peak(40_000, low_memory=True), peak(640_000, low_memory=True)
    assert long < 3.0 * short
    assert long < 640_000 * 8 * 8 / 4  # a quarter of one table of all steps and states
    assert peak(40_000) > 40_000 * 8 * 8


def test_little_memory_gives_the_same():
    """sequence.16: many short sequences go together, long ones piece by piece."""
    rng = np.random.default_rng(5)
    parts = [X + rng.normal(size=160) for _ in range(20)] + [np.tile(X, 10), np.zeros(0)]
    for model in (
        GaussianHMM(3, random_state=0, max_iter=30, tol=0.0),
        GMMHMM(2, 2, random_state=0, max_iter=5, tol=0.0),
    ):
        with pytest.warns(ConvergenceWarning):
            whole = clone(model).fit(parts)
        with pytest.warns(ConvergenceWarning):
            pieces = clone(model).set_params(low_memory=True, n_jobs=2).fit(parts)
        np.testing.assert_allclose(pieces.means_, whole.means_, rtol=1e-6)
        np.testing.assert_allclose(pieces.log_prob(parts), whole.log_prob(parts), rtol=1e-8)
        np.testing.assert_allclose(pieces.forecast(4).mean, whole.forecast(4).mean, rtol=1e-6)
