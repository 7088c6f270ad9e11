"""What a caller of fit adds for the splitter, by metadata routing."""

from collections.abc import Mapping
from typing import Any

from sklearn.model_selection import check_cv
from sklearn.utils._metadata_requests import _raise_for_params, _routing_enabled
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing


def for_splitter(owner: object, sample_weight: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of ``split``; refuse any where routing is not enabled.

    Examples
    --------
    >>> for_splitter("LassoCV", None, {})
    {}
    """
    _raise_for_params(dict(given), owner, "fit")
    if not _routing_enabled():
        return {}
    routed = process_routing(owner, "fit", sample_weight=sample_weight, **given)
    return dict(routed.splitter.split)


def splitter_routing(owner: object, cv: Any) -> MetadataRouter:
    """Return the routing of a model whose fit splits the rows."""
    mapping = MethodMapping().add(caller="fit", callee="split")
    router = MetadataRouter(owner=owner).add_self_request(owner)
    return router.add(splitter=check_cv(cv), method_mapping=mapping)
