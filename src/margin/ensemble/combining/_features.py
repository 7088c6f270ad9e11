"""The features that combined models have seen."""

from typing import Any


class SeenFeatures:
    """Mixin before a combination of scikit-learn, which asks its first member."""

    @property
    def n_features_in_(self) -> int:
        """Features seen in ``fit``."""
        seen: Any = super().n_features_in_  # type: ignore[misc]
        return int(seen)
