"""Faces with two independent factors: the smile and the eyebrows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from margin.core.random import generator
from margin.core.types import Bools, Floats
from margin.datasets import _requirements as require


def make_smileys(
    n_samples: int = 500,
    *,
    size: int = 24,
    factors: ArrayLike | None = None,
    noise: float = 0.0,
    random_state: Any = None,
) -> Bunch:
    r"""Grey images of a face drawn from two factors in [-1, 1].

    Serves datasets.19. Factor 0 bends the mouth from sad to smiling, factor 1 tilts the eyebrows
    from angry to raised. Moving along one axis of the factors changes only that part of the face
    (disentangled); moving along a diagonal changes both (entangled).

    Parameters
    ----------
    n_samples : int
        Number of faces; ignored when ``factors`` is given.
    size : int
        Height and width of the images, at least 16.
    factors : array-like of shape (n, 2), optional
        Smile and eyebrows of each face; absent, uniform on the square.
    noise : float
        Standard deviation of Gaussian noise on every pixel.
    random_state : None, int or Generator
        Source of randomness.

    Returns
    -------
    Bunch
        ``images`` (n, size, size), 0 to 1 apart from the noise; ``data``, the same flattened;
        ``factors``; ``factor_names``; ``regions``, for each factor the mask of the only pixels
        that it can change.

    Examples
    --------
    >>> faces = make_smileys(factors=[[-1, 0], [1, 0], [1, 1]])
    >>> changed = faces.images[0] != faces.images[1]
    >>> bool(changed.any()), bool((changed & ~faces.regions["smile"]).any())
    (True, False)
    """
    require.count("make_smileys", n_samples=n_samples)
    require.count("make_smileys", minimum=16, size=size)
    require.between("make_smileys", 0, noise=noise)
    rng = generator(random_state)
    given = factors is not None
    values = np.asarray(factors if given else rng.uniform(-1, 1, (n_samples, 2)), dtype=float)
    if values.ndim != 2 or values.shape[1] != 2 or not np.all(np.abs(values) <= 1):
        raise ValueError(
            "make_smileys: factors must be pairs of numbers in [-1, 1], "
            f"got an array of shape {values.shape}"
        )
    images, regions = _faces(values, size)
    if noise:
        images = images + noise * rng.standard_normal(images.shape)
    return Bunch(
        data=images.reshape(len(images), -1),
        images=images,
        factors=values,
        factor_names=["smile", "eyebrows"],
        regions=regions,
        DESCR="Smileys with two disentangled factors.",
    )


def _faces(factors: Floats, size: int) -> tuple[Floats, dict[str, Bools]]:
    """Images, and the pixels each factor owns; x to the right, y upwards, both in [-1, 1]."""
    axis = np.linspace(-1, 1, size)
    x, y = axis[None, :], -axis[:, None]
    smile, brows = factors[:, 0, None, None], factors[:, 1, None, None]

    mouth = -0.5 + 0.25 * smile * ((x / 0.5) ** 2 - 0.5)
    raised = 0.45 + 0.15 * brows * (0.4 - np.abs(x)) / 0.25
    drawn = {
        "smile": _stroke(y - mouth, size) * (np.abs(x) <= 0.5),
        "eyebrows": _stroke(y - raised, size) * ((np.abs(x) >= 0.15) & (np.abs(x) <= 0.65)),
    }
    radius = np.hypot(x, y)
    regions = {
        "smile": (y < -0.15) & (np.abs(x) <= 0.5) & (radius < 0.85),
        "eyebrows": (y > 0.2) & (np.abs(x) <= 0.65) & (radius < 0.85),
    }
    face = _stroke(radius - 0.95, size)
    eyes = _stroke(np.hypot(np.abs(x) - 0.4, y - 0.05), size)
    image = np.broadcast_to(np.maximum(face, eyes), (len(factors), size, size))
    for name, part in drawn.items():
        # A part is cut at the border of its region, so that no other pixel can feel it.
        image = np.maximum(image, part * regions[name])
    return image, regions


def _stroke(distance: Floats, size: int) -> Floats:
    """Ink of a pen about one pixel wide, at a distance from the line."""
    return np.exp(-0.5 * (distance * size / 2) ** 2)
