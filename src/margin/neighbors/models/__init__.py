"""Estimators over neighbours: search, classification, regression, graphs, outliers, centroids."""
