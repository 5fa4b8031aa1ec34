"""``python -m halt_rag``: the command."""

from halt_rag.cli.app import main

if __name__ == "__main__":
    main()
