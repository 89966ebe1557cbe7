"""Channel: tell the answer of a child apart from what its script printed.

The answer comes over standard output in frames, each written in one piece: a newline, a number that the script does not
know, a letter, a piece of text, a newline (`evaluator/evaluate.mjs`). All other bytes are the script's. Every byte is
looked at once, however the child divides what it sends.
"""

import os
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
        self._head: Final = b"\n" + nonce
        self._undecided = bytearray()  # the end of standard output, which may be the beginning of a frame
        self._printed: Final[dict[Stream, bytearray]] = {"stdout": bytearray(), "stderr": bytearray()}
        self._lines = 0
        self._answer = bytearray()
        self._last = b""  # the letter of the last frame

    @property
    def printed(self) -> Mapping[Stream, bytes]:
        """What the script printed."""
        return {stream: bytes(content) for stream, content in self._printed.items()}

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
        printed = sum(map(len, self._printed.values()))
        answer = len(self._answer) + len(self._undecided)
        return printed > OUTPUT_LIMIT or self._lines > LINE_LIMIT or answer > _ANSWER_LIMIT

    def add(self, stream: Stream, piece: bytes) -> None:
        """Add what has come over a stream; an empty piece is its end."""
        if stream == "stderr":
            self._print(stream, piece)
            return
        self._undecided += piece
        while (at := self._undecided.find(self._head)) >= 0:
            end = self._undecided.find(b"\n", at + 1, at + _FRAME)
            if end < 0:
                break
            self._print(stream, self._cut(at))
            self._take(self._cut(end + 1 - at))
        self._print(stream, self._cut(len(self._undecided) if not piece else at if at >= 0 else self._certain()))

    def _certain(self) -> int:
        """How many of the undecided bytes cannot belong to a frame, of which there is no whole head."""
        at = self._undecided.rfind(b"\n", -len(self._head))
        return at if at >= 0 and self._head.startswith(self._undecided[at:]) else len(self._undecided)

    def _cut(self, count: int) -> bytes:
        piece = bytes(self._undecided[:count])
        del self._undecided[:count]
        return piece

    def _take(self, frame: bytes) -> None:
        self._last = frame[len(self._head) : len(self._head) + 1]
        self._answer += frame[len(self._head) + 1 : -1]

    def _print(self, stream: Stream, piece: bytes) -> None:
        self._printed[stream].extend(piece)
        self._lines += piece.count(b"\n")


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
