"""The edges: the command line, the disk, archives, programs. Every effect is here, and every exit code."""
