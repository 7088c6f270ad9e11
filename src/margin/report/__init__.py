"""A comparison as one self-contained page: no network, no scripts, light and dark."""

from margin.core import publish
from margin.report._page import render, write_html

__all__ = ["render", "write_html"]

publish(__name__)
