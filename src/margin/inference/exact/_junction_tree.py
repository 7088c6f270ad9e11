"""Exact inference by propagation in a tree of cliques."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Ints
from margin.inference._model import check_scopes
from margin.inference.exact._barren import kept_factors
from margin.inference.exact._clique_tree import CliqueTree
from margin.inference.exact._k_best import k_best
from margin.inference.exact._propagation import Propagation
from margin.inference.exact._question import Evidence, Likelihoods, Question, places
from margin.native.junction.junction import HIDDEN, SLICED


class JunctionTree(CliqueTree):
    r"""Exact inference for any tables over a fixed structure (``inference.20``).

    .. math:: p(x) = \frac{\prod_c p(x_c)}{\prod_s p(x_s)}

    over the cliques :math:`c` and separators :math:`s` of a triangulated graph. The structure is
    compiled once: a schedule of table products and sums. Evidence slices the tables, so observed
    variables make every later step smaller; many rows of evidence go through one schedule, sixteen
    at a time. Messages are scaled to a largest entry of one with the logarithm kept aside
    (``inference.11``), so long chains neither underflow nor pay for logarithms.

    Make one with :meth:`compile`.

    Notes
    -----
    Time and memory are proportional to the entries of the clique tables, see :attr:`plan`.

    Examples
    --------
    >>> import numpy as np
    >>> tables = [np.array([0.6, 0.4]), np.array([[0.9, 0.1], [0.2, 0.8]])]
    >>> tree = JunctionTree.compile((2, 2), ((0,), (0, 1)))
    >>> log_evidence, (rain, wet) = tree.marginals(tables, {1: 1})
    >>> np.exp(log_evidence).round(3), rain.round(4)
    (array([0.38]), array([[0.1579, 0.8421]]))
    """

    def marginals(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
        impossible: str = "raise",
    ) -> tuple[Floats, list[Floats]]:
        r"""Posterior marginals of every variable, one row per row of evidence.

        Parameters
        ----------
        tables : sequence of arrays
            One per scope, non-negative, not necessarily normalised.
        evidence : int array of shape (rows, variables) or mapping, optional
            States, -1 where unobserved; a mapping is one row.
        likelihoods : mapping of int to array of shape (rows, states), optional
            Virtual evidence (``inference.18``): a factor :math:`\lambda(x_v)` per row.
        n_threads : int, optional
        impossible : {"raise", "zero"}
            Rows of probability zero raise :class:`ZeroProbabilityError`, or have log evidence -inf
            and marginals of zero.

        Returns
        -------
        log_evidence : array of shape (rows,)
            Logarithm of the sum over all unobserved variables of the product of the factors.
        marginals : list of arrays of shape (rows, states)
        """
        flat = self._programs.flat(tables)
        width = self._bounds[-1]
        question = Question(self, evidence, likelihoods, impossible, n_threads)
        out = np.empty((question.n_rows, width))
        for rows, roles, batch in question.parts(self._plan.bytes):
            program = self._programs.get(roles, (), batch)
            given = question.likelihoods_of(rows)
            log_mass, values = program.marginals(
                flat, question.evidence_of(rows), given, width, question.n_threads
            )
            question.log_mass[rows], out[rows] = log_mass, values
        question.judge(out)
        return question.log_mass, [out[:, a:b] for a, b in pairwise(self._bounds)]

    def log_evidence(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
    ) -> Floats:
        """Logarithm of the sum over all unobserved variables, -inf where it is zero."""
        flat = self._programs.flat(tables)
        question = Question(self, evidence, likelihoods, "zero", n_threads)
        for rows, roles, batch in question.parts(self._plan.bytes):
            program = self._programs.get(roles, (), batch)
            question.log_mass[rows], _ = program.joint(
                flat, question.evidence_of(rows), question.likelihoods_of(rows), 1,
                question.n_threads,
            )  # fmt: skip
        return question.log_mass

    def joint(
        self,
        tables: Sequence[ArrayLike],
        variables: Sequence[int],
        evidence: Evidence = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
        impossible: str = "raise",
    ) -> Floats:
        """Posterior table of some variables together, whether or not they share a clique.

        Factors that sum to one over variables nobody asked about are left out (barren nodes).
        Returns an array of shape (rows, states of each variable …).
        """
        asked = check_scopes("JunctionTree", self.cardinalities, [variables])[0]
        flat = self._programs.flat(tables)
        question = Question(self, evidence, likelihoods, impossible, n_threads)
        shape = tuple(self.cardinalities[v] for v in asked)
        out = np.zeros((question.n_rows, *shape))
        for rows, roles, batch in question.parts(self._plan.bytes):
            keep = None
            if len(roles) > 1 and (batch or self._plan.largest_entries > 1e5):
                keep = kept_factors(self.scopes, tables, roles == HIDDEN, asked)
            program = self._programs.get(roles, asked, batch, keep)
            used = flat if keep is None else self._programs.flat(tables, keep)
            free = [v for v in asked if roles[v] != SLICED]
            states = question.evidence_of(rows)
            log_mass, values = program.joint(
                used, states, question.likelihoods_of(rows),
                prod(self.cardinalities[v] for v in free), question.n_threads,
            )  # fmt: skip
            question.log_mass[rows] = log_mass
            out[places(asked, roles, rows, states, shape)] = values.reshape(
                len(rows), *(self.cardinalities[v] for v in free)
            )
        question.judge(out)
        return out

    def propagation(self, tables: Sequence[ArrayLike], evidence: Evidence = None) -> Propagation:
        """Session for one model whose evidence changes a little at a time: :class:`Propagation`."""
        return Propagation(self, tables, evidence, self._settings[3])

    def expected_counts(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        weight: ArrayLike | None = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
        impossible: str = "raise",
    ) -> tuple[Floats, list[Floats]]:
        r"""Sum over rows of :math:`w_r\, p(x_{S_k} \mid e_r)` for every factor :math:`k`.

        The E-step of maximum likelihood with missing values. Returns the log evidence per row and
        one array per factor, shaped as its table.
        """
        flat = self._programs.flat(tables)
        question = Question(self, evidence, likelihoods, impossible, n_threads)
        weights = np.ones(question.n_rows) if weight is None else np.asarray(weight, dtype=float)
        if weights.shape != (question.n_rows,) or not (weights >= 0).all():
            raise check.fail(
                self, "weight", f"{question.n_rows} non-negative numbers", weights.shape
            )
        total = np.zeros(len(flat))
        for rows, roles, batch in question.parts(self._plan.bytes):
            log_mass, counts = self._programs.get(roles, (), batch).counts(
                flat, question.evidence_of(rows), question.likelihoods_of(rows), weights[rows],
                question.n_threads,
            )  # fmt: skip
            question.log_mass[rows] = log_mass
            total += counts
        question.judge()
        return question.log_mass, self._programs.split(total)

    def mpe(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        k: int = 1,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
    ) -> tuple[Floats, Ints]:
        r"""Most probable assignments of all variables given the evidence (``inference.12``).

        Max-product with back-pointers: upwards every clique sends the maximum over its own
        variables, downwards each picks the best entry that agrees with its parent.

        Parameters
        ----------
        k : int
            How many, best first (``inference.13``); with ``k > 1`` the results have an extra axis
            and missing ones (fewer than ``k`` possible assignments) have log value -inf.

        Returns
        -------
        log_value : array of shape (rows,) or (rows, k)
            Logarithm of the product of the factors, not normalised.
        states : int array of shape (rows, variables) or (rows, k, variables)
        """
        k = check.count(self, "k", k)
        question = Question(self, evidence, likelihoods, "raise", n_threads)
        if k > 1:
            solve = partial(self._best, self._programs.flat(tables))
            best = k_best(solve, self.cardinalities, question, int(k))
            question.log_mass[:] = best[0][:, 0]
        else:
            best = self._best(self._programs.flat(tables), question)
        question.judge()
        return best

    def _best(self, flat: Floats, question: Question) -> tuple[Floats, Ints]:
        states = np.empty((question.n_rows, len(self.cardinalities)), dtype=np.int32)
        for rows, roles, batch in question.parts(self._plan.bytes):
            question.log_mass[rows], states[rows] = self._programs.get(roles, (), batch).best(
                flat, question.evidence_of(rows), question.likelihoods_of(rows), question.n_threads
            )
        return question.log_mass, states
