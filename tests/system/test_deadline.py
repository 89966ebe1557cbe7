"""The deadline of every test (`CONTRIBUTING.md`)."""

import os
import signal

import pytest

from tests.support.deadline import SECONDS, deadline


def test_what_waits_for_ever_is_ended() -> None:
    """A call that never comes back is ended, and the deadline of the test itself counts on."""
    reading, writing = os.pipe()
    with pytest.raises(pytest.fail.Exception, match=r"it has not ended after 0\.05 s"), deadline(0.05):
        os.read(reading, 1)
    os.close(reading)
    os.close(writing)
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= SECONDS
