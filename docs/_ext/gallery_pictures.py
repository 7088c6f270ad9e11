"""The directive ``gallery``: a picture of an example, with a caption, that leads to the example.

``gallery`` takes the example, and the number of the picture where it is not the first:
``linear/plot_lasso_path 2``; its content is the caption.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class GalleryPicture(SphinxDirective):
    """A figure from the gallery."""

    required_arguments = 1
    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the figure."""
        room, _, script = self.arguments[0].rpartition("/")
        number = int(self.arguments[1]) if len(self.arguments) > 1 else 1
        file = f"/auto_examples/{room}/images/sphx_glr_{script}_{number:03d}.png"
        self.env.note_dependency(f"auto_examples/{room}/{script}.py")
        caption = nodes.caption()
        caption.extend(self.parse_inline(" ".join(self.content))[0])
        page = self.env.relfn2path(f"/auto_examples/{room}/{script}")[0]
        uri = f"{'../' * self.env.docname.count('/')}{page}.html"
        picture = nodes.reference("", "", refuri=uri)
        picture += nodes.image(uri=file, alt=caption.astext())
        figure = nodes.figure("", picture, caption, classes=["gallery-picture"])
        figure["align"] = "default"
        return [figure]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("gallery", GalleryPicture)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
