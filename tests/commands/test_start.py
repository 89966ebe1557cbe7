"""The start of the command where it cannot run."""

import subprocess
import sys

ON_WINDOWS = """
import os, sys
os.name, sys.platform = "nt", "win32"
for name in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for name in ("fork", "geteuid", "killpg", "openpty", "O_NOFOLLOW", "O_DIRECTORY"):
    delattr(os, name)
from io_edges.start import main
main()
"""


def test_on_windows() -> None:
    """On a system that is not POSIX one line says so, before anything is imported that is not there."""
    ended = subprocess.run([sys.executable, "-c", ON_WINDOWS], capture_output=True, text=True, check=False)
    message = (
        "error: tool needs a POSIX system, such as Linux or macOS; on Windows, install it in WSL (`wsl --install`)\n"
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (69, "", message)
