"""No slower anywhere: every estimator against its namesake in scikit-learn, at every size.

One table of its own beside the cases: default parameters on both sides, fit and answer, from a
hundred rows to a hundred thousand. A family that is new joins by itself.
"""
