"""Components of a mixture to start from."""

from typing import Any

import numpy as np

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions import (
    ColumnMoments,
    Distribution,
    MixtureDistribution,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Product,
    ProductFamily,
)
from margin.mixture.finite._gaussian_starts import GaussianStarts, Given

_LEAST = 1e-3


def family_of(owner: object, component: Any) -> Any:
    """What a component is fitted by: its own class, or a product of classes."""
    if isinstance(component, Product):
        return ProductFamily(
            [family_of(owner, part) for part in component.parts], component.columns
        )
    family = type(component) if isinstance(component, Distribution) else component
    if not hasattr(family, "fit"):
        wanted = "distributions, or families with statistics and fit"
        raise check.fail(owner, "components", wanted, component)
    return family


def seeded(
    owner: object,
    families: tuple[Any, ...],
    priors: tuple[Any, ...],
    X: Floats,
    weight: Floats | None,
    rng: np.random.Generator,
) -> MixtureDistribution:
    """Components fitted to clusters of rows, each with a little of all rows."""
    k = len(families)
    moments = ColumnMoments.of(X, weight)
    scale = moments.scatter / np.where(moments.weight > 0, moments.weight, 1.0)
    wide = np.sqrt(np.where(scale > 0, scale, 1.0))
    source = GaussianStarts(
        X / wide, weight, k, "spherical", 1e-6, "kmeans", Given(), scale / wide**2
    )
    share = source.shares(rng)
    w = np.ones(len(X)) if weight is None else weight
    share = ((1 - _LEAST) * share + _LEAST) * w[:, None]
    members = []
    for j, (family, prior) in enumerate(zip(families, priors, strict=True)):
        rows = X[:, 0] if X.shape[1] == 1 and not _takes_vectors(family) else X
        try:
            members.append(_fitted(family, rows, share[:, j], prior))
        except (FitError, ValueError) as error:
            raise FitError(
                f"{check.named(owner)}: component {j} cannot be fitted to a start: {error}"
            ) from error
    return MixtureDistribution(share.sum(axis=0) / share.sum(), members)


def _takes_vectors(family: Any) -> bool:
    if isinstance(family, ProductFamily):
        return True
    return isinstance(family, type) and issubclass(family, MultivariateNormal)


def _fitted(family: Any, rows: Floats, share: Floats, prior: Any) -> Any:
    """A first fit: gaps in vectors are filled by means, and a weak prior keeps them apart."""
    if isinstance(family, ProductFamily):
        priors = prior if prior is not None else (None,) * len(family.families)
        parts = [
            _fitted(f, rows[:, c], share, p)
            for f, c, p in zip(family.families, family.columns, priors, strict=True)
        ]
        return Product(parts, family.columns)
    if isinstance(family, type) and issubclass(family, MultivariateNormal) and np.isnan(rows).any():
        columns = ColumnMoments.of(rows, share)
        weak = NormalInverseWishart(
            columns.mean,
            1.0,
            np.diag(np.maximum(columns.scatter, 1e-9)),
            rows.shape[1] + 2.0,
        )
        whole = np.where(np.isnan(rows), columns.mean, rows)
        return family.fit(family.statistics(whole, share), prior or weak)
    stats = family.statistics(rows, share)
    try:
        return family.fit(stats, prior)
    except (FitError, ValueError):
        if family is not Normal or prior is not None:
            raise
        columns = ColumnMoments.of(rows, share)
        return family.fit(stats, NormalInverseGamma(columns.mean, 1.0, 1.0, 1.0))
