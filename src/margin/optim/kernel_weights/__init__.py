"""Weights of several kernels, learnt together with the machines that use them."""
