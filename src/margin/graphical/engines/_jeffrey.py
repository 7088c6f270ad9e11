"""Jeffrey's rule: soft evidence as the virtual evidence it amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from margin.core.types import Floats
from margin.graphical._domain import Domain
from margin.graphical.engines._evidence import Evidence
from margin.inference import JunctionTree, UnattainableError, soft_likelihoods


def hardened(
    domain: Domain, tree: JunctionTree, tables: Sequence[Floats], evidence: Evidence, codes: Any
) -> Evidence:
    r"""Evidence without soft parts under which every soft variable has its distribution.

    Of all distributions with the marginals :math:`q_j` the posterior is the nearest to
    :math:`p(x \mid \text{hard, virtual})` by Kullback-Leibler divergence; for a single variable
    it is :math:`\sum_y p(x \mid y)\, q(y)`.

    Parameters
    ----------
    domain : Domain
        Names for messages.
    tree, tables
        The compiled model.
    evidence : Evidence
        With soft variables.
    codes : ndarray
        Codes of the hard evidence with columns for the auxiliary variables of the tree.
    """
    refuse_both(domain, evidence)
    try:
        _, virtual = soft_likelihoods(tree, tables, evidence.soft, codes, evidence.likelihoods)
    except UnattainableError as error:
        raise unattainable(domain, evidence, error) from None
    return replace(evidence, likelihoods=virtual, soft={})


def refuse_both(domain: Domain, evidence: Evidence) -> None:
    """A variable may be observed or believed, not both in one row."""
    for v in sorted(evidence.soft):
        if (evidence.codes[:, v] >= 0).any():
            raise ValueError(
                f"{domain.owner}: evidence on {domain.names[v]!r} must be soft or hard, got both"
            )


def unattainable(domain: Domain, evidence: Evidence, error: UnattainableError) -> ValueError:
    """The refusal in the names of the model."""
    where = f" in row {error.row}" if evidence.batched else ""
    together = " and together" if len(evidence.soft) > 1 else ""
    return ValueError(
        f"{domain.owner}: soft evidence{where} must be possible{together}, "
        f"for {domain.names[error.variable]!r} {error.got}"
    )
