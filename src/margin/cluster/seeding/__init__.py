"""Where k-means starts: first rows, random rows, random partition, k-means++, farthest rows."""
