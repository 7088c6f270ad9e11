import numpy as np
import pytest
from scipy.optimize import minimize

from margin.core import FitError, Iterate, Status, Stop, iterate, watch

STOP = Stop("size", 1e-3, 50)


def states(objectives, certificates=None, **columns):
    """States with these values, one per iteration."""
    if certificates is None:
        certificates = [1.0] * len(objectives)
    for n, (f, c) in enumerate(zip(objectives, certificates, strict=True)):
        yield Iterate(np.array([float(n)]), f, c, n, **columns)


def both(make, stop, **options):
    """The same states, pulled and pushed."""
    pulled = iterate(make(), stop, **options)

    def search(see):
        for state in make():
            see(state)

    pushed = watch(search, stop, **options)
    for name in ("status", "n_iter", "objective", "certificate", "message", "repairs"):
        assert getattr(pulled, name) == getattr(pushed, name)
    return pulled


def test_converged_at_the_first_state_whose_certificate_holds():
    solution = both(lambda: states([3.0, 2.0, 1.0, 0.5], [1.0, 0.1, 1e-3, 0.0]), STOP, solver="s")
    assert (solution.status, solution.n_iter, solution.objective) == (Status.CONVERGED, 2, 1.0)
    assert (solution.message, solution.solver, solution.x[0]) == ("", "s", 2.0)
    assert (solution.certificate.kind, solution.certificate.value) == ("size", 1e-3)
    assert solution.trace["objective"].tolist() == [3.0, 2.0, 1.0]


def test_a_start_that_is_the_answer_makes_no_iteration():
    called = []
    start = [Iterate(np.ones(1), 1.0, 0.0)]
    solution = iterate(start, STOP, callback=lambda *seen: called.append(seen))
    assert (solution.status, solution.n_iter, called) == (Status.CONVERGED, 0, [])


def test_convergence_is_where_the_search_stands_not_the_lowest_point():
    solution = both(lambda: states([1.0, 0.5, 0.6], [1.0, 1.0, 0.0]), STOP)
    assert (solution.status, solution.objective) == (Status.CONVERGED, 0.6)


@pytest.mark.parametrize(("keep", "where"), [("lowest", 1.0), ("closest", 2.0), ("last", 3.0)])
def test_the_answer_of_a_search_cut_short(keep, where):
    stop = Stop("size", 1e-3, 3, keep=keep)
    solution = both(lambda: states([3.0, 1.0, 2.0, 2.5], [0.9, 0.8, 0.2, 0.7]), stop)
    assert (solution.status, solution.n_iter) == (Status.MAX_ITER, 3)
    assert solution.x[0] == where
    assert solution.message.startswith("stopped after max_iter=3 iterations with size ")
    assert f"{solution.certificate.value:.3g} above" in solution.message


def test_states_that_end_are_stuck():
    solution = both(lambda: states([3.0, 2.0]), STOP)
    assert solution.status is Status.STALLED
    assert "no progress at machine precision after 1 iteration: size 1" in solution.message


def test_a_stuck_state_says_why_and_is_not_an_iteration():
    def make():
        yield Iterate(0.0, 2.0, 1.0, 0)
        yield Iterate(0.0, 1.0, 1.0, 1)
        yield Iterate(0.0, 1.0, 1.0, 1, stuck="no step is short enough")
        raise AssertionError("nothing is asked for after the end")

    solution = both(make, STOP)
    assert (solution.status, solution.n_iter) == (Status.STALLED, 1)
    assert "(no step is short enough)" in solution.message
    assert len(solution.trace["objective"]) == 2


def test_a_stuck_state_whose_certificate_holds_has_converged():
    solution = iterate([Iterate(0.0, 1.0, 0.0, 0, unfinished=True, stuck="rounding")], STOP)
    assert (solution.status, solution.message) == (Status.CONVERGED, "")


