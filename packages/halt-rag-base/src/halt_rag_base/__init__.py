"""The larger embedded model of halt-rag, in ``model/``, and its task models, in ``tasks/``. Data only.

``halt_rag.nli.model_folders`` finds it where this package is installed.
"""
