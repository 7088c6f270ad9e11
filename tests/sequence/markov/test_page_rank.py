import numpy as np
import pytest
from scipy.sparse import coo_array, random_array

from margin.sequence import page_rank


def dense(A, teleport, jump):
    """The eigenvector of the Google matrix, dangling pages included."""
    A = np.asarray(A, dtype=float)
    out = A.sum(axis=1, keepdims=True)
    R = np.where(out > 0, A / np.where(out > 0, out, 1.0), jump)
    G = teleport * jump + (1 - teleport) * R
    np.testing.assert_allclose(G.sum(axis=1), 1.0)
    values, vectors = np.linalg.eig(G.T)
    p = np.real(vectors[:, np.argmax(np.real(values))])
    return p / p.sum()


@pytest.mark.parametrize("teleport", [0.05, 0.15, 0.9])
def test_equals_the_dense_eigenvector(teleport):
    """sequence.03: links, dangling pages and jumps; positive and of sum one."""
    rng = np.random.default_rng(0)
    A = (rng.random((30, 30)) < 0.1).astype(float)
    A[[3, 7]] = 0.0
    found = page_rank(A, teleport=teleport, tol=1e-12)
    np.testing.assert_allclose(found.rank, dense(A, teleport, np.full(30, 1 / 30)), atol=1e-11)
    assert found.rank.min() > 0
    assert found.rank.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(
        page_rank(coo_array(A), teleport=teleport, tol=1e-12).rank, found.rank
    )
    jump = rng.dirichlet(np.ones(30))
    own = page_rank(A, teleport=teleport, preference=7 * jump, tol=1e-12).rank
    np.testing.assert_allclose(own, dense(A, teleport, jump), atol=1e-11)


def test_jumps_alone_are_even():
    """sequence.03: lambda = 1."""
    np.testing.assert_allclose(page_rank(np.eye(5)[::-1], teleport=1.0).rank, 0.2)


def test_many_pages_and_the_certificate():
    """sequence.03: sparse power iteration; the bound holds."""
    A = random_array((20_000, 20_000), density=2e-4, rng=np.random.default_rng(1), format="csr")
    close = page_rank(A, tol=1e-13)
    rough = page_rank(A, tol=1e-3)
    assert np.abs(rough.rank - close.rank).sum() <= rough.solution.certificate.value
    assert rough.solution.n_iter < close.solution.n_iter


def test_no_links_and_one_page():
    np.testing.assert_allclose(page_rank(np.zeros((3, 3))).rank, 1 / 3)
    assert page_rank([[0]]).rank.tolist() == [1.0]


@pytest.mark.parametrize(
    ("links", "settings", "message"),
    [
        ([[1, 2]], {}, "a square matrix"),
        ([[-1.0]], {}, "at least 0"),
        ([[np.nan]], {}, "finite"),
        ([[1.0]], {"teleport": 0.0}, "above 0"),
        ([[1.0]], {"preference": [0.0]}, "not all 0"),
    ],
)
def test_refusals(links, settings, message):
    with pytest.raises(ValueError, match=f"page_rank: .*{message}"):
        page_rank(links, **settings)
