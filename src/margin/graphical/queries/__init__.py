"""Questions: the verbs of a joint model, explanations, sensitivity."""
