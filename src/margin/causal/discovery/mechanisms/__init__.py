"""Additive noise around any function: causes leave residuals that do not depend on them."""
