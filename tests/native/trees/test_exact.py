import numpy as np
import pytest

from margin.native.trees import exact


@pytest.fixture
def rng():
    return np.random.default_rng(12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_columns_are_sorted_with_missing_last(dtype, n_threads, rng):
    columns = rng.normal(size=(4, 200)).astype(dtype).round(1)
    columns[1] = 1 + rng.integers(0, 3, size=200) * np.finfo(np.float64).eps
    columns[2, ::5] = np.nan
    columns[3, :3] = [-0.0, 0.0, -np.inf]
    kinds = np.zeros(4, dtype=np.uint8)
    entries = exact.sort_columns(columns, kinds, n_threads)
    for column, entry in zip(columns, entries, strict=True):
        codes, rows = (entry >> np.uint64(32)).astype(np.int64), (entry & np.uint64(2**32 - 1))
        values = column[rows.astype(np.int64)]
        np.testing.assert_array_equal(np.sort(rows), np.arange(200))
        np.testing.assert_array_equal(values, np.sort(column))
        assert (codes[np.isnan(values)] == 2**32 - 1).all()
        known = values[~np.isnan(values)]
        np.testing.assert_array_equal(np.diff(codes[: len(known)]) > 0, np.diff(known) > 0)


def test_categories_are_their_own_codes():
    columns = np.array([[3.0, np.nan, 0.0, 70000.0, 3.0]])
    entries = exact.sort_columns(columns, np.ones(1, dtype=np.uint8), 1)
    np.testing.assert_array_equal(entries >> np.uint64(32), [[0, 3, 3, 70000, 2**32 - 1]])


def test_empty_columns():
    assert exact.sort_columns(np.empty((2, 0)), np.zeros(2, dtype=np.uint8), 1).shape == (2, 0)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="different shape"):
        exact.sort_columns(np.ones((2, 3)), np.zeros(1, dtype=np.uint8), 1)


def test_weakest_links():
    # Root with a leaf on the left and a stump on the right: the stump goes first.
    left = np.array([1, -1, 3, -1, -1], dtype=np.int32)
    right = np.array([2, -1, 4, -1, -1], dtype=np.int32)
    risk = np.array([1.0, 0.1, 0.3, 0.1, 0.1])
    nodes, strengths, totals = exact.pruning_steps(left, right, risk)
    np.testing.assert_array_equal(nodes, [2, 0])
    np.testing.assert_allclose(strengths, [0.1, 0.6])
    np.testing.assert_allclose(totals, [0.4, 1.0])


def test_hostile_children():
    with pytest.raises(ValueError, match="after their parents"):
        exact.pruning_steps(
            np.array([0], dtype=np.int32), np.array([0], dtype=np.int32), np.ones(1)
        )


def random_trees(columns, targets, criterion, *, packed_bytes, **settings):
    """Trees of random splits, grown on copies of the rows of branches up to a size, or not."""
    classes = criterion in ("gini", "entropy", "misclassification")
    given = {
        "weight": None,
        "usable": None,
        "max_depth": -1,
        "min_samples_split": 2,
        "min_samples_leaf": 1,
        "min_weight_fraction_leaf": 0.0,
        "min_impurity_decrease": 0.0,
        "max_features": len(columns),
        "n_threads": 1,
    }
    return exact.grow_exact(
        packed_bytes=packed_bytes,
        X=columns,
        sorted=None,
        missing_bins=None,
        random_splits=True,
        categorical=np.zeros(len(columns), dtype=np.uint8),
        classes=targets[None].astype(np.int32) if classes else None,
        n_classes=np.array([int(targets.max()) + 1] if classes else [], dtype=np.int64),
        numbers=None if classes else targets[None].astype(float),
        sorted_numbers=None,
        criterion=exact.CRITERIA[criterion],
        seeds=np.arange(3, dtype=np.uint64),
        directions=None,
        groups=None,
        max_leaf_nodes=0,
        **{**given, **settings},
    )


def assert_the_same(trees, others):
    assert trees.keys() == others.keys()
    for name, numbers in trees.items():
        np.testing.assert_array_equal(numbers, others[name], err_msg=name)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("criterion", "n_classes"),
    [("gini", 2), ("gini", 5), ("entropy", 3), ("misclassification", 2), ("squared", 0)],
)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_features": 3, "min_samples_leaf": 4},
        {"max_depth": 4, "min_impurity_decrease": 0.003},
        {"max_features": 5, "min_weight_fraction_leaf": 0.02, "min_samples_split": 9},
        {"usable": np.tile(np.arange(37) % 3 == 0, (3, 1)).astype(np.uint8)},
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_copied_rows_grow_the_same_trees(dtype, criterion, n_classes, settings, weighted, rng):
    columns = rng.normal(size=(37, 300)).astype(dtype)
    columns[5] = columns[5].round(1)
    columns[20] = 1.0
    y = rng.integers(0, n_classes, 300) if n_classes else rng.normal(size=300) + columns[3]
    if weighted:
        settings = {**settings, "weight": rng.integers(0, 3, size=(3, 300)).astype(float)}
    plain, branches, whole = (
        random_trees(columns, y, criterion, packed_bytes=size, **settings)
        for size in (0, 8192, 2**24)
    )
    assert len(plain["feature"]) > 9
    assert_the_same(plain, branches)
    assert_the_same(plain, whole)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_copied_rows_of_counts(dtype, rng):
    columns = rng.normal(size=(4, 200)).astype(dtype)
    y = rng.poisson(np.exp(columns[0]))
    plain, whole = (random_trees(columns, y, "poisson", packed_bytes=b) for b in (0, 2**24))
    assert_the_same(plain, whole)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_copied_rows_of_few(n, rng):
    columns, y = rng.normal(size=(2, n)), np.arange(n)
    for criterion in ("gini", "squared"):
        plain, whole = (random_trees(columns, y, criterion, packed_bytes=b) for b in (0, 2**24))
        assert_the_same(plain, whole)
        assert len(plain["feature"]) == 3 * (2 * n - 1)


