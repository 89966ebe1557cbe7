"""Start: the console script. Small, so that an interrupt while the rest is imported is quiet too."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from io_edges.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
