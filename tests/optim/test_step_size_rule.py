"""Step lengths for batches (optim.16)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.optim import batch_step_length


def test_golden_numbers():
    """optim.16: tau_GD = sqrt(N) tau_SGD, and a batch of one row changes nothing."""
    assert batch_step_length(0.3, 1) == 0.3
    assert_allclose(batch_step_length(0.01, 10_000), 1.0)
    assert_allclose(batch_step_length(0.5, 16), 2.0)


def test_the_rule_keeps_the_noise_of_a_step():
    """optim.16: tau_B times the spread of a mean of B gradients does not depend on B."""
    gradients = np.random.default_rng(0).normal(size=(20_000, 25))
    single = batch_step_length(0.1, 1) * gradients[:, 0].std()
    batched = batch_step_length(0.1, 25) * gradients.mean(axis=1).std()
    assert_allclose(batched, single, rtol=0.03)


@pytest.mark.parametrize(("single", "batch"), [(0.0, 4), (np.inf, 4), (0.1, 0), (0.1, True)])
def test_bad_numbers_are_refused(single, batch):
    with pytest.raises(ValueError, match="batch_step_length: "):
        batch_step_length(single, batch)
