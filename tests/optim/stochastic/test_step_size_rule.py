"""Step lengths for batches (optim.16)."""

import numpy as np
import pytest

from margin import losses, optim, penalties
from margin.optim import batch_step_length


def test_the_rule():
    """optim.16: the step of gradient descent is sqrt(N) times that of single rows."""
    assert batch_step_length(0.01, 1) == 0.01
    assert batch_step_length(0.01, 10_000) == pytest.approx(1.0)


def test_noise_of_a_batch_grows_as_the_rule_assumes():
    """optim.16: at a step tau sqrt(B) the noise of a batch step is that of a single step."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4096, 3)), rng.normal(size=4096)
    rows = optim.RowSum.build(X, y, None, losses.Squared(), penalties.Zero(), intercept=False)
    spread = {}
    for batch in (1, 64):
        rate = batch_step_length(0.01, batch)
        steps = np.array(
            [
                optim.SGD(schedule=optim.Constant(rate), batch=batch, shuffle=False)
                .epoch(
                    optim.RowSum.build(
                        X[at : at + batch],
                        y[at : at + batch],
                        None,
                        losses.Squared(),
                        penalties.Zero(),
                        intercept=False,
                    ),
                    optim.SGD().begin(rows, np.zeros(3)),
                )
                .w
                for at in range(0, 4096, batch)
            ]
        )
        spread[batch] = steps[:, :3].std(axis=0).mean()
    assert 0.75 < spread[64] / spread[1] < 1.25


@pytest.mark.parametrize(("single", "batch"), [(0.0, 1), (np.inf, 1), (0.1, 0), (0.1, 1.5)])
def test_bad_settings_are_refused(single, batch):
    with pytest.raises(ValueError, match="batch_step_length: "):
        batch_step_length(single, batch)
