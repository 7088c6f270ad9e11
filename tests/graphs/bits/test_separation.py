from margin.graphs.bits._separation import bayes_ball, cut_off, moral_rows

PARENTS, CHILDREN = (0, 0, 0b011, 0b100), (0b100, 0b100, 0b1000, 0)  # 0 -> 2 <- 1, 2 -> 3


def test_a_removed_node_ends_the_way():
    """graphs.08"""
    chain = [0b010, 0b101, 0b010]
    assert cut_off(chain, 0b001, 0) == 0b111
    assert cut_off(chain, 0b001, 0b010) == 0b001
    assert cut_off(chain, 0b010, 0b010) == 0


def test_a_collider_opens_by_its_descendant():
    """graphs.12"""
    assert bayes_ball(PARENTS, CHILDREN, 0b0001, 0) == 0b1101
    assert bayes_ball(PARENTS, CHILDREN, 0b0001, 0b1000) == 0b0111


def test_parents_are_married_where_their_child_is_kept():
    """graphs.09"""
    assert moral_rows(PARENTS) == [0b0110, 0b0101, 0b1011, 0b0100]
    assert moral_rows(PARENTS, 0b0011) == [0, 0, 0, 0]
