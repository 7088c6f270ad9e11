"""Sequential minimal optimisation on working sets."""

from dataclasses import dataclass

from margin.core import Solution, Stop, check, iterate
from margin.core.progress import Callback
from margin.optim.duals._box_dual import BoxDual
from margin.optim.duals._smo_multipliers import BoxMultipliers
from margin.optim.duals._smo_search import WorkingSetSearch

KIND = "KKT violation"
WORKING_SET = 512


@dataclass(frozen=True)
class SMO:
    r"""Sequential minimal optimisation of a :class:`BoxDual` (svm.08).

    Working sets of at most 512 variables are made of those that violate the optimality conditions
    most and of half of the previous set. Their rows of the kernel matrix are computed in one
    block, pairs within the set are optimised in compiled code, each the most violating variable
    and the partner of the largest second-order decrease, and the scores of all rows follow in one
    product. Rows stay in a cache of bounded size. Variables that rest at their bounds leave the
    game and are called back before the end.

    Parameters
    ----------
    tol : float
        Largest violation :math:`\max_{\beta_i < u_i} r_i - \min_{\beta_j > l_j} r_j` of the
        residuals :math:`r = t - K\beta` that counts as optimal.
    max_iter : int or None
        Most pairs; ``None`` for ten million plus a hundred per variable.
    cache_size : float
        Megabytes of kernel rows that are kept.
    shrinking : bool
        Whether variables may leave the game for a while.
    n_threads : int
        Threads; the answer does not depend on it.

    Notes
    -----
    A problem that fits one working set is solved beyond ``tol`` and its free variables by a linear
    system, so that the answer does not depend on the order of the rows.

    References
    ----------
    Fan, Chen and Lin, Working set selection using second order information for training support
    vector machines, JMLR 2005. Wen et al., ThunderSVM, JMLR 2018.

    Examples
    --------
    The maximal margin between (1, 1) and (-1, -1):

    >>> import numpy as np
    >>> from margin.optim import BoxDual, GramMatrix
    >>> K, y = np.array([[2.0, -2.0], [-2.0, 2.0]]), np.array([1.0, -1.0])
    >>> dual = BoxDual(GramMatrix(K), y, np.minimum(0, 9 * y), np.maximum(0, 9 * y), 0 * y)
    >>> solution = SMO().run(dual)
    >>> solution.x, solution.extras["optimality"].primal
    (array([ 0.25, -0.25]), 0.25)
    """

    tol: float = 1e-3
    max_iter: int | None = None
    cache_size: float = 200.0
    shrinking: bool = True
    n_threads: int = 1

    def __post_init__(self) -> None:
        check.params(self, positive="tol cache_size", flag="shrinking", count="n_threads")

    def run(self, problem: BoxDual, *, callback: Callback | None = None) -> Solution:
        """Solve the problem.

        Returns
        -------
        Solution
            ``x`` are the multipliers; ``extras`` hold their ``optimality`` (bias, primal and dual
            value) and the ``scores``. The objective, and its trace, is what is minimised.
        """
        size = min(WORKING_SET, len(problem.target))
        multipliers = BoxMultipliers(problem, self.cache_size * 1e6, size, self.n_threads)
        search = WorkingSetSearch(multipliers, size, self.tol, self.max_iter, self.shrinking)
        stop = Stop(
            KIND,
            self.tol,
            search.limit,
            unit="pair",
            keep="last",
            columns=("violation",),
            advice=("raise tol", "scale the features", "lower C"),
        )
        return iterate(search.states(), stop, solver="SMO", callback=callback, finish=search.finish)
