"""Hidden Markov models whose transitions follow inputs."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check, threads
from margin.core.random import generator
from margin.core.types import Floats
from margin.inference import expectation_maximisation
from margin.sequence._step_laws import horizon
from margin.sequence.hidden_markov._data import (
    Observed,
    counted_sequences,
    observed,
    refuse_unseen,
)
from margin.sequence.hidden_markov._forecast import mixed_steps
from margin.sequence.hidden_markov._learning import Learning
from margin.sequence.hidden_markov._mass import hard_counts
from margin.sequence.hidden_markov._starts import begun_shares
from margin.sequence.hidden_markov.emissions._emission import Emission
from margin.sequence.hidden_markov.emissions._named_emission import named_emission
from margin.sequence.hidden_markov.inputs._driven_paths import (
    driven_filter,
    driven_viterbi,
    driven_walk,
)
from margin.sequence.hidden_markov.inputs._input_learning import Driven, InputLearning


class InputHMM(BaseEstimator):
    r"""Hidden Markov model with inputs: input-output HMM (sequence.24).

    .. math:: p(h_t = j \mid h_{t-1} = i, u_t) \propto \exp(b_{ij} + w_{ij}^\top u_t), \qquad
              v_t \mid h_t = k \sim p(v_t \mid \theta_k)

    Parameters
    ----------
    n_states : int
    n_inputs : int
        The first so many columns of every row are inputs :math:`u_t`, observed everywhere; the
        others are what is seen, NaN where it is not. So a sequence stays one array, and
        cross-validation never parts inputs from observations.
    emission : "gaussian", "categorical" or family
        What the states show.
    covariance_type, min_covar
        As in :class:`GaussianHMM`, for normal vectors.
    alpha : float
        Strength of the squared penalty of the coefficients.
    decoding : {"posterior", "viterbi"}
        What :meth:`predict` answers: the best state of every step by itself, or the best path.
    n_init, max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    start_ : ndarray of shape (K,)
    coef_ : ndarray of shape (K, K, n_inputs + 1)
        Constant first; rows of states from, columns of states to.
    emission_ : distribution
    fit_report_ : FitReport

    Notes
    -----
    :math:`O(T K^2)` time and memory for the E step; the M step is a convex softmax regression.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> u = rng.normal(size=400)
    >>> x = np.column_stack([u, 6.0 * (u > 0) + rng.normal(size=400)])
    >>> model = InputHMM(2, random_state=0).fit(x)
    >>> state = model.predict(x)
    >>> bool(np.mean(state == (u > 0)) > 0.95 or np.mean(state == (u < 0)) > 0.95)
    True
    """

    card = Card(tasks=("density",), input="sequences", on_request=True)

    def __init__(
        self,
        n_states: int = 2,
        n_inputs: int = 1,
        *,
        emission: Any = "gaussian",
        covariance_type: str = "full",
        min_covar: float = 1e-3,
        alpha: float = 1e-2,
        decoding: str = "posterior",
        n_init: int = 1,
        max_iter: int = 100,
        tol: float = 1e-5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_states = n_states
        self.n_inputs = n_inputs
        self.emission = emission
        self.covariance_type = covariance_type
        self.min_covar = min_covar
        self.alpha = alpha
        self.decoding = decoding
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from sequences whose rows begin with inputs.

        Parameters
        ----------
        X, y, lengths, sample_weight
            As in :meth:`GaussianHMM.fit`: states may be known in part, sequences may count
            several times.
        """
        kinds = ("full", "tied", "diag", "spherical")
        check.params(
            self,
            count="n_states n_inputs n_init max_iter",
            nonnegative="tol min_covar alpha",
            one_of={"covariance_type": kinds, "decoding": ("posterior", "viterbi")},
        )
        data = observed(self, X, lengths)
        if data.rows.shape[1] <= self.n_inputs:
            wanted = f"rows of more than n_inputs={self.n_inputs} columns"
            raise check.fail(self, "X", wanted, data.rows.shape[1])
        kept, allowed, weight = counted_sequences(self, data, y, sample_weight, self.n_states)
        emission = named_emission(
            self,
            self.emission,
            covariance_type=self.covariance_type,
            min_covar=self.min_covar,
        )
        problem = self._problem(kept, emission)
        refuse_unseen(self, kept)
        each = None if weight is None else np.repeat(weight, kept.lengths)
        emission = emission.checked(self, problem.rows, each)
        problem = replace(problem, emission=emission, allowed=allowed, weight=weight)
        # The regressions of the M step stop at a tolerance, so the bound may fall by as much.
        solution = expectation_maximisation(
            problem.expect,
            problem.maximise,
            self._starts(problem, generator(self.random_state)),
            tol=self.tol,
            max_iter=self.max_iter,
            monotone=1e-5,
        )
        self.fit_report_ = check.report(self, solution)
        self._found: Driven = solution.x
        self._learned: Emission = emission
        self.start_, self.coef_ = self._found.start, self._found.coef
        self.n_features_in_, self.n_iter_ = data.rows.shape[1], solution.n_iter
        self._state: Floats = self._filtered(*self._at_hand(data.last()))[-1]
        return self

    def _problem(self, data: Observed, emission: Emission) -> InputLearning:
        inputs = np.ascontiguousarray(data.rows[:, : self.n_inputs])
        if np.isnan(inputs).any():
            raise check.fail(self, "X", "observed in its inputs", "NaN")
        return InputLearning(
            emission,
            np.ascontiguousarray(data.rows[:, self.n_inputs :]),
            inputs,
            data.offsets,
            float(self.alpha),
            threads.count(self.n_jobs),
        )

    def _starts(self, problem: InputLearning, rng: np.random.Generator) -> Iterator[Driven]:
        k = self.n_states
        task = Learning(
            problem.emission, problem.rows, problem.offsets, problem.allowed, problem.weight,
            np.arange(k), n_threads=problem.n_threads,
        )  # fmt: skip
        for _ in range(self.n_init):
            share = begun_shares(task, "kmeans", k, rng)
            _, pairs = hard_counts(share.argmax(axis=1), problem.offsets, k, problem.weight)
            coef = np.zeros((k, k, self.n_inputs + 1))
            coef[:, :, 0] = np.log((pairs + 1.0) / (pairs + 1.0).sum(axis=1, keepdims=True))
            if problem.allowed is None:
                share = 0.9 * share + 0.1 * rng.dirichlet(np.ones(k), len(share))
            share = share * task.row_weight()[:, None]
            stats = problem.emission.statistics(None, problem.rows, share, problem.n_threads)
            yield Driven(np.full(k, 1.0 / k), coef, problem.emission.fit(stats))

    def _at_hand(self, data: Observed) -> tuple[Observed, InputLearning]:
        return data, self._problem(data, self._learned)

    def _asked(self, X: Any, lengths: Any) -> tuple[Observed, InputLearning]:
        check_is_fitted(self)
        data = observed(self, X, lengths, n_features=self.n_features_in_)
        return data, self._problem(data, self._learned)

    @property
    def emission_(self) -> Any:
        """What each state shows."""
        check_is_fitted(self)
        return self._learned.members(self._found.laws)

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log likelihood of the observations of every sequence given its inputs."""
        return self._asked(X, lengths)[1].smooth(self._found)[1]

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log likelihood per step, all sequences together."""
        data, problem = self._asked(X, lengths)
        return float(problem.smooth(self._found)[1].sum() / len(data.rows))

    def posterior(self, X: Any, *, lengths: Any = None) -> Any:
        """Probability of every state at every step given the whole sequence."""
        data, problem = self._asked(X, lengths)
        share, values, _ = problem.smooth(self._found)
        self._refuse(values)
        return data.returned(share)

    predict_proba = posterior

    def predict(self, X: Any, *, lengths: Any = None) -> Any:
        """The most probable states, step by step or jointly according to ``decoding``."""
        if self.decoding == "viterbi":
            return self.decode(X, lengths=lengths)[0]
        data, problem = self._asked(X, lengths)
        return data.returned(problem.smooth(self._found)[0].argmax(axis=1).astype(np.int32))

    def decode(self, X: Any, *, lengths: Any = None) -> tuple[Any, Floats]:
        """Most probable paths, and the log probability of each with its observations."""
        data, problem = self._asked(X, lengths)
        steps = np.exp(self._found.log_transition(problem.inputs))
        table = problem.log_emission(self._found)
        path, values = driven_viterbi(table, data.offsets, self.start_, steps)
        self._refuse(values)
        return data.returned(path), values

    def filter(self, X: Any, *, lengths: Any = None) -> Any:
        """Probability of every state given what was seen up to the step."""
        data, problem = self._asked(X, lengths)
        return data.returned(self._filtered(data, problem))

    def _filtered(self, data: Observed, problem: InputLearning) -> Floats:
        steps = np.exp(self._found.log_transition(problem.inputs))
        table = problem.log_emission(self._found)
        states, values = driven_filter(table, data.offsets, self.start_, steps)
        self._refuse(values)
        return states

    def _refuse(self, values: Floats) -> None:
        bad = np.flatnonzero(values == -np.inf)
        if len(bad):
            raise check.fail(self, "X", "possible under the model", f"sequence {bad[0]}")

    def query(self, X: Any, times: ArrayLike, *, lengths: Any = None) -> Floats:
        """States at given times of every sequence, given all of it.

        Parameters
        ----------
        X, lengths
            As in :meth:`fit`. For steps to come, append rows with their inputs and NaN.
        times : array-like of int
            Steps from 0, within every sequence.

        Returns
        -------
        ndarray of shape (n_sequences, len(times), n_states)
        """
        data, problem = self._asked(X, lengths)
        asked, least = np.asarray(times), int(data.lengths.min())
        whole = asked.ndim == 1 and asked.dtype.kind in "iu"
        if not whole or (len(asked) and not 0 <= asked.min() <= asked.max() < least):
            raise check.fail(self, "times", f"integers from 0 to {least - 1}", times)
        share, values, _ = problem.smooth(self._found)
        self._refuse(values)
        return np.asarray(share[data.offsets[:-1, None] + asked])

    def forecast(self, h: int = 1, X: Any = None, *, inputs: ArrayLike, lengths: Any = None) -> Any:
        """Laws of the next ``h`` observations given the inputs to come.

        Parameters
        ----------
        h : int
        X : as in :meth:`fit`, optional
            What came before; the last sequence of the training data by default.
        inputs : array-like of shape (h, n_inputs)
            Of the steps to come.
        lengths : array-like of int, optional

        Returns
        -------
        distribution with a member for each step, or a list of them
            A list where a list of sequences was given.
        """
        check_is_fitted(self)
        rows = self._inputs(inputs, horizon(self, h))
        begun: list[Floats | None] = [self._state]
        many = False
        if X is not None:
            data, problem = self._asked(X, lengths)
            states, many = self._filtered(data, problem), data.given != "one"
            begun = [
                states[last - 1] if last > first else None for first, last in pairwise(data.offsets)
            ]
        steps, answers = self.transition(rows), []
        for state in begun:
            ahead = [self.start_ if state is None else state @ steps[0]]
            for A in steps[1:]:
                ahead.append(ahead[-1] @ A)
            answers.append(mixed_steps(np.array(ahead), self.emission_))
        return answers if many else answers[0]

    def _inputs(self, inputs: ArrayLike, steps: int | None = None) -> Floats:
        rows = np.asarray(inputs, dtype=np.float64)
        rows = rows[:, None] if rows.ndim == 1 and self.n_inputs == 1 else rows
        right = rows.ndim == 2 and rows.shape[1] == self.n_inputs and len(rows) > 0
        if not right or (steps is not None and len(rows) != steps) or not np.isfinite(rows).all():
            size = "any number of" if steps is None else steps
            wanted = f"finite, {size} rows of {self.n_inputs} numbers"
            raise check.fail(self, "inputs", wanted, f"shape {rows.shape}")
        return rows

    def sample(self, inputs: ArrayLike, *, random_state: Any = None) -> tuple[Floats, Any]:
        """A sequence drawn from the model for given inputs, and the states behind it.

        Parameters
        ----------
        inputs : array-like of shape (T, n_inputs)
        random_state : None, int or Generator
            That of the model by default.

        Returns
        -------
        rows : ndarray of shape (T, d)
            Inputs first, as in :meth:`fit`.
        states : ndarray of shape (T,)
        """
        check_is_fitted(self)
        rng = generator(self.random_state if random_state is None else random_state)
        given, laws = self._inputs(inputs), self.emission_
        path = driven_walk(self.start_, np.exp(self._found.log_transition(given)), rng)
        shown = np.empty((len(path), self.n_features_in_ - self.n_inputs))
        for state in np.unique(path):
            here = np.flatnonzero(path == state)
            shown[here] = np.reshape(laws[int(state)].sample(len(here), rng), (len(here), -1))
        return np.column_stack([given, shown]), path

    @property
    def n_parameters_(self) -> int:
        """Free parameters: of start, coefficients and laws."""
        check_is_fitted(self)
        k = self.n_states
        free = k - 1 + k * (k - 1) * (self.n_inputs + 1)
        return int(free + self._learned.n_parameters(self._found.laws))

    def aic(self, X: Any, *, lengths: Any = None) -> float:
        """Akaike's criterion on these sequences; lower is better."""
        return 2.0 * self.n_parameters_ - 2.0 * float(self.log_prob(X, lengths=lengths).sum())

    def bic(self, X: Any, *, lengths: Any = None) -> float:
        """Schwarz's criterion on these sequences, a step being an observation; lower is better."""
        data, problem = self._asked(X, lengths)
        value = float(problem.smooth(self._found)[1].sum())
        return float(self.n_parameters_ * np.log(len(data.rows)) - 2.0 * value)

    def transition(self, inputs: Any) -> Floats:
        """Transition matrices for rows of inputs, of shape (n, K, K)."""
        check_is_fitted(self)
        rows = self._inputs(inputs)
        return np.exp(self._found.log_transition(np.roll(rows, 1, axis=0)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags
