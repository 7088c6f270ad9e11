"""A linear dynamical system learned from sequences."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Sequences, atomic, check
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import MultivariateNormal, Normal
from margin.inference import (
    Expectation,
    LinearSystem,
    expectation_maximisation,
    forecast,
    kalman_filter,
    kalman_log_likelihood,
    kalman_smoother,
    simulate,
)
from margin.sequence._laws import normal_law
from margin.sequence._real_sequences import input_rows, last_sequence, real_sequences
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked, with_room
from margin.sequence.state_space._expectation import (
    SequenceData,
    SystemMoments,
    expected_moments,
)
from margin.sequence.state_space._gradient import maximise_likelihood
from margin.sequence.state_space._maximisation import Constraints, maximised
from margin.sequence.state_space._parameters import SystemParameters
from margin.sequence.state_space._start import starting_parameters

_NOISE = ("full", "diagonal", "spherical")
_LETTERS = ("A", "B", "b", "C", "D", "d", "Q", "R", "mean", "cov")


class LinearDynamicalSystem(BaseEstimator):
    r"""A hidden state that moves linearly and is seen through a matrix (sequence.32).

    .. math:: x_t = A x_{t-1} + B u_t + b + N(0, Q), \qquad y_t = C x_t + D u_t + d + N(0, R),
              \qquad x_0 \sim N(m, P)

    Learned by maximum likelihood, with expectation maximisation or along the gradient; filter,
    smoother and forecasts are exact. Time runs along the rows; a sequence is a sample. Fixing
    parts gives structured systems, and fixing all but the noise a tracker (sequence.38).

    Parameters
    ----------
    n_states : int
        Entries of the state.
    solver : {"em", "lbfgs"}
        Expectation maximisation, or gradient steps.
    state_noise, output_noise : {"full", "diagonal", "spherical"}
        Shapes of ``Q`` and ``R``.
    state_bias, output_bias : bool
        Whether ``b`` and ``d`` are learned; they are zero otherwise.
    fixed : dict, optional
        Parameters that are known, by letter: ``A B b C D d Q R mean cov``.
    start : dict, optional
        Where the first search begins, by letter.
    max_iter, tol : int, float
        Most iterations, and the relative gain (the largest slope per number seen, with
        ``"lbfgs"``) that counts as converged.
    n_init : int
        Starts; the first comes from a subspace of recent rows, further ones are turned at random.
    random_state : int, Generator, RandomState or None
        For further starts.
    n_jobs : int, optional
        Threads, shared among sequences.

    Attributes
    ----------
    parameters_ : SystemParameters
        All of them, by letter.
    log_likelihood_ : float
        Of the training data.
    fit_report_ : FitReport
    n_features_in_ : int
        Numbers per row.

    Notes
    -----
    An iteration costs :math:`O(T (n + m)^2)` once covariances have settled, :math:`O(T n^3)` while
    they have not; NaN in a row starts that anew. The covariance of the first state is learned
    where there are more sequences than states, and is the identity otherwise.

    References
    ----------
    Ghahramani and Hinton (1996), Parameter estimation for linear dynamical systems.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.sequence import LinearDynamicalSystem
    >>> y = np.cos(np.arange(80) / 3.0)
    >>> model = LinearDynamicalSystem(2, tol=1e-3).fit([y])
    >>> ahead = model.forecast(3)
    >>> bool(np.abs(ahead.mean - np.cos(np.arange(80, 83) / 3.0)).max() < 0.1)
    True
    """

    card = Card(
        tasks=("density",),
        search_space={"n_states": [1, 2, 4, 8]},
        input="sequences",
    )

    def __init__(
        self,
        n_states: int = 2,
        *,
        solver: str = "em",
        state_noise: str = "full",
        output_noise: str = "diagonal",
        state_bias: bool = False,
        output_bias: bool = True,
        fixed: dict[str, Any] | None = None,
        start: dict[str, Any] | None = None,
        max_iter: int = 200,
        tol: float = 1e-6,
        n_init: int = 1,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.solver = solver
        self.state_noise = state_noise
        self.output_noise = output_noise
        self.state_bias = state_bias
        self.output_bias = output_bias
        self.fixed = fixed
        self.start = start
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, *, lengths: Any = None, inputs: Any = None) -> Self:
        """Learn from sequences.

        Parameters
        ----------
        X : list of arrays of shape (T,) or (T, m), Sequences, or one array
            NaN means unobserved, exactly.
        y : Any
            Not used.
        lengths : array-like of int, optional
            Of the sequences in one array ``X``.
        inputs : like X, optional
            ``u``, observed everywhere, with the lengths of ``X``.
        """
        check.params(
            self,
            count="n_states max_iter n_init",
            positive="tol",
            flag="state_bias output_bias",
            one_of={"solver": ("em", "lbfgs"), "state_noise": _NOISE, "output_noise": _NOISE},
        )
        given = real_sequences(self, X, lengths)
        if np.isnan(given.buffer).all():
            raise check.fail(self, "X", "observed somewhere", "NaN everywhere")
        U = input_rows(self, inputs, given, None)
        data = SequenceData.of(given.buffer, U, given.offsets, self.n_jobs)
        sizes = self.n_states, given.buffer.shape[1], U.shape[1]
        held, begin = (_by_letter(self, name, *sizes) for name in ("fixed", "start"))
        if not self.output_bias:
            held.setdefault("d", np.zeros(sizes[1]))
        spread = float(np.nanvar(given.buffer))
        rules = Constraints(
            held, self.state_noise, self.output_noise, self.state_bias, 1e-9 * spread + 1e-12
        )
        rng = generator(self.random_state)

        def starts() -> Iterator[SystemParameters]:
            for i in range(self.n_init):
                known = held if i else {**begin, **held}
                yield starting_parameters(data, self.n_states, known, rng if i else None)

        searched = self._search(data, rules, starts())
        self.parameters_, solution = searched
        self.log_likelihood_ = -float(solution.objective)
        self.n_features_in_, self.n_inputs_ = given.buffer.shape[1], U.shape[1]
        last = last_sequence(given)
        known = kalman_filter(self._system(U[-len(last) :]), last)
        self.last_mean_, self.last_cov_ = known.mean[-1], known.cov[-1]
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    def log_prob(self, X: Any, *, lengths: Any = None, inputs: Any = None) -> Floats:
        """Log-likelihood of every sequence (sequence.36)."""
        given, U = self._given(X, lengths, inputs)
        return kalman_log_likelihood(self._system(U), given, n_jobs=self.n_jobs)

    def score(self, X: Any, y: Any = None, *, lengths: Any = None, inputs: Any = None) -> float:
        """Log-likelihood per step, of all sequences together."""
        given, U = self._given(X, lengths, inputs)
        total = kalman_log_likelihood(self._system(U), given, n_jobs=self.n_jobs)
        return float(total.sum()) / len(given.buffer)

    def transform(self, X: Any, *, lengths: Any = None, inputs: Any = None) -> Sequences:
        """Smoothed means of the states, a sequence for each."""
        given, U = self._given(X, lengths, inputs)
        smoothed = kalman_smoother(self._system(U), given, n_jobs=self.n_jobs)
        return Sequences(smoothed.mean, given.lengths)

    def query(
        self, X: Any, times: Any = None, *, kind: str = "smoothed", inputs: Any = None
    ) -> Normal | MultivariateNormal:
        """Law of the state of one sequence at some times, also beyond its end.

        Parameters
        ----------
        X : array of shape (T,) or (T, m)
            One sequence.
        times : array-like of int, optional
            Positions from 0; all by default. Those from T on are forecasts.
        kind : {"smoothed", "filtered", "predicted"}
            Given all rows, those up to the time, or those before it.
        inputs : array of shape (at least the last time + 1, p), optional
        """
        given = real_sequences(self, X, width=self._width())
        at = asked(self, times, len(given.buffer), beyond=True)
        if kind not in ("smoothed", "filtered", "predicted"):
            raise check.fail(self, "kind", "one of 'smoothed', 'filtered', 'predicted'", kind)
        Y = with_room(given.buffer, at)
        system = self._system(input_rows(self, inputs, Sequences([Y]), self.n_inputs_))
        if kind == "smoothed":
            smoothed = kalman_smoother(system, Y)
            return normal_law(smoothed.mean[at], smoothed.cov[at])
        known = kalman_filter(system, Y)
        if kind == "filtered":
            return normal_law(known.mean[at], known.cov[at])
        return normal_law(known.predicted_mean[at], known.predicted_cov[at])

    def forecast(
        self, h: int = 1, X: Any = None, *, inputs: Any = None, future_inputs: Any = None
    ) -> Normal | MultivariateNormal:
        """Laws of the next ``h`` rows after a sequence, with their quantiles and intervals.

        Parameters
        ----------
        h : int
        X : array of shape (T,) or (T, m), optional
            What came before; the last sequence of the training data by default.
        inputs : array of shape (T, p), optional
            Inputs of ``X``.
        future_inputs : array of shape (h, p), optional
            Inputs of the rows to come, where the system has any.
        """
        self._width()
        h = horizon(self, h)
        mean, cov = self.last_mean_, self.last_cov_
        if X is not None:
            given, U = self._given(X, None, inputs)
            known = kalman_filter(self._system(U), given.buffer)
            mean, cov = known.mean[-1], known.cov[-1]
        future = input_rows(self, future_inputs, Sequences([np.zeros((h, 1))]), self.n_inputs_)
        ahead = forecast(self._system(future), mean, cov, h)
        return normal_law(ahead.mean, ahead.cov)

    def sample(
        self, n_steps: int = 1, *, inputs: Any = None, random_state: Any = None
    ) -> tuple[Floats, Floats]:
        """Rows and states of one sequence drawn from the model."""
        self._width()
        U = input_rows(self, inputs, Sequences([np.zeros((n_steps, 1))]), self.n_inputs_)
        states, rows = simulate(self._system(U), n_steps, generator(random_state))
        return rows, states

    def _search(
        self, data: SequenceData, rules: Constraints, starts: Iterator[SystemParameters]
    ) -> Any:
        if self.solver == "lbfgs":
            tried = [
                maximise_likelihood(data, s, rules, tol=self.tol, max_iter=self.max_iter)
                for s in starts
            ]
            return min(tried, key=lambda pair: pair[1].objective)

        def expect(at: SystemParameters) -> Expectation[SystemMoments]:
            return expected_moments(at, data)

        solution = expectation_maximisation(
            expect,
            lambda moments, at: maximised(moments, at, rules),
            starts,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        return solution.x, solution

    def _system(self, U: Floats) -> LinearSystem:
        system: LinearSystem = self.parameters_.system(U)
        return system

    def _width(self) -> int:
        check_is_fitted(self)
        return int(self.n_features_in_)

    def _given(self, X: Any, lengths: Any, inputs: Any) -> tuple[Sequences, Floats]:
        given = real_sequences(self, X, lengths, width=self._width())
        return given, input_rows(self, inputs, given, self.n_inputs_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _by_letter(owner: Any, name: str, n: int, m: int, p: int) -> dict[str, Floats]:
    """Parameters that were given, in the shapes that they must have."""
    shapes = {
        "A": (n, n), "B": (n, p), "b": (n,), "C": (m, n), "D": (m, p), "d": (m,),
        "Q": (n, n), "R": (m, m), "mean": (n,), "cov": (n, n),
    }  # fmt: skip
    held = {}
    for letter, value in (getattr(owner, name) or {}).items():
        if letter not in shapes:
            raise check.fail(owner, name, f"a dict with keys among {' '.join(_LETTERS)}", letter)
        array = np.asarray(value, dtype=np.float64)
        if array.shape != shapes[letter] or not np.isfinite(array).all():
            need = f"finite and of shape {shapes[letter]}"
            raise check.fail(owner, f"{name}[{letter!r}]", need, f"shape {array.shape}")
        held[letter] = array
    return held
