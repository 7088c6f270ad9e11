import numpy as np
import pytest

from margin.linear._class_priors import class_priors


def test_class_priors():
    """linear.25: from counts, equiprobable, or given."""
    total = np.array([1.0, 3.0])
    np.testing.assert_allclose(class_priors("Model", None, total), [0.25, 0.75])
    np.testing.assert_allclose(class_priors("Model", "uniform", total), [0.5, 0.5])
    np.testing.assert_allclose(class_priors("Model", [0.9, 0.1], total), [0.9, 0.1])
    for bad in ([1.0], [0.5, 0.6], [-0.5, 1.5], object(), "frequent"):
        with pytest.raises(ValueError, match=r"Model: priors must be None, .* 2 non-negative"):
            class_priors("Model", bad, total)
