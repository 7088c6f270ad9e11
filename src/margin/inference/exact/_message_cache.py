"""Messages between cliques, computed when needed and kept while they are valid."""

from collections.abc import Mapping, Sequence
from math import prod

from margin.inference._errors import MemoryLimitError
from margin.inference._log_table import LogTable, log_of, product, summed
from margin.inference._model import FactorModel
from margin.inference.exact._message_tree import MessageTree
from margin.inference.exact._plan import readable

_LARGEST = 8.0 * (2**31 - 1)


class MessageCache:
    r"""Shafer–Shenoy messages of a tree under evidence that changes (``inference.21``).

    A message that is kept rests on kept ones only, so forgetting can stop at the first that is
    missing. A message over an unobserved variable is valid for each of its states and is read at
    one when the variable is observed later; computed after the observation it has no axis for it.

    Parameters
    ----------
    model : FactorModel
    tree : MessageTree
    memory_limit : float
        Largest table in bytes.
    """

    def __init__(self, model: FactorModel, tree: MessageTree, memory_limit: float) -> None:
        self.tree = tree
        self.sent = 0
        self._cards = model.cardinalities
        self._limit = memory_limit
        whole = [prod(self._cards[v] for v in node) for node in tree.nodes]
        self.homes = [tree.home((v,), whole) for v in range(model.n_variables)]
        self._factors: list[list[LogTable]] = [[] for _ in tree.nodes]
        for scope, table in zip(model.scopes, model.tables, strict=True):
            self._factors[tree.home(scope, whole)].append(log_of(scope, table))
        # A variable with one state is observed for good: it needs no axis anywhere.
        self.fixed = {v: 0 for v, card in enumerate(self._cards) if card == 1}
        self._potentials: dict[int, LogTable] = {}
        self._messages: dict[tuple[int, int], LogTable] = {}

    def __len__(self) -> int:
        return len(self._messages)

    def fix(self, v: int, state: int | None) -> None:
        """Set or, with None, free the state of a variable; what depends on the old one goes."""
        if self._cards[v] == 1:
            return
        self._change(v)
        if state is None:
            del self.fixed[v]
        else:
            self.fixed[v] = state

    def belief(self, root: int, asked: tuple[int, ...]) -> LogTable:
        """Product of everything, summed onto a node and the asked variables outside of it.

        Those are carried along the paths to the node, in messages that are not kept.
        """
        carried: dict[int, dict[int, LogTable]] = {}
        for node, towards in self.tree.paths(root, asked):
            table = self._table(node, towards, carried.get(node, {}))
            kept = (*self.tree.separator(node, towards), *asked)
            carried.setdefault(towards, {})[node] = summed(table, kept)
            self.sent += 1
        return self._table(root, -1, carried.get(root, {}))

    def _table(self, node: int, leave_out: int, carried: Mapping[int, LogTable]) -> LogTable:
        """Potential of a node times what its neighbours say, but for one of them."""
        factors = [self._potential(node)]
        for other in self.tree.neighbours[node]:
            if other in carried:
                factors.append(carried[other])
            elif other != leave_out:
                factors.append(self._message(other, node).at(self.fixed))
        extra = {v for table in carried.values() for v in table.scope}
        return self._product({*self.tree.nodes[node], *extra}, factors)

    def _message(self, sender: int, receiver: int) -> LogTable:
        """A message, after those it needs; by a stack, as chains are longer than the recursion."""
        messages = self._messages
        stack = [] if (sender, receiver) in messages else [(sender, receiver)]
        while stack:
            node, to = stack[-1]
            missing = [
                (other, node) for other in self.tree.neighbours[node]
                if other != to and (other, node) not in messages
            ]  # fmt: skip
            if missing:
                stack += missing
                continue
            stack.pop()
            separator = self.tree.separator(node, to)
            messages[node, to] = summed(self._table(node, to, {}), separator)
            self.sent += 1
        return messages[sender, receiver]

    def _potential(self, node: int) -> LogTable:
        potential = self._potentials.get(node)
        if potential is None:
            factors = [factor.at(self.fixed) for factor in self._factors[node]]
            scope = {v for factor in factors for v in factor.scope}
            potential = self._potentials[node] = self._product(scope, factors)
        return potential.at(self.fixed)

    def _product(self, scope: set[int], factors: Sequence[LogTable]) -> LogTable:
        free = tuple(sorted(v for v in scope if v not in self.fixed))
        sizes = [self._cards[v] for v in free]
        needed = 8.0 * prod(sizes)
        limit = min(self._limit, _LARGEST)
        if needed > limit:
            raise MemoryLimitError(
                f"Propagation: memory_limit must be at least {readable(needed)} for the table of "
                f"{free}, got {readable(limit)}; observe more variables, or use approximate "
                "inference: loopy_bp, mean_field, gibbs",
                free,
                needed,
            )
        return product(free, sizes, factors)

    def _change(self, v: int) -> None:
        """Forget what depends on the evidence on a variable, before it changes.

        Inside the nodes that hold it, only tables already taken at its old state; out of them,
        every message that leaves.
        """
        for node in self.tree.holders[v]:
            potential = self._potentials.get(node)
            if potential is not None and v in self.fixed and v not in potential.scope:
                del self._potentials[node]
            for other in self.tree.neighbours[node]:
                if v not in self.tree.nodes[other]:
                    self._forget(node, other)
                    continue
                message = self._messages.get((node, other))
                if message is not None and v not in message.scope:
                    del self._messages[node, other]

    def _forget(self, sender: int, receiver: int) -> None:
        """Drop a message and all that rest on it; those that rest on a missing one are missing."""
        stack = [(sender, receiver)]
        while stack:
            node, to = stack.pop()
            if self._messages.pop((node, to), None) is not None:
                stack += [(to, other) for other in self.tree.neighbours[to] if other != node]
