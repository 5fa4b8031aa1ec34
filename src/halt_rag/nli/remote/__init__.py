"""Models behind HTTP: how requests are sent, paced, repeated and read."""
