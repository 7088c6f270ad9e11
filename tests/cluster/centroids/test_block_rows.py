"""Blocks of rows that k-means passes over, as one table."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from margin.cluster import HistogramClustering, KMeans, SphericalKMeans
from margin.cluster.centroids._block_rows import BlockRows
from margin.cluster.seeding._candidates import TableCandidates
from margin.inference.centres._rows import rows_of

RNG = np.random.default_rng(0)
X = np.where(RNG.random((90, 4)) < 0.4, 0.0, RNG.normal(size=(90, 4)))
WEIGHT = RNG.uniform(0, 2, 90)
CENTRES = RNG.normal(size=(6, 4))
PARTS = (slice(0, 1), slice(1, 40), slice(40, 90))


def blocks(kind):
    make = csr_array if kind == "sparse" else np.asarray
    return [(make(X[part]), WEIGHT[part]) for part in PARTS]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_a_pass_is_that_over_the_table(kind):
    rows = BlockRows.of(KMeans(), blocks(kind), 1)
    before = RNG.integers(6, size=90).astype(np.int32)
    one, other = rows(CENTRES, before), rows_of(X, WEIGHT, 1)(CENTRES, before)
    assert_array_equal(one.label, other.label)
    assert one.changed == other.changed
    for name in ("square", "sums", "mass", "inertia"):
        assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12)
    assert rows.variance == pytest.approx(X.var(axis=0).mean())
    assert_allclose(rows.row(39), X[39])


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_candidates_are_those_of_the_table(kind):
    rows, table = BlockRows.of(KMeans(), blocks(kind), 1), TableCandidates(X, 1)
    assert rows.shape == table.shape
    assert_allclose(rows.rows([80, 0, 3]), X[[80, 0, 3]])
    least = RNG.uniform(0, 4, 90)
    assert_allclose(rows.nearer(least, [5, 60]), table.nearer(least, [5, 60]), atol=1e-12)
    label = RNG.integers(3, size=90)
    assert_allclose(rows.sums(label, WEIGHT, 3), table.sums(label, WEIGHT, 3))


def test_an_empty_cluster_is_restarted_in_the_block_of_its_row():
    """The repair reads a single row: the fit is that in memory, and says so."""
    table = np.concatenate([RNG.normal(size=(40, 2)), [[50.0, 0.0]]])
    start = np.array([[0.0, 0.0], [900.0, 900.0]])
    whole = KMeans(2, init=start, n_init=1).fit(table)
    parts = KMeans(2, init=start, n_init=1).fit_blocks([table[:30], table[30:]])
    assert_allclose(whole.cluster_centers_, parts.cluster_centers_)
    assert whole.fit_report_.repairs == parts.fit_report_.repairs
    assert any("restarted" in repair for repair in parts.fit_report_.repairs)


def test_bad_blocks_are_refused():
    with pytest.raises(ValueError, match=r"KMeans: blocks must be of tables X or tuples"):
        KMeans(2).fit_blocks([(X, WEIGHT, 1)])
    with pytest.raises(ValueError, match="n_clusters must be at most the number of samples"):
        KMeans(91).fit_blocks([X])
    with pytest.raises(ValueError, match="KMeans: init must be a name or an array"):
        KMeans(2, init=lambda X, k, random_state: X[:k]).fit_blocks([X])
    with pytest.raises(ValueError, match="features"):
        KMeans(2).fit_blocks([X, X[:, :2]])
    with pytest.raises(ValueError, match="sample_weight must be above 0 somewhere"):
        KMeans(2).fit_blocks([(X, np.zeros(90))])
    with pytest.raises(ValueError, match="NaN"):
        KMeans(2).fit_blocks([X, np.full((3, 4), np.nan)])


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_rows_are_changed_anew_in_every_pass(kind):
    rows, table = BlockRows.of(KMeans(), blocks(kind), 1), TableCandidates(X, 1)
    double, wanted = rows.mapped(lambda block: 2 * block), table.mapped(lambda block: 2 * block)
    assert_allclose(double.rows([80, 0]), wanted.rows([80, 0]))
    label = RNG.integers(3, size=90)
    assert_allclose(double.sums(label, WEIGHT, 3), 2 * rows.sums(label, WEIGHT, 3))
    assert [block.shape[0] for block in rows.each(lambda block: block)] == [1, 39, 50]
    assert table.each(np.shape) == [(90, 4)]


COUNTS = RNG.poisson(np.where(np.arange(90)[:, None] < 45, [4, 1, 0.2, 2], [0.5, 1, 5, 1]))


@pytest.mark.parametrize("init", ["k-means++", "random", "first", "partition", "farthest"])
@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize(
    ("model", "rows"), [(SphericalKMeans, X), (HistogramClustering, COUNTS.astype(float))]
)
def test_blocks_of_directions_and_of_histograms(model, rows, make, init):
    """cluster.01, cluster.13: the fit in memory, starts, weights and rows of zeros included."""
    rows = rows.copy()
    rows[7] = 0.0
    options = {"n_clusters": 3, "init": init, "n_init": 2, "random_state": 0}
    whole = model(**options).fit(make(rows), sample_weight=WEIGHT)
    parts = model(**options).fit_blocks([(make(rows[part]), WEIGHT[part]) for part in PARTS])
    assert_array_equal(parts.labels_, whole.labels_)
    assert_allclose(parts.cluster_centers_, whole.cluster_centers_, atol=1e-12)
    assert parts.inertia_ == pytest.approx(whole.inertia_)
    assert parts.fit_report_.notes == whole.fit_report_.notes
    with pytest.raises(ValueError, match="init must be a name or an array for blocks"):
        model(init=lambda *_, **__: rows[:3]).fit_blocks([rows])
