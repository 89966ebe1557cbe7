"""The scripts that show surprises of other software have the form that their page describes."""

import os
import re
from pathlib import Path

import pytest

FINDINGS = Path(__file__).parents[2] / "findings"
HEADER = re.compile(
    r"#!/usr/bin/env bash\n# .+[:;] .+\n#\n# Expected: (?s:.+?)\n# Happens: (?s:.+?)\nset -eu\n"
)
PACKAGE = re.compile(
    r"(?:pip\" install|npm install)(?: --?[\w-]+(?: \"\$folder\")?)*(?: \\\n)?(.+)"
)
SCRIPTS = sorted(FINDINGS.glob("*.sh"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_finding_has_its_form(script: Path) -> None:
    """A script is executable, says what is expected and what happens, removes its folder, and pins
    what it installs.
    """
    text = script.read_text(encoding="utf-8")
    packages = " ".join(PACKAGE.findall(text)).split()
    assert os.access(script, os.X_OK)
    assert HEADER.match(text)
    assert "trap 'rm -rf \"$folder\"' EXIT" in text
    assert packages != []
    assert [
        package
        for package in packages
        if not re.search(r"[^=@]+(?:==|@)(?:[\d.]+|\$version)\b", package)
    ] == []
