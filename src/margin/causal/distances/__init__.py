"""How far a graph is from the truth: edges, effects of interventions, adjustment sets."""
