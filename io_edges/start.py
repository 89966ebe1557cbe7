"""Start: the console script. Small, so that an interrupt while the rest is imported is quiet too."""

import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process."""
    try:
        from io_edges.cli import main as run

        code = run()
    except KeyboardInterrupt:
        code = 130
    os._exit(code)  # all is written and removed by now, and taking the interpreter apart would cost 15 ms more
