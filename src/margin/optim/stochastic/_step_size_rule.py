"""How step lengths grow with the size of a batch."""

import numpy as np

from margin.core import check


def batch_step_length(single: float, batch: int) -> float:
    r"""Step length for batches from that for single rows, :math:`\tau_B = \sqrt B\, \tau_1`.

    A rule of thumb (optim.16): the noise of the mean of ``B`` gradients is :math:`\sqrt B` times
    smaller, so steps may be that much longer; for the whole table, ``batch = N``, it is
    :math:`\tau_{GD} \approx \sqrt N\, \tau_{SGD}`. An epoch of single rows makes ``N`` steps for
    the same reading of the data, so it still gets :math:`\sqrt N` times as far.

    Parameters
    ----------
    single : float
        Step length that suits steps on one row.
    batch : int
        Rows per step.

    Examples
    --------
    >>> batch_step_length(0.01, 100)
    0.1
    """
    if not (np.isfinite(single) and single > 0):
        raise check.fail("batch_step_length", "single", "a number above 0", single)
    if isinstance(batch, bool) or int(batch) != batch or batch < 1:
        raise check.fail("batch_step_length", "batch", "an integer of at least 1", batch)
    return float(single * np.sqrt(batch))
