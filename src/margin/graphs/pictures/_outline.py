"""The outline of a drawn node: wide enough for its name."""

import math
from dataclasses import dataclass
from typing import Any

_SQUARE = 0.6  # side of a square without a name, against the diameter of a circle


@dataclass(frozen=True)
class Outline:
    """Ellipse (or rectangle) around a name, in points."""

    width: float
    height: float
    square: bool = False

    def marker(self) -> Any:
        """As a matplotlib marker, of size ``width``."""
        if self.square and self.width == self.height:
            return "s"
        if self.width == self.height:
            return "o"
        from matplotlib.path import Path
        from matplotlib.transforms import Affine2D

        shape = Path.unit_rectangle() if self.square else Path.unit_circle()
        centre = -0.5 if self.square else 0.0
        flat = Affine2D().translate(centre, centre).scale(1.0, self.height / self.width)
        return shape.transformed(flat)

    def reach(self, x: float, y: float) -> float:
        """Distance from the centre to the outline in the direction (x, y).

        Examples
        --------
        >>> flat = Outline(40.0, 20.0)
        >>> flat.reach(1.0, 0.0), flat.reach(0.0, -2.0)
        (20.0, 10.0)
        """
        length = math.hypot(x, y)
        if length == 0.0:
            return self.height / 2
        across, along = abs(x) / length / (self.width / 2), abs(y) / length / (self.height / 2)
        return 1.0 / (max(across, along) if self.square else math.hypot(across, along))


def outline(text: str, font_size: float, least: float, square: bool) -> Outline:
    """Outline of a node with this name: a circle, or an ellipse where the name is longer."""
    if not text:
        side = least * _SQUARE if square else least
        return Outline(side, side, square)
    wide, high = _extent(text, font_size)
    if square:
        return Outline(max(wide + 0.8 * font_size, least), max(high + 0.8 * font_size, least), True)
    # A circle where the corners of the text fit into it, else an ellipse at their distance.
    if math.hypot(wide, high) <= least - 0.2 * font_size:
        return Outline(least, least)
    return Outline(max(wide * 1.15 + 0.9 * font_size, least), max(high * 1.5 + font_size, least))


def _extent(text: str, font_size: float) -> tuple[float, float]:
    """Width and height of a text, in points."""
    from matplotlib.textpath import TextPath

    lines = text.split("\n")
    widths = [
        TextPath((0, 0), line, size=font_size).get_extents().width if line.strip() else 0.0
        for line in lines
    ]
    return max(widths), 1.2 * font_size * len(lines)
