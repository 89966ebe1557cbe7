"""The project takes another name by the command in `CONTRIBUTING.md`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.installs import PROGRAMS, ROOT, copy_repository, succeed

pytestmark = pytest.mark.package

SCRIPT = re.compile(r"^## Give it a name\n.*?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_project_takes_another_name(tmp_path: Path) -> None:
    """Under another name, the project can be installed, builds the sample drop, and reads its
    configuration and variables.
    """
    folder = tmp_path / "clone"
    copy_repository(folder)
    found = SCRIPT.search((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert found is not None
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "."],
        ["bash", "-euo", "pipefail", "-c", found[1]],
    ):
        subprocess.run(command, cwd=folder, check=True)
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    succeed([PROGRAMS / "uv", "tool", "install", "--python", sys.executable, folder], **places)
    shopkit, shop = tmp_path / "bin" / "shopkit", tmp_path / "shop"
    built = succeed([shopkit, "create", folder / "docs/quickstart/drop", f"--output={shop}"])
    assert built == f"{shop}\n"
    assert {path.name for path in shop.iterdir()} == {
        *("themes", "modules", ".shopkit", ".shopkit-cache.json", ".shopkit-manifest.json"),
    }
    config = shop / "shopkit.config.json"
    config.write_text('{"theme": "harbour"}\n', encoding="utf-8")
    shown = succeed(
        [shopkit, "config", "show", f"--config={config}"], SHOPKIT_CACHE_ENABLED="false"
    )
    assert re.findall(r"^(theme|cache\.enabled) +(\S+) +(\S+)", shown, re.MULTILINE) == [
        ("theme", "harbour", "config"),
        ("cache.enabled", "false", "env"),
    ]
