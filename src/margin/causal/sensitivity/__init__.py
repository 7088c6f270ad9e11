"""How wrong assumptions would have to be: bounds, contours, refuters."""
