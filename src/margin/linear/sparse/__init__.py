"""Lasso and elastic net: single fits, paths, and strengths chosen by cross-validation."""
