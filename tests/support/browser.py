"""A browser that opens pages from disk and says what an audit finds (`browse.cjs`)."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_CHROMIUM = shutil.which("chromium")
_MODULES = Path(sys.prefix) / "node" / "node_modules"

needs_a_browser = pytest.mark.skipif(
    _CHROMIUM is None or not (_MODULES / "puppeteer-core").exists(),
    reason="needs Chromium, and the packages that `make test` installs with npm",
)


def looks(*pages: str) -> list[dict[str, Any]]:
    """Open each page narrow, wide and in the dark: what it requests, logs and links, and what is
    wrong with it.
    """
    command: list[str | Path] = [
        "node",
        Path(__file__).with_name("browse.cjs"),
        _MODULES,
        str(_CHROMIUM),
        *pages,
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return list(json.loads(done.stdout))
