import numpy as np
import pytest

from margin.sequence import CategoricalHMM, GaussianHMM

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
    assert 0 <= model.forecast(X).mean[0] <= 7


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
    model.fit(X)
    assert not hasattr(model, "_online")


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
