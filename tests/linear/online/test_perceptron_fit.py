import numpy as np
import pytest

from margin import optim
from margin.core import Status, stored_rows
from margin.linear.online._corrections import Corrections, Examples, Rule
from margin.linear.online._perceptron_fit import learn, learn_once

X = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [2.0, 1.0]])
CODE = np.array([1, 0, 0, 1])
RULES = [Rule(optim.Constant(1.0), batch=batch, shuffle=True) for batch in (True, False)]


def examples(X=X, code=CODE):
    return Examples(X, np.asarray(code, dtype=np.int64), stored_rows(code, None), True)


@pytest.mark.parametrize("rule", RULES, ids=["batch", "stochastic"])
def test_learning_ends_where_nothing_is_wrong_or_nothing_gets_better(rule):
    """linear.29: an epoch without corrections ends the search; otherwise patience does."""
    start = Corrections.none(4, 1, 3, average=False)
    done = learn(examples(), start, rule, tol=None, max_iter=50, patience=3)
    assert done.status is Status.CONVERGED
    assert done.objective == 0.0
    assert done.certificate.value == 0.0
    assert not examples().unsettled(done.x).any()
    clash = examples(np.array([[1.0], [1.0]]), np.array([0, 1]))
    start = Corrections.none(2, 1, 2, average=False)
    stuck = learn(clash, start, rule, tol=1e-3, max_iter=50, patience=3)
    assert stuck.status is Status.CONVERGED
    assert stuck.n_iter == 3
    assert stuck.objective == 0.5, "one answer for two labels"
    assert (stuck.certificate.value, stuck.certificate.tolerance) == (0.0, 1e-3)
    endless = learn(clash, start, rule, tol=None, max_iter=50, patience=3)
    assert endless.status is Status.MAX_ITER
    assert endless.n_iter == 50


@pytest.mark.parametrize("rule", RULES, ids=["batch", "stochastic"])
def test_interrupted_search_keeps_its_best_weights(rule):
    """The driver's Ctrl-C: the best weights so far are the answer."""
    clash = examples(np.array([[1.0], [1.0], [-1.0]]), np.array([0, 1, 0]))

    def stop(n_iter, share):
        if n_iter == 4:
            raise KeyboardInterrupt

    start = Corrections.none(3, 1, 2, average=False)
    cut = learn(clash, start, rule, tol=None, max_iter=50, patience=3, callback=stop)
    assert cut.interrupted
    assert cut.message == "interrupted after 4 epochs"
    assert cut.objective == clash.error_share(cut.x)


def test_trace_has_the_share_after_every_epoch_and_last_the_answer():
    clash = examples(np.array([[1.0], [1.0], [-1.0]]), np.array([0, 1, 0]))
    start, seen = Corrections.none(3, 1, 2, average=False), []
    solution = learn(
        clash, start, RULES[1], tol=None, max_iter=6, patience=3,
        callback=lambda n, share: seen.append(share),
    )  # fmt: skip
    shares = solution.trace["objective"]
    np.testing.assert_array_equal(shares[1:-1], seen[:-1])
    assert shares[0] == clash.error_share(start.w)
    assert shares[-1] == solution.objective <= min(seen)


def test_one_epoch_answers_with_its_last_weights():
    start = Corrections.none(4, 1, 3, average=False)
    solution = learn_once(examples(), start, RULES[1])
    np.testing.assert_array_equal(solution.x, solution.extras["state"].w)
    assert solution.status is Status.CONVERGED
    assert solution.certificate is None
