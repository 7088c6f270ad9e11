"""What a network says about itself: parts, size, explanations, doubts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from margin.core import check
from margin.core.types import Floats
from margin.graphical._network import Network
from margin.graphical.cpds._cpd import CPD
from margin.graphical.engines._engine import Engine
from margin.graphical.network._building_checks import BuildingReport, building_report
from margin.graphical.queries._explanation import Explanation, explain
from margin.graphical.queries._sensitivity import Sensitivity, sensitivity
from margin.graphs import DAG
from margin.inference import FactorModel


class NetworkInsight(ABC):
    """Views of a network."""

    @abstractmethod
    def _structure(self) -> Network:
        """The network as a value, with or without distributions."""

    @property
    @abstractmethod
    def _model(self) -> Network:
        """The same, refused without distributions."""

    @abstractmethod
    def _discrete(self, method: str) -> Network:
        """The same, refused when some node is continuous."""

    @abstractmethod
    def _engine(self, do: Mapping[str, Any] | None = None) -> Engine:
        """What answers questions."""

    @property
    def graph(self) -> DAG:
        """The directed acyclic graph (:class:`margin.graphs.DAG`)."""
        return self._structure().graph

    @property
    def n_parameters(self) -> int:
        """Free parameters of the model."""
        return self._structure().n_parameters

    @property
    def n_parameters_joint(self) -> int:
        """Free parameters of a table over all variables."""
        return self._structure().n_parameters_joint

    def cpd(self, name: str) -> CPD:
        """Conditional distribution of a node."""
        if name not in self._model.cpds:
            raise check.fail(self, "node", "in the network", name)
        return self._model.cpds[name]

    def table(self, name: str) -> Floats:
        """Written-out table of a discrete node, axes (parents, node)."""
        self._model.domain.position(name)
        return self._model.table(name)

    def factor_model(self) -> FactorModel:
        """The tables as factors over numbered nodes (the order of :attr:`variables`).

        For the engines of :mod:`margin.inference`, and for models that add factors of their own,
        such as the utilities of an influence diagram. Auxiliary variables come last.
        """
        cards, scopes, tables = self._discrete("factor_model").factors()
        return FactorModel(tuple(cards), tuple(scopes), tuple(tables))

    def explain(self, target: str, evidence: Any, state: Hashable = None) -> Explanation:
        """Which pieces of evidence moved the target, and how far."""
        return explain(self._engine(), self._model.domain, target, evidence, state)

    def sensitivity(self, target: str, evidence: Any = None, state: Hashable = None) -> Sensitivity:
        """How the answer would change with every number in the tables."""
        network = self._discrete("sensitivity")
        return sensitivity(self._engine(), network, target, evidence, state)

    def check_model(self, causal_order: Iterable[Iterable[str]] = ()) -> BuildingReport:
        """Doubts about the model itself: zeros, unconnected nodes, arrows against time, size."""
        return building_report(self._model, causal_order)
