"""Boolean functions: formulas, sums of products, networks of threshold units."""
