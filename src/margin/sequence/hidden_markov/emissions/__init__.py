"""What hidden states show: families of laws, normal vectors and mixtures of them."""
