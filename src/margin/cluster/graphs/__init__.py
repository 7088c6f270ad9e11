"""Clusters of graphs: spectral cuts and connected dense regions."""