def test_an_unfinished_search_goes_on_beyond_the_tolerance():
    def make():
        for n in range(4):
            yield Iterate(0.0, -float(n), 1e-4, n, unfinished=n < 3)

    assert iterate(make(), STOP).n_iter == 3
    assert iterate(make(), Stop("size", 1e-3, 2)).status is Status.CONVERGED


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["objective", "certificate"])
def test_numbers_that_are_not_finite_fail_and_keep_the_best(bad, where):
    last = (bad, 1.0) if where == "objective" else (0.5, bad)
    solution = both(lambda: states([3.0, 1.0, last[0]], [1.0, 1.0, last[1]]), STOP)
    assert solution.status is Status.FAILED
    assert f"the objective became {last[0]} with size {last[1]} at iteration 2" == solution.message
    assert np.isfinite(solution.objective)


def test_a_method_may_give_up():
    given_up = [Iterate(0.0, 1.0, 0.0, failed="there is no minimum")]
    solution = iterate(given_up, STOP)
    assert (solution.status, solution.message) == (Status.FAILED, "there is no minimum")


def test_a_fit_error_is_a_failure_with_its_words():
    def make():
        yield from states([3.0, 1.0])
        raise FitError("the matrix broke down")

    solution = both(make, STOP)
    assert (solution.status, solution.message) == (Status.FAILED, "the matrix broke down")
    assert (solution.objective, solution.n_iter) == (1.0, 1)


@pytest.mark.parametrize("event", [KeyboardInterrupt, FitError])
def test_before_the_first_state_there_is_nothing_to_save(event):
    def make():
        raise event
        yield

    with pytest.raises(event):
        iterate(make(), STOP)
    with pytest.raises(event):
        watch(lambda see: next(make()), STOP)
    with pytest.raises(FitError, match="no state"):
        iterate([], STOP)


def test_other_exceptions_pass():
    def make():
        yield from states([3.0])
        raise ValueError("as it was")

    with pytest.raises(ValueError, match="as it was"):
        iterate(make(), STOP)


@pytest.mark.parametrize("where", ["method", "callback"])
def test_interruption_keeps_the_best(where):
    def make():
        yield from states([3.0, 1.0, 2.0])
        if where == "method":
            raise KeyboardInterrupt
        yield Iterate(np.array([9.0]), 0.5, 1.0, 3)

    def callback(n, objective):
        if where == "callback" and n == 3:
            raise KeyboardInterrupt

    solution = both(make, STOP, callback=callback)
    assert (solution.status, solution.interrupted) == (Status.MAX_ITER, True)
    assert solution.objective == (1.0 if where == "method" else 0.5)
    assert solution.message == f"interrupted after {solution.n_iter} iterations"


def test_rest_is_no_change_of_objective_and_certificate():
    stop = Stop("size", 1e-3, 50, rest=5)
    still = iterate(states([1.0] * 20, [0.5] * 20), stop)
    assert (still.status, still.n_iter) == (Status.STALLED, 5)
    assert "objective and certificate are at rest" in still.message
    moving = iterate(states([1.0] * 20, list(0.5 ** np.arange(1.0, 21.0))), stop)
    assert moving.status is Status.CONVERGED
    assert iterate(states([1.0] * 20), Stop("size", 1e-3, 10)).status is Status.MAX_ITER


def test_patience_asks_for_falls_of_a_certificate_that_is_near():
    slow = list(0.5 * 0.9999 ** np.arange(30.0))
    falling = list(np.linspace(2, 1, 30))
    stop = Stop("size", 1e-3, 29, patience=10, near=1.0)
    assert iterate(states(falling, slow), stop).n_iter == 10
    assert iterate(states(falling, slow), stop).status is Status.STALLED
    far = Stop("size", 1e-3, 29, patience=10, near=0.1)
    assert iterate(states(falling, slow), far).status is Status.MAX_ITER


def test_an_objective_that_must_not_rise_ends_the_search():
    stop = Stop("size", 1e-3, 50, monotone=1e-9)
    solution = both(lambda: states([3.0, 1.0, 1.0 + 1e-12, 1.5, 0.0]), stop)
    assert (solution.status, solution.n_iter, solution.objective) == (Status.STALLED, 3, 1.0)
    assert "the objective rose by 0.5 in iteration 3, which it never should" in solution.message


