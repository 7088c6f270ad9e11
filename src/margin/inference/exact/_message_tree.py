"""A tree of cliques in which no message has to multiply more than two others."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class MessageTree:
    """Nodes, their variables and their neighbours; at most three each.

    Parameters
    ----------
    nodes : list of tuple of int
        Variables of each node, sorted: first the cliques, then auxiliary ones without factors.
    neighbours : list of list of int
    holders : list of list of int
        Nodes with each variable; they hang together (running intersection).
    n_cliques : int
    """

    nodes: list[tuple[int, ...]]
    neighbours: list[list[int]]
    holders: list[list[int]]
    n_cliques: int

    @property
    def n_messages(self) -> int:
        """Messages of a whole propagation: one per edge and direction."""
        return 2 * (len(self.nodes) - 1)

    def separator(self, a: int, b: int) -> tuple[int, ...]:
        """Variables of both nodes."""
        other = set(self.nodes[b])
        return tuple(v for v in self.nodes[a] if v in other)

    def home(self, scope: Sequence[int], sizes: Sequence[float]) -> int:
        """The smallest clique with all of these variables, -1 if there is none."""
        if not scope:
            return 0
        rarest = min(scope, key=lambda v: len(self.holders[v]))
        homes = [
            c for c in self.holders[rarest]
            if c < self.n_cliques and set(scope) <= set(self.nodes[c])
        ]  # fmt: skip
        return min(homes, key=lambda c: sizes[c], default=-1)

    def paths(self, root: int, goals: Sequence[int]) -> list[tuple[int, int]]:
        """Links (node, next node towards the root) that join the goals to it, farthest first.

        A goal is a variable; its path starts at the nearest node that has it.
        """
        missing = set(goals).difference(self.nodes[root])
        towards, queue, used = {root: -1}, [root], set()
        for node in queue:
            if not missing:
                break
            for other in self.neighbours[node]:
                if other == towards[node]:
                    continue
                towards[other] = node
                queue.append(other)
                if missing.intersection(self.nodes[other]):
                    missing.difference_update(self.nodes[other])
                    step = other
                    while step != root and step not in used:
                        used.add(step)
                        step = towards[step]
        return [(node, towards[node]) for node in reversed(queue) if node in used]


def message_tree(
    n_variables: int, cliques: Sequence[Sequence[int]], parents: Sequence[int]
) -> MessageTree:
    """Rearrange a forest of cliques into one tree with at most three neighbours per node.

    The children of a clique are paired, and the pairs paired, until two are left; a pair is a node
    with what its members share with the clique. Thus the work of a message is proportional to its
    table, whatever the number of neighbours, and a change in one of many children passes through
    logarithmically many nodes. Separate components are joined by nodes without variables.

    Examples
    --------
    A star of four pairs around the pair (0, 1):

    >>> tree = message_tree(6, [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)], [-1, 0, 0, 0, 0])
    >>> tree.nodes[5:], tree.neighbours[0]
    ([(0,), (0,)], [5, 6])
    """
    nodes = [tuple(sorted(clique)) for clique in cliques]
    children: list[list[int]] = [[] for _ in nodes]
    roots: list[int] = []
    for clique, parent in enumerate(parents):
        (children[parent] if parent >= 0 else roots).append(clique)
    count = len(nodes)
    if len(roots) != 1:
        nodes.append(())
        children.append(roots)
        count += 1
    neighbours: list[list[int]] = [[] for _ in nodes]
    for top in range(count):
        inside = set(nodes[top])
        level = [(tuple(v for v in nodes[c] if v in inside), c) for c in children[top]]
        level.sort()
        while len(level) > 2:
            paired = []
            for (left, a), (right, b) in zip(level[::2], level[1::2], strict=False):
                both = tuple(sorted({*left, *right}))
                paired.append((both, len(nodes)))
                nodes.append(both)
                neighbours.append([a, b])
                neighbours[a].append(len(nodes) - 1)
                neighbours[b].append(len(nodes) - 1)
            level = paired + level[len(level) - len(level) % 2 :]
        for _, child in level:
            neighbours[top].append(child)
            neighbours[child].append(top)
    holders: list[list[int]] = [[] for _ in range(n_variables)]
    for node, scope in enumerate(nodes):
        for v in scope:
            holders[v].append(node)
    return MessageTree(nodes, neighbours, holders, count)
