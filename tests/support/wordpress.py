"""Play the day of an update through with a real WordPress: `python -m tests.support.wordpress`.

It needs Debian's packages wordpress, mariadb-server, php-cli, php-mysql and php-zip. Nothing is
left behind. The rules that it looks at are in `docs/building.md`.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

WORDPRESS: Final = Path("/usr/share/wordpress")
TOOL: Final = Path(sys.executable).with_name("tool")
PROGRAMS: Final = Path(__file__).parent / "data" / "wordpress"
PLUGINS: Final = ("ship", "pay", "tax")


def plugin(name: str, version: str) -> dict[str, str]:
    """The files of a plugin; each version has a file of its own."""
    header = f"<?php\n/*\nPlugin Name: {name}\nVersion: {version}\n*/\n"
    lines = "".join(f"// line {number}\n" for number in range(20))
    return {f"{name}.php": f"{header}{lines}// {version}\n", f"only-{version}.php": "<?php\n"}


def pack(path: Path, name: str, files: Mapping[str, str]) -> None:
    """Write an archive."""
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(f"{name}/{file}", text)


@contextmanager
def database(folder: Path) -> Iterator[Path]:
    """Run a database that only this machine reaches, through a socket; give the socket."""
    data, socket = folder / "data", folder / "db.sock"
    subprocess.run(
        [
            "mariadb-install-db",
            f"--datadir={data}",
            "--user=root",
            "--auth-root-authentication-method=normal",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    server = subprocess.Popen(
        [
            "mariadbd",
            "--no-defaults",
            f"--datadir={data}",
            f"--socket={socket}",
            "--skip-networking",
            "--user=root",
        ],
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            if socket.exists():
                break
            time.sleep(0.1)
        subprocess.run(["mariadb", f"--socket={socket}", "-e", "create database shop"], check=True)
        yield socket
    finally:
        server.terminate()
        server.wait()


class Shop:
    """A WordPress that runs, and the drop of its maintainer."""

    def __init__(self, folder: Path, socket: Path) -> None:
        self.root, self.drop = folder / "shop", folder / "drop"
        shutil.copytree(WORDPRESS, self.root, symlinks=False, ignore_dangling_symlinks=True)
        for kind in ("plugins", "themes"):
            shutil.rmtree(self.root / "wp-content" / kind, ignore_errors=True)
            (self.root / "wp-content" / kind).mkdir(parents=True)
        config = (
            (PROGRAMS / "wp-config.php")
            .read_text(encoding="utf-8")
            .replace("@socket@", str(socket))
        )
        (self.root / "wp-config.php").write_text(config, encoding="utf-8")
        self.drop.mkdir()

    def php(self, program: str, *args: str | Path) -> Any:
        """What a program of `data/wordpress` says that WordPress runs, as JSON on its last line."""
        ran = subprocess.run(
            ["php", PROGRAMS / f"{program}.php", *args],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            return json.loads(ran.stdout.strip().rpartition("\n")[2] or ran.stdout)
        except ValueError:
            raise SystemExit(f"php: {ran.stdout[-2000:]}{ran.stderr[-2000:]}") from None

    def tool(self, *args: str) -> tuple[int, str]:
        """Run the command on the shop: its exit code, and what it reports."""
        done = subprocess.run(
            [TOOL, *args, "--output", self.root],
            cwd=self.drop.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr + done.stdout

    def has(self, what: str, expected: object, found: object) -> None:
        """Print what was seen; stop if it is not as expected."""
        if expected != found:
            raise SystemExit(f"{what}: expected {expected}, found {found}")
        sys.stdout.write(f"{what}: {found}\n")

    def sees(self, **versions: str) -> None:
        """Check that WordPress sees these versions of the plugins, all of them active,
        and the theme.
        """
        plugins = {f"{name}/{name}.php": [version, True] for name, version in versions.items()}
        self.has("seen", {**plugins, "harbour": ["1.0", True]}, self.php("seen"))


def play(shop: Shop) -> None:
    """Three plugins and a theme; one is patched, one WordPress updates by itself, and all have a
    new archive.
    """
    plugins = shop.root / "wp-content/plugins"
    theme = {"style.css": "/*\nTheme Name: harbour\nVersion: 1.0\n*/\n", "index.php": ""}
    pack(shop.drop / "harbour.zip", "harbour", theme)
    for name in PLUGINS:
        pack(shop.drop / f"{name}.zip", name, plugin(name, "1.0"))
    shop.has("install", True, shop.php("install"))
    shop.has("first build", 0, shop.tool("create", "drop")[0])
    shop.has("activate", True, shop.php("activate"))
    shop.sees(pay="1.0", ship="1.0", tax="1.0")
    patched = plugins / "pay/pay.php"
    patched.write_text(
        patched.read_text(encoding="utf-8").replace("// line 9\n", "// a hotfix\n"),
        encoding="utf-8",
    )
    update = shop.drop.parent / "by-itself.zip"
    pack(update, "tax", plugin("tax", "1.5"))
    shop.has("WordPress updates one by itself", True, shop.php("upgrade", update))
    for name in PLUGINS:
        pack(shop.drop / f"{name}.zip", name, plugin(name, "2.0"))
    code, reported = shop.tool("create", "drop")
    shop.has(
        "the run stops and names both",
        (73, True, True),
        (code, "plugins/tax" in reported, "plugins/pay" in reported),
    )
    shop.has(
        "merge, without the plugin of which no archive is there",
        73,
        shop.tool("create", "drop", "--merge")[0],
    )
    versions = {"pay": "2.0", "ship": "2.0", "tax": "1.5"}
    shop.sees(**versions)
    shop.has("the hotfix runs on", True, "// a hotfix" in patched.read_text(encoding="utf-8"))
    names = {name: sorted(path.name for path in (plugins / name).iterdir()) for name in PLUGINS}
    shop.has(
        "nothing is mixed",
        {name: sorted([f"{name}.php", f"only-{versions[name]}.php"]) for name in PLUGINS},
        names,
    )
    shop.has("undo", 0, shop.tool("undo")[0])
    shop.sees(pay="1.0", ship="1.0", tax="1.5")
    shutil.copy(update, shop.drop / "tax-1.5.zip")
    shop.has(
        "with the archive of the version on disk", 0, shop.tool("create", "drop", "--merge")[0]
    )
    shop.sees(pay="2.0", ship="2.0", tax="2.0")


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="wordpress-") as root,
        database(Path(root)) as socket_path,
    ):
        play(Shop(Path(root), socket_path))
