"""The capabilities of the curriculum, as listed in ``docs/curriculum.csv``."""

import csv
from dataclasses import dataclass
from pathlib import Path

SUBJECTS = {
    "linalg": "solvers, decompositions, distances",
    "losses": "loss functions as objects",
    "penalties": "regularisers as objects",
    "distributions": "families, moments, information, estimation",
    "kernels": "kernel functions and their algebra",
    "graphs": "graph algorithms without probabilities",
    "optim": "optimisers, duality, certificates",
    "inference": "message passing, junction trees, sampling, EM and variational drivers",
    "linear": "regression, linear classification, naive Bayes, splines, multi-class reductions",
    "svm": "support vector and kernel machines",
    "gp": "Gaussian processes and interpolation on grids",
    "tree": "trees, forests, bagging, boosting",
    "neighbors": "nearest neighbours and local density",
    "cluster": "clustering",
    "mixture": "mixtures, Dirichlet processes, topics",
    "decomposition": "projections and factorisations",
    "sequence": "Markov chains, hidden Markov models, linear dynamical systems",
    "graphical": "Bayesian and Markov networks",
    "structured": "structured outputs, CRFs, labelling",
    "neural": "networks and energy-based models",
    "causal": "interventions, effects, discovery",
    "decision": "decision theory and reinforcement learning",
    "adaptation": "transfer, weighting, weak supervision",
    "theory": "learning theory",
    "evaluation": "validation, selection, diagnostics, search",
    "datasets": "worked examples, generators, data preparation",
    "plotting": "figures",
}


@dataclass(frozen=True)
class Capability:
    """One row of the curriculum.

    Parameters
    ----------
    id, title : str
        ``linalg.08`` and one line in our words.
    served_by : str
        The call of NumPy, SciPy or scikit-learn that does the job; where the row lists several
        things, one call for each, separated by semicolons. Empty otherwise.
    """

    id: str
    title: str
    served_by: str = ""

    @property
    def package(self) -> str:
        """The part before the dot."""
        return self.id.split(".")[0]

    @property
    def calls(self) -> list[str]:
        """The names in ``served_by``."""
        return [name.strip() for name in self.served_by.split(";") if name.strip()]


def read(path: Path) -> list[Capability]:
    """Read the catalogue; refuse repeated ids and titles that do not fit on a line."""
    with path.open(newline="", encoding="utf-8") as handle:
        rows = [Capability(**row) for row in csv.DictReader(handle)]
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            raise ValueError(f"{path.name}: id {row.id} appears twice")
        if not 0 < len(row.title) <= 100:
            raise ValueError(f"{path.name}: title of {row.id} must have 1 to 100 characters")
        seen.add(row.id)
    return rows


def packages(rows: list[Capability]) -> list[str]:
    """Return the package names in order of first appearance."""
    return list(dict.fromkeys(row.package for row in rows))
