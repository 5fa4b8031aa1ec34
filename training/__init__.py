"""How the embedded NLI model is made. Not part of the installed package."""
