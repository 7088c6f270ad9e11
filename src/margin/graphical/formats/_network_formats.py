"""Networks from files and from networkx, and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from margin.core import extra
from margin.graphical._network import Arrows, Network
from margin.graphical.formats._bif import parse_bif
from margin.graphical.formats._bif_writer import write_bif
from margin.graphical.formats._network_file import ParsedNetwork, Source, read_text, write_text
from margin.graphical.formats._rounded_rows import whole_rows
from margin.graphical.formats._uai import directed, parse_uai, write_uai
from margin.graphical.formats._xmlbif import parse_xmlbif, write_xmlbif


class NetworkFormats(ABC):
    """Readers and writers of a network."""

    @classmethod
    @abstractmethod
    def from_edges(
        cls, edges: Any, cpds: Any = None, states: Any = None, **parameters: Any
    ) -> Self:
        """Network from arrows and distributions."""

    @property
    @abstractmethod
    def _model(self) -> Network:
        """The network as a value."""

    @abstractmethod
    def _discrete(self, method: str) -> Network:
        """The same, refused when some node is continuous."""

    @classmethod
    def _parsed(cls, reader: str, parsed: ParsedNetwork) -> Self:
        whole = whole_rows(reader, parsed)
        return cls.from_edges(whole.edges, whole.tables, whole.states)

    @classmethod
    def from_bif(cls, source: Source) -> Self:
        """Network of a BIF file (path or open file, plain or gzip).

        Rows that miss a sum of one by the rounding of the file only are scaled, with a warning.
        """
        return cls._parsed("from_bif", parse_bif(read_text("from_bif", source)))

    @classmethod
    def from_xmlbif(cls, source: Source) -> Self:
        """Network of an XMLBIF file (path or open file, plain or gzip); rows as in BIF."""
        return cls._parsed("from_xmlbif", parse_xmlbif(read_text("from_xmlbif", source)))

    @classmethod
    def from_uai(cls, source: Source) -> Self:
        """Network of a UAI file of kind BAYES; nodes are called x0, x1, …; rows as in BIF."""
        return cls._parsed("from_uai", directed(parse_uai(read_text("from_uai", source))))

    @classmethod
    def from_networkx(cls, graph: Any, cpds: Any = None, **parameters: Any) -> Self:
        """Network on a networkx DiGraph; node attributes ``cpd`` and ``states`` are used."""
        nodes = dict(graph.nodes(data=True))
        held = {n: a["cpd"] for n, a in nodes.items() if "cpd" in a}
        named = {n: a["states"] for n, a in nodes.items() if "states" in a}
        parents = Arrows(tuple(nodes), tuple(graph.edges()))
        return cls.from_edges(parents, cpds or held or None, named or None, **parameters)

    def to_bif(self, target: Source | None = None) -> str | None:
        """Write as BIF to a path or open file; without one the text is returned."""
        return write_text(target, write_bif(self._discrete("to_bif")))

    def to_xmlbif(self, target: Source | None = None) -> str | None:
        """Write as XMLBIF to a path or open file; without one the text is returned."""
        return write_text(target, write_xmlbif(self._discrete("to_xmlbif")))

    def to_uai(self, target: Source | None = None) -> str | None:
        """Write as UAI to a path or open file; names are lost, the order of the nodes stays."""
        network = self._discrete("to_uai")
        scopes = network.families()
        tables = [network.table(name) for name in network.domain.names]
        return write_text(target, write_uai("BAYES", network.domain.cardinalities, scopes, tables))

    def to_networkx(self) -> Any:
        """Directed graph of networkx with attributes ``states`` and ``cpd``."""
        nx = extra("networkx", "to_networkx")
        network = self._model
        graph = nx.DiGraph()
        for name in network.names:
            graph.add_node(name)
            if name in network.domain.states:
                graph.nodes[name]["states"] = network.domain.states[name]
            if name in network.cpds:
                graph.nodes[name]["cpd"] = network.cpds[name]
        graph.add_edges_from(network.edges)
        return graph
