"""Graphs as values: directed, undirected and mixed, what they separate, and how they are cut up."""

from margin.graphs._chain_graph import ChainGraph
from margin.graphs._chordal import is_triangulated, perfect_elimination_order
from margin.graphs._cliques import clique_matrix, is_clique, maximal_cliques
from margin.graphs._connectivity import (
    chords,
    connected_components,
    cycles,
    diameter,
    distances,
    is_connected,
    is_forest,
    is_tree,
    simple_paths,
)
from margin.graphs._dag import DAG
from margin.graphs._dot import dot
from margin.graphs._draw import draw
from margin.graphs._draw_tree import draw_clique_tree
from margin.graphs._elimination import triangulate_adjacency
from margin.graphs._enumeration import (
    count_dags,
    enumerate_cpdags,
    enumerate_dags,
    equivalence_class,
)
from margin.graphs._equivalence import (
    cpdag,
    cpdag_from_colliders,
    markov_equivalent,
    skeleton,
    v_structures,
)
from margin.graphs._explanation import (
    PathNode,
    PathVerdict,
    SeparationExplanation,
    explain_separation,
)
from margin.graphs._extension import extend_pdag
from margin.graphs._factor_graph import FactorGraph
from margin.graphs._graph import Graph
from margin.graphs._independence import (
    Independence,
    independences,
    separation_oracle,
    table_oracle,
)
from margin.graphs._isomorphism import find_isomorphism, is_isomorphic
from margin.graphs._junction import CliqueTree, junction_tree
from margin.graphs._layout import layout
from margin.graphs._maps import is_imap, minimal_imap, minimal_markov_network, perfect_map
from margin.graphs._markov import markov_statements, markov_violations
from margin.graphs._markov_blanket import is_markov_blanket, markov_blanket
from margin.graphs._matching import match
from margin.graphs._matrices import incidence_matrix, walk_counts
from margin.graphs._meek import close_orientations, orient
from margin.graphs._mixed import MixedGraph
from margin.graphs._moral import ancestral_graph, moral_graph
from margin.graphs._pdag import PDAG
from margin.graphs._separation import d_separated, separated
from margin.graphs._spanning import spanning_tree
from margin.graphs._triangulation import Triangulation, triangulate, triangulate_in_order
from margin.graphs._undirected import UndirectedGraph
from margin.graphs._weisfeiler_lehman import refine_colours, weisfeiler_lehman_test

__all__ = [
    "DAG",
    "PDAG",
    "ChainGraph",
    "CliqueTree",
    "FactorGraph",
    "Graph",
    "Independence",
    "MixedGraph",
    "PathNode",
    "PathVerdict",
    "SeparationExplanation",
    "Triangulation",
    "UndirectedGraph",
    "ancestral_graph",
    "chords",
    "clique_matrix",
    "close_orientations",
    "connected_components",
    "count_dags",
    "cpdag",
    "cpdag_from_colliders",
    "cycles",
    "d_separated",
    "diameter",
    "distances",
    "dot",
    "draw",
    "draw_clique_tree",
    "enumerate_cpdags",
    "enumerate_dags",
    "equivalence_class",
    "explain_separation",
    "extend_pdag",
    "find_isomorphism",
    "incidence_matrix",
    "independences",
    "is_clique",
    "is_connected",
    "is_forest",
    "is_imap",
    "is_isomorphic",
    "is_markov_blanket",
    "is_tree",
    "is_triangulated",
    "junction_tree",
    "layout",
    "markov_blanket",
    "markov_equivalent",
    "markov_statements",
    "markov_violations",
    "match",
    "maximal_cliques",
    "minimal_imap",
    "minimal_markov_network",
    "moral_graph",
    "orient",
    "perfect_elimination_order",
    "perfect_map",
    "refine_colours",
    "separated",
    "separation_oracle",
    "simple_paths",
    "skeleton",
    "spanning_tree",
    "table_oracle",
    "triangulate",
    "triangulate_adjacency",
    "triangulate_in_order",
    "v_structures",
    "walk_counts",
    "weisfeiler_lehman_test",
]
