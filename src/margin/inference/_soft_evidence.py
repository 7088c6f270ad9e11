"""Uncertain evidence: Jeffrey's rule, alone or after virtual evidence."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.inference._errors import ZeroProbabilityError
from margin.inference._junction_tree import JunctionTree

Floats = NDArray[np.float64]


def jeffrey(
    tree: JunctionTree,
    tables: Sequence[ArrayLike],
    targets: Sequence[int],
    soft: Mapping[int, ArrayLike],
    evidence: Any = None,
    likelihoods: Mapping[int, ArrayLike] | None = None,
) -> Floats:
    r"""Posterior when some variables end up with given distributions (``inference.17``).

    .. math:: p(x \mid \tilde y) = \sum_y p(x \mid y)\, q(y)

    The answer for each hard value is averaged over the distribution :math:`q` that the observer
    now holds about it, independently for several variables. Virtual evidence is something else: it
    multiplies a likelihood in and leaves the result to Bayes' rule (``inference.18``). Where both
    are given the virtual evidence enters the model first, then the soft evidence is averaged over.

    Parameters
    ----------
    tree : JunctionTree
    tables : sequence of arrays
    targets : sequence of int
        Not among the soft variables.
    soft : mapping of int to array of shape (states,)
        Distributions that sum to one.
    evidence, likelihoods
        Hard and virtual evidence, as in :meth:`JunctionTree.marginals`.

    Returns
    -------
    ndarray of shape (rows, states of each target …)

    Examples
    --------
    >>> tree = JunctionTree.compile((3, 2), ((0,), (0, 1)))
    >>> tables = [np.full(3, 1 / 3), np.array([[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]])]
    >>> jeffrey(tree, tables, [1], {0: [0.3, 0.15, 0.55]}).round(4)
    array([[0.37, 0.63]])
    """
    given = {int(v): np.asarray(q, dtype=np.float64) for v, q in soft.items()}
    for v, q in given.items():
        if v in targets:
            raise check.fail("jeffrey", "targets", "apart from the soft variables", v)
        if q.shape != (tree.cardinalities[v],) or (q < 0).any() or abs(q.sum() - 1.0) > 1e-8:
            raise check.fail("jeffrey", f"soft[{v}]", "a distribution over its states", q)
    names = list(given)
    joint = tree.joint(tables, [*targets, *names], evidence, likelihoods)
    axes = tuple(range(1, 1 + len(targets)))
    known = joint.sum(axis=axes, keepdims=True)
    weight = np.ones(())
    for q in given.values():
        weight = weight[..., None] * q
    if ((known == 0.0) & (weight > 0.0)).any():
        raise ZeroProbabilityError(
            "jeffrey: soft must be possible under the model, got positive weight on a state of "
            "probability zero"
        )
    conditional = np.divide(joint, known, out=np.zeros_like(joint), where=known > 0)
    result: Floats = (conditional * weight).sum(axis=tuple(range(1 + len(targets), joint.ndim)))
    return result
