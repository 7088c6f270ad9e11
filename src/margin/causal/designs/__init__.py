"""Designs: experiments, instruments, differences, discontinuities, synthetic controls."""
