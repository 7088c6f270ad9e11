"""Network files: BIF, XMLBIF, UAI, and networkx."""
