"""Boolean functions as data: what one linear unit can represent, and what it cannot."""

import numpy as np
from sklearn.utils import Bunch

from margin.datasets import _requirements as require

# Truth values for inputs 00, 01, 10, 11 and a unit [w..., bias] that represents them.
_TABLES: dict[str, tuple[list[int], list[float] | None]] = {
    "and": ([0, 0, 0, 1], [1.0, 1.0, -1.5]),
    "or": ([0, 1, 1, 1], [1.0, 1.0, -0.5]),
    "nand": ([1, 1, 1, 0], [-1.0, -1.0, 1.5]),
    "xor": ([0, 1, 1, 0], None),
    "not": ([1, 0], [-1.0, 0.5]),
}


def load_boolean(function: str = "xor", *, signed: bool = False) -> Bunch:
    r"""The truth table of AND, OR, NAND, XOR (two inputs) or NOT (one).

    Serves datasets.17. All but XOR are linearly separable,
    :math:`f(x) = [w^\top x + w_0 > 0]`; XOR is :math:`(x_1 \wedge \bar x_2) \vee
    (\bar x_1 \wedge x_2)`, hence AND of OR and NAND, which takes two layers.

    Parameters
    ----------
    function : {"and", "or", "nand", "xor", "not"}
        Which function.
    signed : bool
        Write false as -1 instead of 0, in inputs and outputs.

    Returns
    -------
    Bunch
        ``data``, ``target``; ``separable``; ``weights`` and ``bias`` of a unit that represents it
        on 0/1 inputs (None for XOR).

    Examples
    --------
    >>> xor = load_boolean("xor")
    >>> xor.target.tolist(), xor.separable
    ([0, 1, 1, 0], False)
    >>> nand = load_boolean("nand")
    >>> ((nand.data @ nand.weights + nand.bias > 0) == nand.target).all()
    np.True_
    """
    require.one_of("load_boolean", tuple(_TABLES), function=function)
    values, unit = _TABLES[function]
    n_inputs = len(values).bit_length() - 1
    data = np.stack(np.meshgrid(*[[0, 1]] * n_inputs, indexing="ij"), axis=-1)
    data = data.reshape(-1, n_inputs)
    target = np.array(values)
    return Bunch(
        data=2 * data - 1 if signed else data,
        target=2 * target - 1 if signed else target,
        feature_names=[f"x{i + 1}" for i in range(n_inputs)],
        target_name=function,
        separable=unit is not None,
        weights=None if unit is None else np.array(unit[:-1]),
        bias=None if unit is None else unit[-1],
        DESCR=f"Truth table of {function.upper()}.",
    )
