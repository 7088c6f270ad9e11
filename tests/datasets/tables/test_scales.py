import dataclasses

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from margin.datasets import SCALES, is_invariant

X = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
ORDER = ["nominal", "ordinal", "interval", "ratio", "absolute"]


def test_registry_is_frozen():
    """datasets.24: five scales, weakest first, that nobody can change."""
    assert list(SCALES) == ORDER
    with pytest.raises(TypeError):
        SCALES["nominal"] = None
    with pytest.raises(dataclasses.FrozenInstanceError):
        SCALES["nominal"].name = "other"


@pytest.mark.parametrize(
    ("after", "admitting"),
    [
        (X, ORDER),
        (2.5 * X, ORDER[:4]),
        (1.8 * X + 32, ORDER[:3]),
        (X**3, ORDER[:2]),
        (np.cos(7 * X), ORDER[:1]),
        (-X, ORDER[:1]),
        (np.round(X / 2), []),
        (np.arange(8.0), []),
    ],
)
def test_admitted_transformations(after, admitting):
    """datasets.24: the groups are nested, so a map is admitted up to some scale."""
    assert [name for name, scale in SCALES.items() if scale.admits(X, after)] == admitting


@pytest.mark.parametrize("name", ORDER)
def test_random_members_belong_to_the_group_and_to_all_weaker_ones(name):
    """datasets.24: what is drawn is admitted, down the chain."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        member = SCALES[name].draw(rng)
        for weaker in ORDER[: ORDER.index(name) + 1]:
            assert SCALES[weaker].admits(X, member(X))


@pytest.mark.parametrize("name", ORDER[:4])
def test_random_members_reach_beyond_the_stronger_scale(name):
    """datasets.24: each group is really larger than the next."""
    stronger = SCALES[ORDER[ORDER.index(name) + 1]]
    rng = np.random.default_rng(1)
    assert not all(stronger.admits(X, SCALES[name].draw(rng)(X)) for _ in range(10))


STATISTICS = {
    "number of values": (lambda v: len(np.unique(v)), "nominal"),
    "ranks": (lambda v: np.argsort(np.argsort(v, kind="stable")), "ordinal"),
    "standard scores": (lambda v: (v - v.mean()) / v.std(), "interval"),
    "coefficient of variation": (lambda v: v.std() / v.mean(), "ratio"),
    "mean": (np.mean, "absolute"),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_are_invariant_up_to_their_scale(name):
    """datasets.24: a statistic survives its own scale and all stronger, none that is weaker."""
    function, weakest = STATISTICS[name]
    for scale in ORDER:
        expected = ORDER.index(scale) >= ORDER.index(weakest)
        assert is_invariant(function, X, scale, random_state=0) == expected, scale


def test_a_tree_is_ordinal_and_a_kernel_is_not():
    """datasets.24: splits only use order; a Gaussian kernel uses distances."""
    label = np.array([0, 0, 1, 0, 1, 1, 0, 0])

    def tree(values):
        return (
            DecisionTreeClassifier(random_state=0)
            .fit(values[:, None], label)
            .apply(values[:, None])
        )

    def kernel(values):
        return np.exp(-(np.subtract.outer(values, values) ** 2))

    assert is_invariant(tree, X, "ordinal", random_state=2)
    assert not is_invariant(kernel, X, "ordinal", random_state=2)
    assert is_invariant(kernel, X, "absolute", random_state=2)


def test_degenerate_measurements():
    """datasets.24: constants and zeros prove little, NaN proves nothing."""
    assert SCALES["interval"].admits([2.0, 2.0], [5.0, 5.0])
    assert not SCALES["interval"].admits([2.0, 2.0], [5.0, 6.0])
    assert SCALES["ratio"].admits([0.0, 0.0], [0.0, 0.0])
    assert not SCALES["ratio"].admits([0.0, 0.0], [1.0, 1.0])
    assert not SCALES["ratio"].admits([1.0, 2.0], [-1.0, -2.0])
    for before, after in (([1.0, np.nan], [1.0, 2.0]), ([1.0], [1.0, 2.0]), ([[1.0]], [[1.0]])):
        with pytest.raises(ValueError, match="Scale: before and after must be"):
            SCALES["nominal"].admits(before, after)
    with pytest.raises(ValueError, match="is_invariant: scale must be one of"):
        is_invariant(np.mean, X, "cosmic")
