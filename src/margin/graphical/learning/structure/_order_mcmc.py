"""Averages over structures."""

from typing import Any, Self

import numpy as np

from margin.core import Card, Certificate, Solution, Status, atomic, check, random, threads
from margin.core.types import Bytes, Floats
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._table import categories
from margin.graphs import DAG
from margin.search import (
    Categories,
    EdgePosterior,
    Knowledge,
    NetworkScore,
    Walk,
    average_graphs,
    family_scores,
    largest_sets,
    parent_sets,
    reaches,
    walk_orders,
)


class OrderMCMC(StructureLearner):
    """Posterior probabilities of arcs, by sampling orders of the columns (graphical.38).

    Given an order, the sum over all graphs whose arcs follow it factorises over the columns; a
    Metropolis walk over orders averages the arc probabilities of each.

    Parameters
    ----------
    score : {"bdeu", "k2", "bic"}, default="bdeu"
        Log marginal likelihood of a family; BIC approximates it.
    equivalent_sample_size : float, default=10.0
        Weight of the prior of BDeu.
    max_parents : int, default=3
        Most parents of a node.
    exact : bool, default=False
        Enumerate all graphs, with a uniform prior over *graphs*, instead of sampling; at most five
        columns.
    n_samples, burn_in, thin : int
        Orders kept, steps before the first, and steps per kept order.
    n_chains : int, default=2
        Independent walks; their largest disagreement about an arc is the certificate.
    max_work : float, default=4e9
        Steps, of which a second has room for some 10⁸ to 10⁹: half of them for scoring families,
        half for looking them up, all chains together. From about forty columns on sets of fewer
        parents are scored and walks made shorter where they would need more, with a warning.
    tol : float, default=0.2
        Largest difference between chains that counts as agreement; above it a warning is given.
    threshold : float, default=0.5
        Arcs at least this probable, most probable first and without cycles, make ``graph_``.
    required, forbidden, tiers
        As in :class:`HillClimb`.
    random_state : int, Generator or RandomState, optional
        Of the walks.
    n_jobs : int, optional
        Threads of the counting.

    Attributes
    ----------
    edge_probability_ : ndarray of shape (n_columns, n_columns)
        Probability of the arc (parent, child).
    graph_ : DAG
        Arcs above the threshold.
    score_ : float
        Score of ``graph_``.
    spread_ : float
        Largest difference of an arc's probability between chains; 0 when exact.
    fit_report_ : FitReport
        Log scores of the orders.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    The prior of the walk is uniform over orders, not over graphs: a graph counts once per order it
    agrees with. Unknown values as in :class:`HillClimb`.

    Examples
    --------
    >>> from margin.graphical import OrderMCMC
    >>> rows = [[0, 0], [1, 1]] * 30
    >>> OrderMCMC(exact=True).fit(rows).edge_probability_.round(3)
    array([[0. , 0.5],
           [0.5, 0. ]])
    """

    card = Card(tasks=("structure",), input="categorical")
    max_parents: int

    def __init__(
        self,
        *,
        score: str = "bdeu",
        equivalent_sample_size: float = 10.0,
        max_parents: int = 3,
        exact: bool = False,
        n_samples: int = 1000,
        burn_in: int = 1000,
        thin: int = 10,
        n_chains: int = 2,
        max_work: float = 4e9,
        tol: float = 0.2,
        threshold: float = 0.5,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.equivalent_sample_size = equivalent_sample_size
        self.max_parents = max_parents
        self.exact = exact
        self.n_samples = n_samples
        self.burn_in = burn_in
        self.thin = thin
        self.n_chains = n_chains
        self.max_work = max_work
        self.tol = tol
        self.threshold = threshold
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the arc probabilities; parameters as in :meth:`HillClimb.fit`."""
        check.params(
            self,
            positive="equivalent_sample_size tol max_work",
            count="max_parents n_samples thin n_chains",
            nonnegative="burn_in",
            fraction="threshold",
            flag="exact",
            one_of={"score": ("bdeu", "k2", "bic")},
        )
        data = categories(self._name, X, sample_weight)
        if len(data.names) > 64:
            raise check.fail(self, "X", "of at most 64 columns", len(data.names))
        known = self._knowledge(data.names)
        score = NetworkScore.of(
            self._name, data, self.score, equivalent_sample_size=self.equivalent_sample_size
        )
        rng = random.generator(self.random_state)
        limit = self._parent_limit(data)
        chains = (
            [average_graphs(score, known)] if self.exact else self._walk(score, known, limit, rng)
        )
        probability = np.mean([c.probability for c in chains], axis=0)
        spread = float(np.ptp([c.probability for c in chains], axis=0).max())
        adjacency = most_probable(probability, self.threshold)
        total = score.total(adjacency)
        report = check.report(self, self._solution(chains, total, spread, limit))
        graph = DAG.from_adjacency(adjacency, data.names)
        self._store(X, data.names, graph, total, report)
        self.edge_probability_ = probability
        self.spread_ = spread
        return self

    def _parent_limit(self, data: Categories) -> int:
        """Most parents of which all sets can be scored within half the work."""
        rows, states = data.compressed().n_rows, float(np.median(data.cards))
        affordable = largest_sets(len(data.names), rows, states, self.max_work / 2)
        whole = affordable >= len(data.names) - 1
        return self.max_parents if whole else min(self.max_parents, affordable)

    def _walk(
        self, score: NetworkScore, known: Knowledge, limit: int, rng: np.random.Generator
    ) -> list[EdgePosterior]:
        masks = parent_sets(score.n_nodes, min(limit, score.n_nodes - 1))
        table = family_scores(score, known, masks, threads.count(self.n_jobs))
        walk = Walk(self.n_samples, int(self.burn_in), self.thin).within(
            self.max_work / (2 * self.n_chains), n_nodes=score.n_nodes, n_sets=len(masks)
        )
        chains: list[EdgePosterior] = []
        while len(chains) < self.n_chains and not any(c.interrupted for c in chains):
            chains.append(walk_orders(table, masks, walk, rng))
        return chains

    def _solution(
        self, chains: list[EdgePosterior], total: float, spread: float, limit: int
    ) -> Solution:
        trace = np.concatenate([c.log_scores for c in chains])
        how = "enumeration of all graphs" if self.exact else f"order MCMC, {self.n_chains} chains"
        message = ""
        if any(c.interrupted for c in chains):
            message = f"interrupted after {len(trace)} orders"
        elif not self.exact and (told := self._cut(len(trace), limit)):
            message = f"{told} within max_work={self.max_work:g}; lower max_parents or raise it"
        elif spread > self.tol:
            message = f"chains differ by {spread:.2f} about an arc; raise n_samples or burn_in"
        return Solution(
            x=trace,
            status=Status.MAX_ITER if message else Status.CONVERGED,
            n_iter=len(trace),
            objective=total,
            trace={"objective": trace},
            certificate=Certificate("largest difference between chains", spread, self.tol),
            message=message,
            solver=f"{how}, {np.mean([c.accepted for c in chains]):.0%} accepted",
        )

    def _cut(self, n_orders: int, limit: int) -> str:
        """What the work did not allow, in words."""
        wanted = self.n_samples * self.n_chains
        parents = f"sets of more than {limit} parents left out" if limit < self.max_parents else ""
        orders = f"{n_orders} of {wanted} orders sampled" if n_orders < wanted else ""
        return " and ".join(filter(None, (parents, orders)))


def most_probable(probability: Floats, threshold: float) -> Bytes:
    """Adjacency of the arcs of at least this probability, the surest first, without cycles."""
    adjacency = np.zeros(probability.shape, dtype=np.uint8)
    order = np.argsort(-probability, axis=None, kind="stable")
    for i, j in np.column_stack(np.unravel_index(order, probability.shape)).tolist():
        if probability[i, j] < threshold or probability[i, j] <= 0:
            break
        if i != j and not reaches(adjacency, j, i):
            adjacency[i, j] = 1
    return adjacency
