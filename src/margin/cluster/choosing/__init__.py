"""How many clusters: elbow, silhouette, gap, stability, information criterion."""
