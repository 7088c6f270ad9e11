"""What GES and GIES share."""

import warnings

import numpy as np
import pytest

from margin.causal import GES, GIES


@pytest.mark.parametrize("learner", [GES, GIES])
def test_running_out_is_said(learner):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 1)) + 0.5 * rng.standard_normal((200, 6))
    with pytest.warns(UserWarning, match="raise max_work or set max_degree"):
        learner(max_work=50).fit(X)
    with pytest.warns(UserWarning, match="stopped after max_iter=2 steps; raise max_iter"):
        short = learner(max_iter=2).fit(X)
    assert short.fit_report_.n_iter == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = learner().fit(X)
    assert whole.score_ > short.score_
    assert whole.n_families_ > 0


@pytest.mark.parametrize("learner", [GES, GIES])
def test_a_failed_fit_keeps_the_old_model(learner):
    X = np.random.default_rng(0).standard_normal((50, 2))
    model = learner().fit(X)
    with pytest.raises(ValueError, match="not constant"):
        model.fit(np.column_stack([X, np.full(50, 0.5)]))
    assert model.n_features_in_ == len(model.graph_) == 2
