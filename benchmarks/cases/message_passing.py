"""Loopy belief propagation on an image: a Potts model on a lattice.

The libraries that had it for lattices are no longer kept, so the peer is the vectorised NumPy
version that a user would write: four arrays of messages, shifted across the image.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

STRENGTH = 2.0
TOL = 1e-8
MAX_ITER = 500
SIDES = {
    "from above": (0, 1),
    "from below": (0, -1),
    "from the left": (1, 1),
    "from the right": (1, -1),
}


@dataclass(frozen=True)
class Image:
    """Factors of the pixels, (height, width, labels), and the edges of the lattice."""

    unary: np.ndarray
    edges: np.ndarray


def potts_image(side: int, labels: int) -> Image:
    """Noisy observations of square patches."""
    from margin.inference import grid_edges

    rng = np.random.default_rng(0)
    rows, columns = np.indices((side, side)) // 10
    truth = (rows + columns) % labels
    unary = np.exp(2.0 * np.eye(labels)[truth] + rng.normal(size=(side, side, labels)))
    return Image(unary, grid_edges(side, side))


def _ours(image: Image) -> Any:
    from margin.inference import pairwise_bp

    labels = image.unary.shape[2]
    table = np.ones((labels, labels)) + (STRENGTH - 1.0) * np.eye(labels)
    found = pairwise_bp(
        image.unary.reshape(-1, labels), image.edges, table, schedule="sweep", tol=TOL,
        max_iter=MAX_ITER,
    )  # fmt: skip
    return found.marginals.reshape(image.unary.shape)


def _shifted(message: np.ndarray, axis: int, step: int) -> np.ndarray:
    """What arrives one pixel further; nothing comes in from outside the image."""
    arrived = np.roll(message, step, axis=axis)
    edge = [slice(None)] * 3
    edge[axis] = 0 if step == 1 else -1
    arrived[tuple(edge)] = 1.0 / message.shape[2]
    return arrived


def _numpy(image: Image) -> Any:
    opposite = {side: next(o for o, m in SIDES.items() if m == (axis, -step))
                for side, (axis, step) in SIDES.items()}  # fmt: skip
    shape = image.unary.shape
    messages = {side: np.full(shape, 1.0 / shape[2]) for side in SIDES}
    for _ in range(MAX_ITER):
        fresh, change = {}, 0.0
        for side, (axis, step) in SIDES.items():
            cavity = image.unary.copy()
            for other, message in messages.items():
                if other != opposite[side]:  # what the receiver itself has sent
                    cavity *= message
            sent = cavity.sum(axis=2, keepdims=True) + (STRENGTH - 1.0) * cavity
            sent /= sent.sum(axis=2, keepdims=True)
            fresh[side] = _shifted(sent, axis, step)
            change = max(change, float(np.abs(fresh[side] - messages[side]).max()))
        messages = fresh
        if change <= TOL:
            break
    belief = image.unary.copy()
    for message in messages.values():
        belief *= message
    return belief / belief.sum(axis=2, keepdims=True)


def _residual(image: Image, beliefs: Any) -> float:
    """Difference from a fixed point reached with a hundred times the precision."""
    from margin.inference import pairwise_bp

    labels = image.unary.shape[2]
    table = np.ones((labels, labels)) + (STRENGTH - 1.0) * np.eye(labels)
    exact = pairwise_bp(
        image.unary.reshape(-1, labels), image.edges, table, tol=TOL / 100, max_iter=4 * MAX_ITER
    )
    return float(np.abs(exact.marginals.reshape(beliefs.shape) - beliefs).max())


CASES = (
    Case(
        name="potts-belief-propagation",
        description=(
            "Sum-product on a square lattice with a Potts coupling, eight labels, until no entry of"
            " a message changes by more than 1e-8."
        ),
        make_data=potts_image,
        sizes=(
            Size("50 × 50, 8 labels", {"side": 50, "labels": 8}, 20_000),
            Size("200 × 200, 8 labels", {"side": 200, "labels": 8}, 320_000, required=True),
        ),
        contestants=(
            Contestant("margin", _ours, requires=("margin.inference",), ours=True),
            Contestant("vectorised NumPy", _numpy),
        ),
        target=Target(
            objective=lambda image, beliefs: 0.0,
            objective_name="none: the fixed point is compared",
            tolerance=0.0,
            certificate=_residual,
            certificate_name="largest difference of a belief from the fixed point",
            limit=1e-6,
        ),
        required_ratio=5.0,
        warm_up={"side": 8, "labels": 3},
        max_rounds=10,
    ),
)
