"""The edge: the command line, the disk, archives, programs. Every effect and every exit code is here."""
