"""``python -m graphmem.cli``, for where the ``graphmem`` script is not on the path."""

from graphmem.cli import main

if __name__ == "__main__":
    main()
