"""Decision trees for classification and regression, their rules and pictures."""

from margin.core import publish

__all__: list[str] = []

publish(__name__)
