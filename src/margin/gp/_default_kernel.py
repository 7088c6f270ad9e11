"""The kernel of a model that was given none."""

import numpy as np

from margin.kernels import RBF, Kernel, White

MOST_COLUMNS = 20


def default_kernel(X: np.ndarray, *, noise: bool) -> Kernel:
    r"""A Gaussian kernel in units of the data, with a learned variance and, if asked, noise.

    .. math:: k(x, z) = c \exp\Bigl(-\tfrac12\sum_j (x_j - z_j)^2 / \ell_j^2\Bigr)
              + \sigma^2 [x = z]

    The length scales start at the typical distance in their column and may move by a factor of a
    thousand from there. Beyond ``MOST_COLUMNS`` columns there is one for all: that supposes columns
    of like units, and learns faster and more safely than one each.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    noise : bool
        Whether to add a white kernel.

    Examples
    --------
    >>> default_kernel(np.array([[0.0, 1.0], [2.0, 1.0]]), noise=False).kernel
    Scaled(kernel=RBF(length_scale=(1.4142135623730951, 1.0)), factor=1.0)
    """
    d = X.shape[1]
    spread = X.std(axis=0)
    if d <= MOST_COLUMNS:
        start = np.where(spread > 0, spread * np.sqrt(d), 1.0)
        scales: float | tuple[float, ...] = tuple(map(float, start))
        names = [f"length_scale[{j}]" for j in range(d)]
    else:
        scales = float(np.sqrt(np.sum(spread**2))) or 1.0
        names = ["length_scale"]
    limits = {
        name: (value / 1e3, value * 1e3)
        for name, value in zip(names, np.atleast_1d(scales).tolist(), strict=True)
    }
    signal = 1.0 * RBF(scales)
    if not noise:
        return signal.bound(**limits)
    inner = {f"k1.{name}": pair for name, pair in limits.items()}
    return (signal + White(0.1)).bound(**inner, **{"k2.noise_level": (1e-6, 1e2)})
