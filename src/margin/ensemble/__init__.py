"""Ensembles: forests, boosting, bagging, stacking and voting."""

from margin.core import publish

__all__: list[str] = []

publish(__name__)
