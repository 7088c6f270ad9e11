"""Random graphs of missingness, and what is seen of their laws."""

import numpy as np
from fibres import Family

from margin.causal import CausalGraph, MissingnessGraph


class Gaps(Family):
    """A family of models of which only the rows with their gaps are seen."""

    def __init__(self, study, hidden_states=2):
        super().__init__(study.graph, hidden_states)
        shape = (2,) * len(self.seen)
        rows = np.indices(shape).reshape(len(shape), -1).T
        shown = {}
        self.merge = np.zeros((len(rows), len(rows)))
        for i, row in enumerate(rows.tolist()):
            state = dict(zip(self.seen, row, strict=True))
            gaps = {v for v, sign in study.indicators.items() if not state[sign]}
            key = tuple(-1 if name in gaps else value for name, value in state.items())
            self.merge[shown.setdefault(key, len(shown)), i] = 1
        self.merge = self.merge[: len(shown)]

    def laws(self, model, sources):
        law, slopes = super().laws(model, sources)
        return self.merge @ law, self.merge @ slopes

    def whole(self, model):
        """The table of variables and indicators, gaps filled in."""
        return self.law(model)[0].reshape((2,) * len(self.seen))


def random_study(rng):
    names = [f"v{i}" for i in range(rng.integers(2, 5))]
    hidden = [name for name in names if rng.random() < 0.6] or names[:1]
    signs = {name: f"R_{name}" for name in hidden}
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    arrows = [pair for pair in pairs if rng.random() < 0.5]
    common = [pair for pair in pairs if rng.random() < 0.15]
    for sign in signs.values():
        arrows += [(v, sign) for v in names
                   if rng.random() < (0.1 if signs.get(v) == sign else 0.3)]  # fmt: skip
        common += [(v, sign) for v in names if rng.random() < 0.06]
    listed = list(signs.values())
    arrows += [(a, b) for i, a in enumerate(listed) for b in listed[i + 1 :] if rng.random() < 0.2]
    return MissingnessGraph(CausalGraph([*names, *listed], arrows, common), signs)
