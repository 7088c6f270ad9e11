"""graphical.38: the estimator."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.core import Status
from margin.graphical import OrderMCMC
from margin.graphical.learning.structure._order_mcmc import most_probable
from margin.native.structure import structure


def rows(n=150):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n, 4))
    X[:, 1] = X[:, 0] ^ (rng.random(n) < 0.1)
    X[:, 3] = X[:, 2] & X[:, 1]
    return X


def test_chains_agree_and_a_seed_repeats():
    model = OrderMCMC(n_samples=2000, n_chains=3, random_state=1).fit(rows())
    assert model.spread_ < 0.1
    assert "chains" in repr(model.fit_report_)
    again = OrderMCMC(n_samples=2000, n_chains=3, random_state=1).fit(rows())
    np.testing.assert_array_equal(model.edge_probability_, again.edge_probability_)


def test_disagreement_of_chains_is_told():
    with pytest.warns(ConvergenceWarning, match="OrderMCMC: chains differ by"):
        OrderMCMC(n_samples=1, burn_in=0, thin=1, n_chains=4, tol=0.01, random_state=0).fit(
            rows(30)
        )


def test_near_the_exact_average():
    sampled = OrderMCMC(n_samples=2000, random_state=0).fit(rows(60)).edge_probability_
    exact = OrderMCMC(exact=True).fit(rows(60))
    assert exact.spread_ == 0.0
    joined = exact.edge_probability_ + exact.edge_probability_.T
    # Uniform over orders is not uniform over graphs: the two posteriors are only near.
    np.testing.assert_allclose(sampled + sampled.T, joined, atol=0.2)


def test_graph_of_probable_arcs_is_acyclic():
    cyclic = np.array([[0, 0.9, 0.1], [0.6, 0, 0.8], [0.7, 0, 0]])
    np.testing.assert_array_equal(most_probable(cyclic, 0.5), [[0, 1, 0], [0, 0, 1], [0, 0, 0]])


@pytest.mark.parametrize(
    ("options", "columns", "message"),
    [
        ({"exact": True}, 6, "at most 5 nodes"),
        ({}, 65, "at most 64 columns"),
        ({"threshold": 1.5}, 2, "threshold must be"),
        ({"score": "aic"}, 2, "score must be one of"),
    ],
)
def test_bad_input(options, columns, message):
    with pytest.raises(ValueError, match=message):
        OrderMCMC(**options).fit(np.zeros((3, columns), dtype=int))


def test_interruption_keeps_the_orders_sampled_so_far(monkeypatch):
    """graphical.38: no further chain is begun."""
    whole = structure.order_chain

    def stopped(*args):
        edges, trace, accepted = whole(*args)
        return edges, trace[:40], accepted

    monkeypatch.setattr(structure, "order_chain", stopped)
    with pytest.warns(ConvergenceWarning, match="interrupted after 40 orders"):
        model = OrderMCMC(n_samples=50, n_chains=3, random_state=1).fit(rows())
    assert len(model.graph_.edges) > 0


def test_many_columns_have_an_end():
    """Sixty columns would need minutes; the walk is cut to what was asked for, and says so."""
    X = np.random.default_rng(0).integers(0, 3, (3, 60))
    learner = OrderMCMC(max_parents=1, max_work=8e6, random_state=0)
    with pytest.warns(
        ConvergenceWarning, match=r"226 of 2000 orders sampled within max_work=8e\+06"
    ):
        learner.fit(X)
    assert len(learner.fit_report_.trace["objective"]) == 226


def test_many_columns_of_many_states_have_an_end():
    """Families that would need minutes are left out, largest sets of parents first."""
    X = np.random.default_rng(0).integers(0, 30, (17, 60))
    learner = OrderMCMC(max_work=2e7, random_state=0)
    told = r"sets of more than 1 parents left out and \d+ of 2000 orders sampled"
    with pytest.warns(ConvergenceWarning, match=told):
        learner.fit(X)
    assert learner.fit_report_.n_iter < 2000


def test_few_columns_leave_no_sets_out():
    """More parents than there are columns is no wish that the work could deny."""
    X = rows(80)[:, :3]
    report = OrderMCMC(max_parents=5, random_state=0).fit(X).fit_report_
    assert report.status is Status.CONVERGED
