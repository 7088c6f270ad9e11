"""What graphs separate, and the independences that follow."""
