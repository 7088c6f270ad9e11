from margin.graphs.bits._cliques import degeneracy_order, maximal_cliques_of_rows


def test_degeneracy_order_takes_the_least_degree_left(random_graph):
    graph = random_graph(20, 0.3, 5)
    left = set(range(20))
    for node in degeneracy_order(graph._neighbours):
        degree = {v: len(left & set(graph.neighbours(v))) for v in left}
        assert degree[node] == min(degree.values())
        left.remove(node)


def test_rows_of_a_square_with_one_chord():
    """graphs.05"""
    assert maximal_cliques_of_rows([0b1110, 0b0101, 0b1011, 0b0101]) == [0b0111, 0b1101]
    assert maximal_cliques_of_rows([]) == []
