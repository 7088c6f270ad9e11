"""Finite differences against a claimed gradient."""

import numpy as np

from margin.core.types import Floats
from margin.optim._problem import Problem


def check_gradient(problem: Problem, x: Floats, step: float = 1e-5) -> float:
    r"""Largest relative deviation of the gradient from central differences (optim.24).

    .. math:: \max_j \frac{|g_j - (f(x + h e_j) - f(x - h e_j)) / 2h|}{\max(1, \|g\|_\infty)}

    with :math:`h` scaled to the size of :math:`x_j`. About 1e-9 for a right gradient of a
    well-scaled function, near 1 for a wrong one.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function
    >>> right = Function(lambda x: (float(np.sum(x**4)), 4 * x**3), 2)
    >>> wrong = Function(lambda x: (float(np.sum(x**4)), 3 * x**3), 2)
    >>> x = np.array([1.0, -2.0])
    >>> check_gradient(right, x) < 1e-8, check_gradient(wrong, x) > 0.1
    (True, True)
    """
    gradient = problem.expand(x).gradient
    numeric = np.empty_like(gradient)
    for j in range(len(x)):
        h = step * max(1.0, abs(float(x[j])))
        ahead, behind = x.copy(), x.copy()
        ahead[j] += h
        behind[j] -= h
        numeric[j] = (problem.expand(ahead).value - problem.expand(behind).value) / (2 * h)
    return float(np.abs(gradient - numeric).max() / max(1.0, float(np.abs(gradient).max())))
