"""Configuration of the documentation."""

import sys
import warnings
from pathlib import Path

import margin

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "margin"
author = "The margin developers"
project_copyright = "2026, The margin developers"
version = release = margin.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "curriculum_links",
    "gallery_pictures",
    "guide_links",
    "mathml",
]
exclude_patterns = ["_build", "auto_examples/**/*.ipynb", "auto_examples/**/*.py.md5"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "dollarmath", "smartquotes"]
myst_heading_anchors = 3
myst_update_mathjax = False
html_math_renderer = "mathml"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "backreferences_dir": "api/generated/backreferences",
    "doc_module": ("margin",),
    "filename_pattern": r"/plot_",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "image_srcset": ["2x"],
    "thumbnail_size": (480, 220),
}
# The gallery's configuration holds nothing that can be pickled between builds.
suppress_warnings = ["config.cache"]

html_theme = "pydata_sphinx_theme"
html_title = "margin"
html_static_path = ["_static"]
html_css_files = ["margin.css"]
html_favicon = "_static/logo.svg"
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "margin", "image_light": "_static/logo.svg", "image_dark": "_static/logo.svg"},
    "header_links_before_dropdown": 5,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}
# pages without pages below them
_single = "index install quickstart coming_from_sklearn choosing curriculum notation glossary"
html_sidebars = {page: [] for page in f"{_single} benchmarks contributing changelog".split()}

warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")


def skip_foreign(app, what, name, obj, skip, options):
    """Leave out members that other libraries wrote, such as scikit-learn's metadata setters."""
    if what == "class":
        home = getattr(getattr(obj, "fget", obj), "__module__", None) or ""
        routing = name.startswith("set_") and name.endswith("_request")
        code = callable(obj) or isinstance(obj, property)
        if routing or (code and not home.startswith("margin")):
            return True
    return None


def setup(app):
    """Register what this configuration adds to Sphinx."""
    app.connect("autodoc-skip-member", skip_foreign)
