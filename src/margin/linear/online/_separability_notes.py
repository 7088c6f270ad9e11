"""What a perceptron's report says about separability."""

import numpy as np

from margin.core import Solution
from margin.linear.classification._separability import separability
from margin.linear.online._corrections import Examples

_LARGEST_DIAGNOSIS = 1_000  # numbers in the constraints: more would cost more than the fit


def separability_notes(examples: Examples, solution: Solution, n_classes: int) -> tuple[str, ...]:
    """What is known about separability, by a linear programme where errors are left (linear.30)."""
    rows = examples.table.visits
    # Right answers on the boundary itself become strict ones by a change of the intercepts.
    if solution.objective == 0 and (
        examples.intercept or not examples.unsettled(solution.x)[rows].any()
    ):
        return ("the classes are linearly separable",)
    size = len(rows) * (examples.X.shape[1] + 1) * (n_classes - 1)
    if size > _LARGEST_DIAGNOSIS or not examples.intercept:
        return (
            "whether the classes are linearly separable was not examined: see "
            "margin.linear.separability",
        )
    if len(np.unique(examples.code[rows])) < 2:
        return ()
    return (f"the classes are {separability(examples.X[rows], examples.code[rows])}",)


def cut_short(error_share: float, max_iter: int, notes: tuple[str, ...]) -> str:
    """Why a perceptron ended that made all its epochs, and whether more would help.

    Examples
    --------
    >>> cut_short(0.25, 9, ("the classes are not linearly separable",))
    'stopped after max_iter=9 epochs with 25 % of the rows wrong; the classes are not linearly \
separable: no number of epochs will end it'
    """
    text = notes[0] if notes else ""
    hopeless = "not linearly separable" in text
    advice = "no number of epochs will end it" if hopeless else "raise max_iter"
    return (
        f"stopped after max_iter={max_iter} epochs with {100 * error_share:.3g} % of the rows "
        f"wrong; {text}: {advice}"
    )
