"""Dynamic Bayesian networks of discrete variables."""

from collections.abc import Hashable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, atomic, check, threads
from margin.core.random import generator
from margin.core.types import Floats
from margin.distributions import Categorical
from margin.inference import expectation_maximisation
from margin.sequence._step_laws import horizon
from margin.sequence._times import asked
from margin.sequence.dynamic_network._draws import drawn_slices
from margin.sequence.dynamic_network._frames import Frames, coded, frames
from margin.sequence.dynamic_network._interface import interface, prolonged
from margin.sequence.dynamic_network._learning import TableLearning, given_tables
from margin.sequence.dynamic_network._slices import Slices, slices
from margin.sequence.dynamic_network._tables import Seen
from margin.sequence.dynamic_network._variables import variables

_MOST_STATES = 4096


class DynamicBayesianNetwork(BaseEstimator):
    r"""Bayesian network over time: a network in each slice, and edges to the next (sequence.25).

    .. math:: p(x_{1:T}) = \prod_{v} p\big(x_1^v \mid x_1^{\mathrm{pa}(v)}\big)
              \prod_{t=2}^T \prod_v
              p\big(x_t^v \mid x_t^{\mathrm{pa}(v)}, x_{t-1}^{\mathrm{lag}(v)}\big)

    Variables are discrete, seen, seen now and then, or hidden throughout. Given the *interface*,
    the variables with children in the next slice, the future does not depend on the past: the
    states of the interface together are a Markov chain, on which filter, smoother and expectation
    maximisation are exact. A hidden Markov model, a factorial or coupled one, and a chain of
    several variables are special cases.

    Parameters
    ----------
    edges : iterable of (parent, child)
        Within every slice.
    transitions : iterable of (parent, child), optional
        From a slice to the next. By default every variable follows itself.
    hidden : mapping of name to int, optional
        Variables that are never seen, with their numbers of states 0, 1, ….
    states : mapping of name to list, optional
        States of variables; those seen in the fit by default.
    prior : float
        Dirichlet concentration of all rows, at least 1; 1 is maximum likelihood.
    tables_init : mapping of name to array-like, optional
        Where to start: axes are lagged parents, parents in the slice (each in the order of the
        variables: columns as given, then hidden ones) and the variable. Zeros are structural.
    initial_init : mapping of name to array-like, optional
        The same in the first slice, without lagged parents, for variables that have them.
    fixed : tuple of names
        Variables whose tables are not learned.
    n_init : int
        Number of starts, of which the best is kept; where all is observed one is enough.
    max_iter, tol, random_state, n_jobs
        As in :class:`GaussianHMM`.

    Attributes
    ----------
    names_ : tuple
        The variables.
    states_ : dict of name to list
    tables_, initial_ : dict of name to ndarray
        Axes as in ``tables_init``; ``initial_`` has variables with lagged parents only.
    fit_report_ : FitReport

    Notes
    -----
    With ``S`` states of the interface together: :math:`O(T S^2)` time; memory in proportion to
    ``T S`` where tables across time touch the interface alone, else to :math:`T S^2`. Slices that
    look the same are worked out once.

    References
    ----------
    Murphy (2002), Dynamic Bayesian networks: representation, inference and learning.

    Examples
    --------
    >>> import numpy as np
    >>> days = [{"umbrella": ["no", "no", "yes", None, "yes"]}]
    >>> model = DynamicBayesianNetwork(
    ...     [("rain", "umbrella")], [("rain", "rain")], hidden={"rain": 2},
    ...     initial_init={"rain": [0.6, 0.4]},
    ...     tables_init={"rain": [[0.7, 0.3], [0.4, 0.6]], "umbrella": [[0.9, 0.1], [0.2, 0.8]]},
    ...     fixed=("rain", "umbrella"),
    ... ).fit(days)
    >>> np.exp(model.log_prob([{"umbrella": ["no", "no", "yes"]}])).round(6)
    array([0.13623])
    >>> model.query("rain", {"umbrella": ["no", "no", "yes"]}, [0, 1, 2])[:, 0].round(6)
    array([0.89782 , 0.839683, 0.201938])
    >>> model.query("umbrella", {"umbrella": ["no", "no", "yes"]}, [3]).round(6)
    array([[0.522407, 0.477593]])
    """

    card = Card(tasks=("density",), input="sequences", on_request=True)

    def __init__(
        self,
        edges: Any = (),
        transitions: Any = None,
        *,
        hidden: Mapping[Hashable, int] | None = None,
        states: Mapping[Hashable, Any] | None = None,
        prior: float = 1.0,
        tables_init: Mapping[Hashable, ArrayLike] | None = None,
        initial_init: Mapping[Hashable, ArrayLike] | None = None,
        fixed: tuple[Hashable, ...] = (),
        n_init: int = 1,
        max_iter: int = 200,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.edges = edges
        self.transitions = transitions
        self.hidden = hidden
        self.states = states
        self.prior = prior
        self.tables_init = tables_init
        self.initial_init = initial_init
        self.fixed = fixed
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(
        self, X: Any, y: Any = None, *, lengths: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn the tables by expectation maximisation; by counting where all is observed.

        Parameters
        ----------
        X : list of frames, mappings of columns or arrays, or one of them
            The sequences, a row for each slice. NaN, None and columns left out are unobserved.
        y : ignored
        lengths : array-like of int, optional
            Of the sequences in one frame.
        sample_weight : array-like of shape (n_sequences,), optional
        """
        check.params(self, count="n_init max_iter", nonnegative="tol", positive="prior")
        if self.prior < 1:
            raise check.fail(self, "prior", "a number of at least 1", self.prior)
        given = frames(self, X, lengths)
        names, states = variables(self, given, self.hidden, self.states)
        structure = self._structure(names, states)
        strange = [name for name in self.fixed if name not in names]
        if strange:
            raise check.fail(self, "fixed", f"some of {list(names)}", strange[0])
        codes = coded(self, given, names, states)
        seen = Seen.of(structure, codes, given.offsets, threads.count(self.n_jobs))
        problem = TableLearning(
            seen,
            check.weights(self, sample_weight, given.n),
            float(self.prior),
            tuple(names.index(name) for name in self.fixed),
        )
        begin = given_tables(self, structure, names, self.tables_init, self.initial_init)

        solution = expectation_maximisation(
            problem.expect,
            problem.maximise,
            problem.starts(self.n_init, begin, generator(self.random_state)),
            tol=self.tol,
            max_iter=self.max_iter,
        )

        self.fit_report_ = check.report(self, solution)
        self._slices, self._tables = structure, solution.x
        self.names_, self.states_ = names, states
        last = np.flatnonzero(np.diff(given.offsets) > 0)[-1]
        self._last = codes[given.offsets[last] : given.offsets[last + 1]].copy()
        self.n_features_in_, self.n_iter_ = len(given.columns), solution.n_iter
        return self

    @property
    def tables_(self) -> dict[Hashable, Floats]:
        """Tables of all variables, as they hold from the second slice on."""
        check_is_fitted(self)
        return dict(zip(self.names_, self._tables.later, strict=True))

    @property
    def initial_(self) -> dict[Hashable, Floats]:
        """Tables in the first slice of the variables that have lagged parents."""
        check_is_fitted(self)
        return {self.names_[v]: self._tables.first[v] for v in self._slices.moving}

    def log_prob(self, X: Any, *, lengths: Any = None) -> Floats:
        """Log probability of what is seen of every sequence; minus infinity where impossible."""
        return self._seen(X, lengths)[1].filter(self._tables)[1]

    def score(self, X: Any, y: Any = None, *, lengths: Any = None) -> float:
        """Log probability per slice, all sequences together."""
        given, seen = self._seen(X, lengths)
        return float(seen.filter(self._tables)[1].sum() / given.offsets[-1])

    def query(
        self,
        targets: Any,
        evidence: Any,
        times: ArrayLike | None = None,
        *,
        lengths: Any = None,
        given: str = "all",
    ) -> Any:
        """Distribution of variables at given times.

        Parameters
        ----------
        targets : name, or list of names
            Several are answered jointly.
        evidence : sequences as in :meth:`fit`
        times : array-like of int, optional
            Slices from 0; from the length on they lie in the future. All of the longest sequence
            by default.
        given : {"all", "past"}
            The whole sequence (smoothing), or what was seen up to the slice (filtering).

        Returns
        -------
        ndarray of shape (n_sequences, len(times), states of each target)
            Without the first axis where one sequence was given.
        """
        check.params(self)
        if given not in ("all", "past"):
            raise check.fail(self, "given", "one of 'all', 'past'", given)
        data, known = self._seen(evidence, lengths)
        longest = int(np.diff(data.offsets).max())
        at = asked(self, times, longest, beyond=True)
        several = isinstance(targets, list | tuple) and targets not in self.names_
        chosen = tuple(targets) if several else (targets,)
        for name in chosen:
            if name not in self.names_:
                raise check.fail(self, "targets", f"some of {list(self.names_)}", name)
        if len(set(chosen)) < len(chosen) or not chosen:
            raise check.fail(self, "targets", "distinct names, at least one", targets)
        seen = prolonged(known, int(at.max(initial=-1)) + 1)
        rows = (seen.offsets[:-1, None] + at).ravel()
        share = interface(self, seen, self._tables, rows, given)
        wanted = tuple(self.names_.index(name) for name in chosen)
        answer = seen.marginals(self._tables, share, rows, wanted)
        answer = answer.reshape(data.n, len(at), *answer.shape[1:])
        return answer[0] if data.one else answer

    def forecast(self, h: int = 1, X: Any = None, *, lengths: Any = None) -> Any:
        """Laws of every variable in the next ``h`` slices.

        Parameters
        ----------
        h : int
        X : sequences as in :meth:`fit`, optional
            What came before; the last sequence of the training data by default.
        lengths : array-like of int, optional

        Returns
        -------
        dict of name to Categorical of shape (h,), or a list of them
            A list where a list of sequences was given.
        """
        check_is_fitted(self)
        steps, one = horizon(self, h), True
        if X is None:
            ends = np.array([0, len(self._last)], dtype=np.int64)
            known = Seen.of(self._slices, self._last, ends, threads.count(self.n_jobs))
        else:
            data, known = self._seen(X, lengths)
            one = data.one
        seen = prolonged(known, 0, steps)
        rows = (seen.offsets[1:, None] - steps + np.arange(steps)).ravel()
        share = interface(self, seen, self._tables, rows, "all")
        laws = [seen.marginals(self._tables, share, rows, (v,)) for v in range(self._slices.n)]
        parts = [law.reshape(-1, steps, law.shape[-1]) for law in laws]
        answers = [
            {name: Categorical(part[s]) for name, part in zip(self.names_, parts, strict=True)}
            for s in range(len(seen.offsets) - 1)
        ]
        return answers[0] if one else answers

    def predict(self, X: Any, *, lengths: Any = None) -> Any:
        """The most probable state of every variable in every slice, given the whole sequence.

        Returns
        -------
        dict of name to ndarray of states, or a list of them where a list was given
        """
        data, seen = self._seen(X, lengths)
        rows = np.arange(len(seen.which))
        share = interface(self, seen, self._tables, rows, "all")
        columns = {}
        for v, name in enumerate(self.names_):
            best = seen.marginals(self._tables, share, rows, (v,)).argmax(axis=1)
            columns[name] = np.asarray(self.states_[name])[best]
        return self._parted(columns, data)

    def sample(
        self, n: int = 1, length: int | ArrayLike = 100, *, random_state: Any = None
    ) -> list[dict[Hashable, Any]]:
        """``n`` sequences drawn from the network, hidden variables included.

        Parameters
        ----------
        n : int
        length : int or array-like of shape (n,)
        random_state : None, int or Generator
            That of the model by default.
        """
        check_is_fitted(self)
        rng = generator(self.random_state if random_state is None else random_state)
        sizes = np.broadcast_to(np.asarray(length, dtype=np.intp), (n,))
        codes = drawn_slices(self._slices, self._tables, n, int(sizes.max(initial=0)), rng)
        return [
            {
                name: np.asarray(self.states_[name])[codes[s, :size, v]]
                for v, name in enumerate(self.names_)
            }
            for s, size in enumerate(sizes)
        ]

    def _structure(self, names: tuple[Hashable, ...], states: Mapping[Hashable, Any]) -> Slices:
        moves = [(name, name) for name in names] if self.transitions is None else self.transitions
        cards = [len(states[name]) for name in names]
        structure = slices(self, names, cards, self.edges, moves)
        if structure.n_states > _MOST_STATES:
            wanted = f"with at most {_MOST_STATES} states of the interface together"
            raise check.fail(self, "transitions", wanted, structure.n_states)
        return structure

    def _seen(self, X: Any, lengths: Any) -> tuple[Frames, Seen]:
        check_is_fitted(self)
        data = frames(self, X, lengths)
        codes = coded(self, data, self.names_, self.states_)
        return data, Seen.of(self._slices, codes, data.offsets, threads.count(self.n_jobs))

    def _parted(self, columns: dict[Hashable, Any], data: Frames) -> Any:
        parts = [
            {name: column[first:last] for name, column in columns.items()}
            for first, last in zip(data.offsets[:-1], data.offsets[1:], strict=True)
        ]
        return parts[0] if data.one else parts

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.two_d_array = False
        return tags
