"""The `tool` of shells in tests: has `fork_server` run it with all that this process has, and
ends as it does.
"""

import json
import os
import socket
import sys


def main() -> None:
    """Ask at the socket beside this program, and wait for the answer."""
    place, umask = os.getcwd(), os.umask(0o077)  # noqa: PTH109 - what else tells it takes long to import
    request = {"args": sys.argv[1:], "cwd": place, "env": dict(os.environ), "umask": umask}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.connect(f"{sys.argv[0]}.socket")
        socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
        code = int(server.recv(16))
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
