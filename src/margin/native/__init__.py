"""Compiled loops: arrays in, arrays out. Imports nothing of ours."""

from margin.native._native import build_info, max_threads

__all__ = ["build_info", "max_threads"]
