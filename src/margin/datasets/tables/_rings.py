"""Rings, discs and rings of Gaussians in the plane."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.datasets import _requirements as require


def make_rings(
    n_samples: int = 300,
    *,
    radii: Sequence[float] = (1.0, 2.0, 3.0),
    noise: float = 0.1,
    random_state: Any = None,
) -> Bunch:
    r"""Concentric rings, :math:`x = (r_k + \sigma\varepsilon)(\cos\varphi, \sin\varphi)`.

    Serves datasets.18. The classes are not linearly separable in the plane but are in
    :math:`\|x\|^2`, which is what a kernel finds.

    Parameters
    ----------
    n_samples : int
        Number of points, spread over the rings as evenly as possible.
    radii : sequence of float
        Radius of each ring.
    noise : float
        Standard deviation of the radius.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data`` (n_samples, 2); ``target``, the ring; ``angle``; ``radii``; ``noise``.

    Examples
    --------
    >>> import numpy as np
    >>> rings = make_rings(6, radii=(1.0, 2.0), noise=0.0, random_state=0)
    >>> np.linalg.norm(rings.data, axis=1).round(12).tolist()
    [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]
    """
    require.count("make_rings", n_samples=n_samples, radii=len(radii))
    for value in radii:
        require.between("make_rings", 0, radii=value)
    require.between("make_rings", 0, noise=noise)
    rng = generator(random_state)
    ring = np.arange(n_samples) % len(radii)
    angle = rng.uniform(0, 2 * np.pi, n_samples)
    radius = np.asarray(radii, dtype=float)[ring] + noise * rng.standard_normal(n_samples)
    return Bunch(
        data=radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]),
        target=ring,
        angle=angle,
        radii=np.asarray(radii, dtype=float),
        noise=noise,
        DESCR="Concentric rings in the plane.",
    )


def make_gaussian_ring(
    n_samples: int = 1000,
    *,
    n_components: int = 8,
    radius: float = 2.0,
    scale: float = 0.1,
    random_state: Any = None,
) -> Bunch:
    r"""A mixture of equal Gaussians whose means sit on a circle.

    Serves datasets.18: :math:`p(x) = \frac1K \sum_k N(x \mid \mu_k, s^2 I)` with
    :math:`\mu_k = r(\cos 2\pi k/K, \sin 2\pi k/K)`, on which a generator that drops modes shows it.

    Parameters
    ----------
    n_samples : int
        Number of points.
    n_components : int
        :math:`K`.
    radius, scale : float
        :math:`r` and :math:`s`.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``; ``target``, the component; ``means``; ``weights``; ``covariance`` of a component;
        ``log_prob``, the exact log density at each point.

    Examples
    --------
    >>> ring = make_gaussian_ring(n_components=4, radius=1.0, random_state=0)
    >>> ring.means.round(12)
    array([[ 1.,  0.],
           [ 0.,  1.],
           [-1.,  0.],
           [-0., -1.]])
    """
    require.count("make_gaussian_ring", n_samples=n_samples, n_components=n_components)
    require.between("make_gaussian_ring", 0, radius=radius)
    require.positive("make_gaussian_ring", scale=scale)
    rng = generator(random_state)
    turn = 2 * np.pi * np.arange(n_components) / n_components
    means = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    component = rng.integers(n_components, size=n_samples)
    data = means[component] + scale * rng.standard_normal((n_samples, 2))
    squares = ((data[:, None] - means[None]) ** 2).sum(axis=2)
    log_parts = -squares / (2 * scale**2) - np.log(2 * np.pi * scale**2 * n_components)
    return Bunch(
        data=data,
        target=component,
        means=means,
        weights=np.full(n_components, 1 / n_components),
        covariance=scale**2 * np.eye(2),
        log_prob=np.logaddexp.reduce(log_parts, axis=1),
        DESCR="A ring of Gaussians.",
    )


def make_disc_concept(
    n_samples: int = 100, *, radius: float = 0.7, random_state: Any = None
) -> Bunch:
    r"""Points of the unit disc, labelled by an unknown concentric disc.

    Serves datasets.18, the concept class of concentric circles: the label is
    :math:`[\|x\| \le r]`, the tightest consistent disc :math:`\hat r` errs on one side only, its
    risk is exactly :math:`r^2 - \hat r^2`, and :math:`n \ge \frac1\epsilon \ln\frac1\delta`
    examples make :math:`P(\text{risk} > \epsilon) \le \delta`.

    Parameters
    ----------
    n_samples : int
        Number of points, uniform on the unit disc.
    radius : float
        :math:`r`, between 0 and 1.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``data``; ``target``; ``radius``; ``tightest_radius`` and its exact ``tightest_risk``.

    Examples
    --------
    >>> disc = make_disc_concept(1000, random_state=0)
    >>> round(disc.tightest_radius, 3), round(disc.tightest_risk, 4)
    (0.7, 0.0005)
    """
    require.count("make_disc_concept", n_samples=n_samples)
    require.between("make_disc_concept", 0, 1, radius=radius)
    rng = generator(random_state)
    angle = rng.uniform(0, 2 * np.pi, n_samples)
    distance = np.sqrt(rng.random(n_samples))  # uniform on the area
    inside = distance <= radius
    tightest = float(distance[inside].max(initial=0.0))
    return Bunch(
        data=distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]),
        target=inside.astype(np.int64),
        radius=radius,
        tightest_radius=tightest,
        tightest_risk=radius**2 - tightest**2,
        DESCR="Points of the unit disc labelled by a concentric disc.",
    )
