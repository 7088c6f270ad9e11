"""Machines without kernels, or with explicit features in the place of one."""
