"""Natural language inference: the seam to models, backends and their cache."""
