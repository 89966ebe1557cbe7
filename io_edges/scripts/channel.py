"""Channel: tell the answer of a child apart from what its script printed.

The answer comes over standard output in frames, each written in one piece: a newline, a number that the script does not
know, a letter, a piece of text, a newline (`evaluator/evaluate.mjs`). All other bytes are the script's.
"""

import os
import re
import selectors
import time
from collections.abc import Mapping
from typing import IO, Final, Literal, TypeAlias

OUTPUT_LIMIT: Final = 1024 * 1024
"""Bytes that a script may print."""
LINE_LIMIT: Final = 10_000
"""Lines that a script may print."""
_ANSWER_LIMIT: Final = 16 * OUTPUT_LIMIT  # 1 MiB of data, each character of which may be escaped
_PIECE: Final = 65536
_FRAME: Final = 4096  # the bytes that a pipe takes in one piece (PIPE_BUF): no frame is longer

Stream: TypeAlias = Literal["stdout", "stderr"]
Ending: TypeAlias = Literal["answered", "ended", "timeout", "output"]


class Transcript:
    """What a child has sent so far: its answer, and what the script printed."""

    def __init__(self, nonce: bytes) -> None:
        self.printed: Final[dict[Stream, bytearray]] = {"stdout": bytearray(), "stderr": bytearray()}
        """What the script printed; the last of standard output may be the beginning of a frame."""
        self._frame: Final = re.compile(rb"\n%b(.)([^\n]*)\n" % nonce)
        self._lines = 0
        self._answer = bytearray()
        self._last = b""  # the letter of the last frame

    @property
    def data(self) -> bytes | None:
        """The JSON of the default export, if it is all there."""
        return bytes(self._answer) if self._last == b"=" else None

    @property
    def report(self) -> bytes | None:
        """The evaluator's report of why there is no data, as JSON, if it is all there."""
        return bytes(self._answer) if self._last == b"!" else None

    @property
    def started(self) -> bool:
        """Whether the evaluator had started: what is printed before that comes from the runtime."""
        return self._last != b""

    @property
    def exceeds(self) -> bool:
        """Whether the child has sent more than it may."""
        printed = sum(map(len, self.printed.values()))
        return printed > OUTPUT_LIMIT or self._lines > LINE_LIMIT or len(self._answer) > _ANSWER_LIMIT

    def add(self, stream: Stream, piece: bytes) -> None:
        """Add what has come over a stream, and take each frame out of it that is whole."""
        received = self.printed[stream]
        begin = max(0, len(received) - _FRAME)
        received += piece
        self._lines += piece.count(b"\n")
        while stream == "stdout" and (found := self._frame.search(received, begin)):
            begin, end = found.span()
            self._last = found[1]
            self._answer += found[2]
            self._lines -= found[0].count(b"\n")
            del received[begin:end]


def listen(pipes: Mapping[Stream, IO[bytes]], transcript: Transcript, deadline: float) -> Ending:
    """Collect what a child sends until its answer, the end of both streams, the deadline or a limit."""
    with selectors.DefaultSelector() as selector:
        for stream, pipe in pipes.items():
            selector.register(pipe, selectors.EVENT_READ, stream)
        while selector.get_map():
            left = deadline - time.monotonic()
            ready = selector.select(max(0.0, left))
            if not ready or left < 0:
                return "timeout"
            for key, _ in ready:
                piece = os.read(key.fd, _PIECE)
                transcript.add(key.data, piece)
                if not piece:
                    selector.unregister(key.fileobj)
            if transcript.exceeds:
                return "output"
            if transcript.data is not None or transcript.report is not None:
                return "answered"
    return "ended"
