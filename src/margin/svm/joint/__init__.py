"""Machines that learn all classes in one problem."""