def test_a_rise_is_told_though_the_certificate_holds():
    solution = iterate(states([1.0, 2.0], [1.0, 0.0]), Stop("size", 1e-3, 50, monotone=1e-9))
    assert solution.status is Status.STALLED


def test_a_repair_excuses_a_rise():
    def make():
        yield Iterate(0.0, 1.0, 1.0, 0)
        yield Iterate(0.0, 2.0, 1.0, 1, repairs=("component re-seeded",))
        yield Iterate(0.0, 1.5, 0.0, 2, repairs=("component re-seeded", "component re-seeded"))

    solution = iterate(make(), Stop("size", 1e-3, 50, monotone=1e-9))
    assert (solution.status, solution.repairs) == (Status.CONVERGED, ("component re-seeded",))


def test_without_tolerance_all_iterations_are_the_task():
    solution = iterate(states([3.0, 2.0, 1.0], [0.0] * 3), Stop("size", None, 2))
    assert (solution.status, solution.n_iter) == (Status.CONVERGED, 2)
    assert (solution.certificate, solution.message) == (None, "")


def test_columns_and_extras_travel():
    stop = Stop("size", 1e-3, 2, columns=("step", "x"), keep="lowest")
    make = [
        Iterate(np.ones(2) * n, f, 1.0, n, (0.5 * n, np.ones(2) * n), extras={"n": n})
        for n, f in enumerate([3.0, 1.0, 2.0])
    ]
    solution = iterate(make, stop)
    assert solution.extras == {"n": 1}
    assert solution.trace["step"].tolist() == [0.0, 0.5, 1.0]
    assert solution.trace["x"].shape == (3, 2)


def test_a_column_may_show_another_objective():
    called = []
    stop = Stop("size", 1e-3, 2, columns=("objective",))
    make = [Iterate(0.0, 1.0, 1.0, n, (5.0 + n,)) for n in range(3)]
    solution = iterate(make, stop, callback=lambda *seen: called.append(seen))
    assert solution.objective == 1.0
    assert solution.trace["objective"].tolist() == [5.0, 6.0, 7.0]
    assert called == [(1, 6.0), (2, 7.0)]


def test_finish_completes_the_answer_and_may_prove_it():
    def finish(at):
        return at._replace(certificate=0.0, objective=0.75, trace=(0.25,))

    stop = Stop("size", 1e-3, 2, columns=("gap",), keep="last")
    make = [Iterate(0.0, 1.0, None, n, (1.0,)) for n in range(4)]
    solution = iterate(make, stop, finish=finish)
    assert (solution.status, solution.message) == (Status.CONVERGED, "")
    assert solution.trace["objective"].tolist() == [1.0, 1.0, 0.75]
    assert solution.trace["gap"].tolist() == [1.0, 1.0, 0.25]


def test_a_foreign_optimiser_ends_when_the_rule_says_so():
    calls = []

    def search(see):
        def step(intermediate_result):
            x = intermediate_result.x
            calls.append(x)
            see(Iterate(x, intermediate_result.fun, float(np.abs(2 * x).max()), len(calls)))

        minimize(lambda x: float(x @ x), np.full(3, 10.0), callback=step, method="CG")
        raise AssertionError("the rule ends the search first")

    solution = watch(search, Stop("gradient norm", 1e2, 50))
    assert (solution.status, len(calls)) == (Status.CONVERGED, 1)


def test_searches_within_searches_end_by_themselves():
    def inner(see):
        for n in range(10):
            see(Iterate(0.0, -float(n), 1.0, n))

    def outer(see):
        for n in range(4):
            found = watch(inner, Stop("size", 1e-3, n + 1))
            see(Iterate(0.0, found.objective, 1.0, n))

    solution = watch(outer, Stop("size", 1e-3, 2))
    assert (solution.n_iter, solution.objective) == (2, -3.0)
