"""Tables with known laws."""
