"""Questions to a tree of cliques whose evidence changes a little at a time."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.inference._errors import ZeroProbabilityError
from margin.inference._log_table import LogTable, distribution, summed
from margin.inference._model import FactorModel, check_evidence, check_scopes
from margin.inference.exact._clique_tree import CliqueTree
from margin.inference.exact._message_cache import MessageCache
from margin.inference.exact._message_tree import message_tree


class Propagation:
    r"""Messages of a tree of cliques that outlive a change of evidence (``inference.21``).

    .. math:: m_{c \to d}(x_s) = \sum_{x_c \setminus x_s} \psi_c(x_c) \prod_{b \ne d} m_{b \to c}

    after Shafer and Shenoy: without division, so that a zero can be taken back, and any schedule
    is valid (``inference.20``). A message is computed when an answer needs it and kept until
    evidence on its sending side changes; an answer needs the messages towards one clique only.
    Messages within the cliques of a newly observed variable stay valid: they are read at its state.

    Make one with :meth:`JunctionTree.propagation`.

    Parameters
    ----------
    tree : CliqueTree
        A :class:`JunctionTree`, say.
    tables : sequence of arrays
        One per scope of the tree, non-negative.
    evidence : mapping of int to int, optional
    memory_limit : float
        Largest memory of one table in bytes.

    Notes
    -----
    Messages are logarithms, scaled to a largest entry of zero (``inference.11``): extreme evidence
    does not underflow to an impossible one. The time of a message is proportional to the table of
    its clique, in which observed variables have no axis.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.inference import JunctionTree
    >>> pair = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> tree = JunctionTree.compile((2,) * 6, [(0,)] + [(k, k + 1) for k in range(5)])
    >>> session = tree.propagation([np.array([0.5, 0.5])] + [pair] * 5)
    >>> session.marginal(0), session.messages_sent
    (array([0.5, 0.5]), 4)
    >>> session.observe({1: 1})
    >>> session.marginal(0).round(4), session.messages_sent
    (array([0.1111, 0.8889]), 4)
    """

    def __init__(
        self,
        tree: CliqueTree,
        tables: Sequence[ArrayLike],
        evidence: ArrayLike | Mapping[int, int] | None = None,
        memory_limit: float = np.inf,
    ) -> None:
        cards = tree.cardinalities
        model = FactorModel(cards, tree.scopes, tuple(np.asarray(table) for table in tables))
        row = check_evidence("Propagation", cards, evidence)
        if len(row) != 1:
            raise check.fail(self, "evidence", "one row", f"{len(row)} rows")
        self.cardinalities = cards
        self._cache = MessageCache(
            model, message_tree(len(cards), tree.cliques, tree.parents), memory_limit
        )
        self._observed: dict[int, int] = {}
        # Where a question without a variable is answered: messages towards it are valid, or
        # nearly so, after the last answer or the last change.
        self._root = 0
        self.observe({v: int(s) for v, s in enumerate(row[0]) if s >= 0})

    def __repr__(self) -> str:
        kept, of = len(self._cache), self.n_messages
        return f"Propagation({len(self._observed)} observed, {kept} of {of} messages valid)"

    @property
    def evidence(self) -> dict[int, int]:
        """The observed variables and their states."""
        return dict(self._observed)

    @property
    def messages_sent(self) -> int:
        """Messages computed since the session began."""
        return self._cache.sent

    @property
    def n_messages(self) -> int:
        """Messages of a whole propagation, in both directions."""
        return self._cache.tree.n_messages

    def observe(self, evidence: Mapping[int, int]) -> None:
        """Add evidence, or change it where the variable is observed already; nothing is computed.

        Parameters
        ----------
        evidence : mapping of int to int
            States by variable.
        """
        n = len(self.cardinalities)
        for v, state in evidence.items():
            if not (_integer(v) and 0 <= v < n):
                raise check.fail(self, "evidence", f"about variables 0..{n - 1}", v)
            if not (_integer(state) and 0 <= state < self.cardinalities[v]):
                wanted = f"a state 0..{self.cardinalities[v] - 1}"
                raise check.fail(self, f"evidence[{v}]", wanted, state)
        for v, state in evidence.items():
            if self._observed.get(v, -1) != state:
                self._set(int(v), int(state))

    def retract(self, variables: Iterable[int] | None = None) -> None:
        """Take evidence back, all of it by default; the variables must be observed."""
        chosen = list(self._observed if variables is None else dict.fromkeys(variables))
        for v in chosen:
            if v not in self._observed:
                raise check.fail(self, "variables", "observed ones", v)
        for v in chosen:
            self._set(v, None)

    def marginal(self, variable: int) -> Floats:
        """Posterior of one variable, an array with one entry per state."""
        return self.joint((variable,))

    def marginals(self) -> list[Floats]:
        """Posterior of every variable."""
        return [self.marginal(v) for v in range(len(self.cardinalities))]

    def joint(self, variables: Sequence[int]) -> Floats:
        """Posterior table of some variables together, whether or not they share a clique.

        Raises :class:`ZeroProbabilityError` if the evidence is impossible; the session can go on
        with other evidence.
        """
        asked = check_scopes("Propagation", self.cardinalities, [variables])[0]
        free = tuple(sorted(v for v in asked if v not in self._cache.fixed))
        table, log_mass = distribution(summed(self._belief(free), free))
        if log_mass == -np.inf:
            raise ZeroProbabilityError(
                "Propagation: evidence must be possible, got probability zero for "
                f"{self._observed}", (0,)
            )  # fmt: skip
        out = np.zeros([self.cardinalities[v] for v in asked])
        order = [free.index(v) for v in asked if v in free]
        out[tuple(self._cache.fixed.get(v, slice(None)) for v in asked)] = table.transpose(order)
        return out

    def log_evidence(self) -> float:
        """Logarithm of the sum over all unobserved variables, -inf where it is zero."""
        return distribution(self._belief(()))[1]

    def _set(self, v: int, state: int | None) -> None:
        self._cache.fix(v, state)
        self._root = self._cache.homes[v]
        if state is None:
            del self._observed[v]
        else:
            self._observed[v] = state

    def _belief(self, asked: tuple[int, ...]) -> LogTable:
        if len(asked) == 1:
            self._root = self._cache.homes[asked[0]]
        elif asked:
            nodes, wanted = self._cache.tree.nodes, set(asked)
            holders = {node for v in asked for node in self._cache.tree.holders[v]}
            self._root = max(holders, key=lambda node: len(wanted.intersection(nodes[node])))
        return self._cache.belief(self._root, asked)


def _integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