def test_branches_without_missing_values_are_copied(rng):
    columns = rng.normal(size=(3, 400))
    columns[1, :5] = np.nan
    y = rng.normal(size=400)
    plain, branches = (random_trees(columns, y, "squared", packed_bytes=b) for b in (0, 2**24))
    assert_the_same(plain, branches)


def test_neighbouring_floats_are_parted(rng):
    # A threshold in double precision may lie between the two; the copies are in single precision.
    low = np.float32(16777216.0)
    columns = np.where(rng.random((1, 50)) < 0.5, low, np.nextafter(low, np.float32(np.inf)))
    columns = columns.astype(np.float32)
    y = (columns[0] > low).astype(float)
    plain, whole = (random_trees(columns, y, "squared", packed_bytes=b) for b in (0, 2**24))
    assert_the_same(plain, whole)
    np.testing.assert_array_equal(np.diff(whole["offsets"]), 3)
    assert (whole["threshold"][whole["left"] > 0] < columns.max()).all()


def coded_trees(codes, y, *, packed_bytes, **settings):
    """Trees between bins for the squared loss, grown on codes of their own up to a size, or not."""
    given = {
        "weight": None,
        "usable": None,
        "max_depth": -1,
        "min_samples_split": 2,
        "min_samples_leaf": 1,
        "min_weight_fraction_leaf": 0.0,
        "min_impurity_decrease": 0.0,
        "max_features": len(codes),
    }
    return exact.grow_exact(
        packed_bytes=packed_bytes,
        X=codes,
        sorted=None,
        missing_bins=np.full(len(codes), 254, dtype=np.int32),
        random_splits=False,
        categorical=np.zeros(len(codes), dtype=np.uint8),
        classes=None,
        n_classes=np.empty(0, dtype=np.int64),
        numbers=y[None].astype(float),
        sorted_numbers=None,
        criterion=exact.CRITERIA["squared"],
        seeds=np.arange(2, dtype=np.uint64),
        directions=None,
        groups=None,
        max_leaf_nodes=0,
        n_threads=1,
        **{**given, **settings},
    )


@pytest.mark.parametrize("shape", [(1, 40), (5, 2), (9, 3), (37, 33), (40, 300), (70, 900)])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_features": 3, "min_samples_leaf": 4},
        {"max_depth": 4, "min_impurity_decrease": 0.003},
        {"min_samples_leaf": 3, "min_weight_fraction_leaf": 0.02, "min_samples_split": 9},
        {"usable": 3},
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_codes_of_their_own_grow_the_same_trees(shape, settings, weighted, rng):
    """Sums of whole numbers have no rounding, so that equal gains are equal in either way."""
    p, n = shape
    codes = rng.integers(0, rng.choice([2, 40, 254], size=(p, 1)), size=shape).astype(np.uint8)
    if p > 4:
        codes[3], codes[4] = 7, codes[2]
    y = rng.integers(0, 50, n)
    if "usable" in settings:
        settings = {"usable": np.tile(np.arange(p) % 3 == 0, (2, 1)).astype(np.uint8)}
    if weighted:
        settings = {**settings, "weight": 1.0 + rng.integers(0, 3, size=(2, n))}
    plain, branches, whole = (
        coded_trees(codes, y, packed_bytes=size, **settings) for size in (0, 4096, 2**24)
    )
    for name, numbers in plain.items():
        for other in (branches, whole):
            np.testing.assert_allclose(other[name], numbers, rtol=1e-12, atol=1e-12, err_msg=name)


def test_codes_with_missing_values_stay_where_they_are(rng):
    codes = rng.integers(0, 255, size=(6, 400)).astype(np.uint8)
    assert (codes == 254).any()
    plain, whole = (coded_trees(codes, codes[0] % 9, packed_bytes=b) for b in (0, 2**24))
    for name, numbers in plain.items():
        np.testing.assert_allclose(whole[name], numbers, rtol=1e-12, atol=1e-12, err_msg=name)


def test_codes_of_their_own_find_the_largest_gain(rng):
    """Every node of a tree on real targets against all cuts of all columns, written out."""
    codes = rng.integers(0, 60, size=(11, 400)).astype(np.uint8)
    y = rng.normal(size=400) + codes[1] / 20
    tree = {k: v[: len(v)] for k, v in coded_trees(codes, y, packed_bytes=2**24).items()}
    last = tree["offsets"][1]
    rows = {0: np.arange(400)}
    for i in range(last):
        if tree["feature"][i] < 0:
            continue
        own = rows.pop(i)
        left = codes[tree["feature"][i], own] <= tree["threshold"][i]
        rows[tree["left"][i]], rows[tree["right"][i]] = own[left], own[~left]
        best = 0.0
        for column in codes[:, own]:
            for cut in np.unique(column)[:-1]:
                a, b = y[own[column <= cut]], y[own[column > cut]]
                gain = len(own) * y[own].var() - len(a) * a.var() - len(b) * b.var()
                best = max(best, gain)
        assert tree["gain"][i] * 400 == pytest.approx(best, rel=1e-9)
