"""Graphs as values: directed, undirected and mixed, what they separate, and how they are cut up."""

from margin.core import publish
from margin.graphs.ancestral._mag import is_maximal_ancestral, maximal_ancestral_graph
from margin.graphs.ancestral._marks import Marks
from margin.graphs.ancestral._pag_of import mag_of_pag, mags_equivalent, pag, visible_edges
from margin.graphs.ancestral._rules import Rules
from margin.graphs.combinatorics._connectivity import (
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
from margin.graphs.combinatorics._flow import Flow, maximum_flow
from margin.graphs.combinatorics._isomorphism import find_isomorphism, is_isomorphic
from margin.graphs.combinatorics._matching import match
from margin.graphs.combinatorics._matrices import incidence_matrix, walk_counts
from margin.graphs.combinatorics._spanning import spanning_tree
from margin.graphs.combinatorics._weisfeiler_lehman import refine_colours, weisfeiler_lehman_test
from margin.graphs.equivalence._enumeration import (
    count_dags,
    enumerate_cpdags,
    enumerate_dags,
    equivalence_class,
)
from margin.graphs.equivalence._equivalence import (
    cpdag,
    cpdag_from_colliders,
    markov_equivalent,
    skeleton,
    v_structures,
)
from margin.graphs.equivalence._extension import extend_pdag
from margin.graphs.equivalence._interventional import interventional_graph
from margin.graphs.equivalence._meek import close_orientations, orient
from margin.graphs.kinds._chain_graph import ChainGraph
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._factor_graph import FactorGraph
from margin.graphs.kinds._graph import Graph
from margin.graphs.kinds._mixed import MixedGraph
from margin.graphs.kinds._pag import PAG
from margin.graphs.kinds._pdag import PDAG
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.pictures._dot import dot
from margin.graphs.pictures._draw import draw
from margin.graphs.pictures._draw_tree import draw_clique_tree
from margin.graphs.pictures._layout import layout
from margin.graphs.separation._explanation import (
    PathNode,
    PathVerdict,
    SeparationExplanation,
    explain_separation,
)
from margin.graphs.separation._independence import (
    Independence,
    independences,
    separation_oracle,
    table_oracle,
)
from margin.graphs.separation._maps import (
    is_imap,
    minimal_imap,
    minimal_markov_network,
    perfect_map,
)
from margin.graphs.separation._markov import markov_statements, markov_violations
from margin.graphs.separation._markov_blanket import is_markov_blanket, markov_blanket
from margin.graphs.separation._moral import ancestral_graph, moral_graph
from margin.graphs.separation._separation import d_separated, separated
from margin.graphs.triangulation._chordal import is_triangulated, perfect_elimination_order
from margin.graphs.triangulation._cliques import clique_matrix, is_clique, maximal_cliques
from margin.graphs.triangulation._elimination import triangulate_adjacency
from margin.graphs.triangulation._junction import CliqueTree, junction_tree
from margin.graphs.triangulation._triangulation import (
    Triangulation,
    triangulate,
    triangulate_in_order,
)

__all__ = [
    "DAG",
    "PAG",
    "PDAG",
    "ChainGraph",
    "CliqueTree",
    "FactorGraph",
    "Flow",
    "Graph",
    "Independence",
    "Marks",
    "MixedGraph",
    "PathNode",
    "PathVerdict",
    "Rules",
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
    "interventional_graph",
    "is_clique",
    "is_connected",
    "is_forest",
    "is_imap",
    "is_isomorphic",
    "is_markov_blanket",
    "is_maximal_ancestral",
    "is_tree",
    "is_triangulated",
    "junction_tree",
    "layout",
    "mag_of_pag",
    "mags_equivalent",
    "markov_blanket",
    "markov_equivalent",
    "markov_statements",
    "markov_violations",
    "match",
    "maximal_ancestral_graph",
    "maximal_cliques",
    "maximum_flow",
    "minimal_imap",
    "minimal_markov_network",
    "moral_graph",
    "orient",
    "pag",
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
    "visible_edges",
    "walk_counts",
    "weisfeiler_lehman_test",
]

publish(__name__)
