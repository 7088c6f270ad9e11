"""Labels that are announced before all rows are seen, their codes and their weights."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.class_weight import compute_class_weight

from margin.core import check
from margin.core.types import Array, Floats, Places


def announced_labels(
    owner: object, known: Array | None, classes: ArrayLike | None, *, least: int = 2
) -> Array:
    """Sorted labels of a ``partial_fit``, announced in its first call.

    Parameters
    ----------
    owner : object
        Whose name stands in errors.
    known : ndarray or None
        Labels announced earlier, ``None`` in the first call.
    classes : array-like or None
        What this call announces: needed in the first, held against it in later ones.
    least : int
        Number of classes there must be.

    Examples
    --------
    >>> announced_labels("Perceptron", None, ["d", "a", "b"])
    array(['a', 'b', 'd'], dtype='<U1')
    """
    if known is None:
        if classes is None:
            raise check.fail(owner, "classes", "passed on the first call to partial_fit", None)
        return check.classes(owner, np.asarray(classes), least=least)[0]
    if classes is not None and not np.array_equal(np.unique(classes), known):
        need = f"those of the first call ({known.tolist()})"
        error = check.fail(owner, "classes", need, np.unique(classes).tolist())
        raise ValueError(f"{error} (classes is not the same as on last call to partial_fit)")
    return known


def label_codes(owner: object, labels: Array, y: Array) -> Places:
    """Position of every entry of ``y`` among the sorted labels; others are refused.

    Examples
    --------
    >>> label_codes("Perceptron", np.array(["a", "b", "d"]), np.array(["d", "b"]))
    array([2, 1])
    """
    codes = np.searchsorted(labels, y).clip(max=len(labels) - 1)
    if (labels[codes] != y).any():
        unknown = np.setdiff1d(y, labels).tolist()
        error = check.fail(owner, "y", f"among the classes {labels.tolist()}", unknown)
        why = f"The target label(s) {unknown} in y do not exist in the initial classes"
        raise ValueError(f"{error} ({why})")
    return codes


def class_factors(class_weight: Any, labels: Array, codes: Places) -> Floats | None:
    """Weight of every row's class, or ``None`` where no ``class_weight`` is given.

    Examples
    --------
    >>> class_factors({"no": 1.0, "yes": 3.0}, np.array(["no", "yes"]), np.array([0, 0, 1]))
    array([1., 1., 3.])
    """
    if class_weight is None:
        return None
    factors = compute_class_weight(class_weight, classes=labels, y=labels[codes])
    return np.asarray(factors[codes], dtype=np.float64)
