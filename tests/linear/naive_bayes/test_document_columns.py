import numpy as np
import pytest
from scipy import sparse
from scipy.stats import dirichlet_multinomial, multinomial

from margin.linear.naive_bayes._document_columns import MultinomialColumns, PolyaLikelihood

DOCUMENTS = np.array([[2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [0.0, 0.0, 0.0]])


def constant(X):
    from scipy.special import gammaln

    return gammaln(X.sum(axis=1) + 1) - gammaln(X + 1).sum(axis=1)


def test_documents_are_multinomial_up_to_the_coefficient():
    """linear.45"""
    counts = np.array([[4.0, 2.0, 1.0], [0.0, 1.0, 1.0]])
    fitted = MultinomialColumns(1.0).fit(counts)
    np.testing.assert_allclose(np.exp(fitted.log_theta), [[0.5, 0.3, 0.2], [0.2, 0.4, 0.4]])
    scores = fitted.log_prob(DOCUMENTS) + constant(DOCUMENTS)[:, None]
    for k, theta in enumerate(np.exp(fitted.log_theta)):
        expected = [multinomial.logpmf(d, int(d.sum()), theta) for d in DOCUMENTS]
        np.testing.assert_allclose(scores[:, k], expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array, sparse.csr_matrix])
def test_polya_documents(storage):
    a = np.array([[4.5, 2.0, 1.5], [0.5, 1.0, 1.0]])
    scores = PolyaLikelihood(a, 0.5).log_prob(storage(DOCUMENTS)) + constant(DOCUMENTS)[:, None]
    for k in range(2):
        for i in range(2):
            law = dirichlet_multinomial(a[k], int(DOCUMENTS[i].sum()))
            assert scores[i, k] == pytest.approx(law.logpmf(DOCUMENTS[i].astype(int)), rel=1e-10)
    np.testing.assert_allclose(scores[2], 0.0, atol=1e-12)


def test_polya_evidence_is_the_product_of_its_own_predictions():
    """Reading the documents one after the other, each predicted from those before it."""
    total, counts = 0.0, np.zeros((1, 3))
    for document in DOCUMENTS:
        total += PolyaLikelihood(counts + 0.5, 0.5).log_prob(document[None])[0, 0]
        counts = counts + document
    assert PolyaLikelihood(counts + 0.5, 0.5).total_log_prob(counts) == pytest.approx(total)


def test_samples_of_polya_vary_more_than_multinomial():
    rng, code = np.random.default_rng(0), np.zeros(4000, dtype=int)
    fixed = MultinomialColumns(0.5, length=20.0).fit(np.ones((1, 3))).sample(code, rng)
    free = PolyaLikelihood(np.full((1, 3), 1.5), 0.5, 20.0).sample(code, rng)
    np.testing.assert_allclose(free.mean(axis=0), fixed.mean(axis=0), atol=0.4)
    assert free.var(axis=0).min() > 2 * fixed.var(axis=0).max()
