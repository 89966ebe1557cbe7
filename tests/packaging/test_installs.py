"""The packages of `make package` in fresh environments: they work offline, and report what is
missing.
"""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import __version__
from tests.support.installs import (
    PACKAGES,
    PROGRAMS,
    ROOT,
    VERSIONS,
    WITHOUT_DENO,
    Installed,
    artifact,
    copy_repository,
    python,
    succeed,
    tracked,
    with_pipx,
    with_uv,
)

pytestmark = pytest.mark.package

COMPUTED = (
    'export default { theme: ["har", "bour"].join(""), modules: { exclude: ["shop_re" + "*"] } };\n'
)
PLAIN = '{ "theme": "harbour", "modules": { "exclude": ["shop_re*"] } }\n'
BUILT = ["modules/shop_banner", "modules/shop_sitemap", "themes/harbour"]
COPIED = ("tests", "property_tests", "docs", "pyproject.toml")
TESTS = (
    "tests/test_*.py",
    "tests/commands/test_installed.py",
    "tests/scripts/test_configurations.py",
)
"""Tests of each stage, of the command, and of what it ships beside its modules."""
DEAD: dict[str, str] = dict.fromkeys(
    ("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9"
)
UNSHARE = ("unshare", "--map-root-user", "--net")


@pytest.fixture(scope="module")
def offline() -> Callable[..., str]:
    """Run a command without a network: in a namespace that has none, or where that is refused,
    behind a dead proxy.
    """
    is_refused = subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode
    return lambda *command: succeed([*(() if is_refused else UNSHARE), *command], **DEAD)


def interpreter(version: str) -> str:
    """The Python of a version; the test is skipped where there is none."""
    path = python(version)
    return path or pytest.skip(f"Python {version} is not installed")


def not_compiled(tool: Installed) -> list[str]:
    """The modules of the packages that the first run would have to compile."""
    (packages,) = tool.environment.glob("lib/python*/site-packages")
    compiled = {
        path.parent.parent / f"{path.name.partition('.')[0]}.py" for path in packages.rglob("*.pyc")
    }
    return [
        name
        for name in tracked(*PACKAGES)
        if name.endswith(".py") and packages / name not in compiled
    ]


def lay_out(folder: Path, name: str, config: str) -> None:
    """Put the drop of the quick start and a configuration into a folder."""
    copy_repository(folder, "docs/quickstart/drop")
    (folder / name).write_text(config, encoding="utf-8")


@pytest.mark.parametrize(
    ("install", "version"), [*((with_uv, each) for each in VERSIONS), (with_pipx, VERSIONS[-1])]
)
def test_installed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    offline: Callable[..., str],
    install: Callable[[Path, str], Installed],
    version: str,
) -> None:
    """The installed command builds a project without a network, with a script to evaluate; each
    module is compiled.
    """
    lay_out(tmp_path, "tool.config.ts", COMPUTED)
    tool = install(tmp_path / "installed", interpreter(version))
    assert not_compiled(tool) == []
    monkeypatch.chdir(tmp_path)
    assert offline(tool.command, "--version") == f"{__version__}\n"
    assert (
        offline(tool.command, "create", "docs/quickstart/drop", "--output=shop")
        == f"{tmp_path / 'shop'}\n"
    )
    assert sorted(str(path.relative_to("shop")) for path in Path("shop").glob("[!.]*/*")) == BUILT
    assert offline(tool.command, "completion", "zsh").startswith("#compdef tool\n")


def test_the_lowest_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the lowest versions that are allowed, the main commands work, and a damaged store is a
    warning.
    """
    lay_out(tmp_path, "tool.config.json", PLAIN)
    uv, environment = PROGRAMS / "uv", tmp_path / "environment"
    succeed([uv, "venv", "--python", interpreter(VERSIONS[0]), environment])
    # Of a wheel, only the wheel itself would be direct.
    lowest = (
        "--resolution=lowest-direct",
        ROOT,
    )
    succeed([uv, "pip", "install", "--python", environment / "bin/python", *lowest])
    tool = Installed(environment, environment / "bin/tool")
    monkeypatch.chdir(tmp_path)
    drop = "docs/quickstart/drop"
    succeed([tool.command, "create", drop, "--output=shop"])
    assert sorted(str(path.relative_to("shop")) for path in Path("shop").glob("[!.]*/*")) == BUILT
    for store in (".tool/log.jsonl", ".tool/state.json", ".tool-cache.json"):
        for path in (Path("shop", store), Path(store)):
            if path.exists():
                path.write_bytes(path.read_bytes()[:-9])
    for command in (["create", drop], ["status", drop], ["diff", drop], ["log"]):
        succeed([tool.command, *command, "--output=shop"])
    for command in (
        ["inspect", drop],
        ["config", "show"],
        ["config", "validate"],
        ["config", "schema"],
    ):
        succeed([tool.command, *command])


def test_without_deno(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Deno everything but evaluation works; the suggested command installs it."""
    lay_out(tmp_path, "tool.config.json", PLAIN)
    tool = with_uv(
        tmp_path / "installed", interpreter(VERSIONS[0]), "--excludes=-", answers=WITHOUT_DENO
    )
    monkeypatch.chdir(tmp_path)
    without = {"PATH": "/usr/bin:/bin"}
    succeed([tool.command, "create", "docs/quickstart/drop", "--output=shop"], **without)
    assert sorted(str(path.relative_to("shop")) for path in Path("shop").glob("[!.]*/*")) == BUILT
    Path("tool.config.json").unlink()
    Path("tool.config.ts").write_text(COMPUTED, encoding="utf-8")
    refused = subprocess.run(
        [tool.command, "config", "show"], capture_output=True, text=True, env=without, check=False
    )
    advice = f"uv pip install --python {tool.environment / 'bin/python'} deno"
    assert (refused.returncode, refused.stdout, re.findall(r"with `(.*?)`;", refused.stderr)) == (
        69,
        "",
        [advice],
    )
    succeed(["sh", "-c", advice], PATH=f"{PROGRAMS}:/usr/bin:/bin")
    assert "theme                 harbour " in succeed([tool.command, "config", "show"], **without)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    """Tests of each stage and of the command pass with the wheel, where there is no other copy of
    the packages.
    """
    copy_repository(tmp_path, *COPIED)
    uv, environment = PROGRAMS / "uv", tmp_path / "environment"
    succeed([uv, "venv", "--python", interpreter(version), environment])
    group = f"{ROOT / 'pyproject.toml'}:dev"
    succeed(
        [
            uv,
            "pip",
            "install",
            "--python",
            environment / "bin/python",
            artifact(".whl"),
            "--group",
            group,
        ]
    )
    monkeypatch.chdir(tmp_path)
    tests = [path for pattern in TESTS for path in sorted(tmp_path.glob(pattern))]
    succeed([environment / "bin/python", "-m", "pytest", "-p", "no:cacheprovider", *tests])
