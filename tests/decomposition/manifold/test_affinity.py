import numpy as np
from scipy.sparse import csr_array
from sklearn.neighbors import kneighbors_graph

from margin.decomposition.manifold._affinity import given_neighbours, neighbour_graph

X = np.random.default_rng(0).normal(size=(40, 3))


def test_dense_and_sparse_rows_give_the_graph_of_the_reference():
    theirs = kneighbors_graph(X, 5, include_self=True).toarray()
    wanted = 0.5 * (theirs + theirs.T)
    np.testing.assert_array_equal(neighbour_graph(X, 5, 1).toarray(), wanted)
    np.testing.assert_array_equal(neighbour_graph(csr_array(X), 5, 1).toarray(), wanted)


def test_the_nearest_of_given_neighbours_are_taken():
    few = kneighbors_graph(X, 4, mode="distance")
    many = kneighbors_graph(X, 9, mode="distance")
    wanted = given_neighbours(few, 4).toarray()
    np.testing.assert_array_equal(given_neighbours(many, 4).toarray(), wanted)
