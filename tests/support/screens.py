"""Typical runs of `tool create`, as seen on a terminal (`docs/reference/events.md`)."""

import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from tests.support.forks import TOOL
from tests.support.miniatures import pack, prestashop_module, within, wordpress_plugin
from tests.support.project import Project
from tests.support.terminals import INTERRUPT, Terminal

SCREENS = Path(__file__).parent.parent / "report" / "screens"
"""Where each screen is kept as text, named after the run."""
COLUMNS = 80
_DROP = Path(__file__).parent.parent.parent / "docs" / "quickstart" / "drop"


class Scene(Struct, frozen=True):
    """A typical run: what was there before, and the command."""

    prepare: Callable[[Project], None]
    args: tuple[str, ...] = ("create", "drop")
    code: int = 0
    is_product: bool = False
    """Whether it is standard output that is seen, too."""
    interrupt_at: str = ""
    """What is on the screen when Ctrl-C is pressed."""


def _sample(project: Project) -> None:
    shutil.copytree(_DROP, project.root / "drop")


def _built(project: Project) -> None:
    """The sample drop, built, with files that the shop's owner has changed and added, and a new
    version of a module.
    """
    _sample(project)
    project.create("drop")
    module = project.root / "modules"
    files = {
        path.relative_to(module).as_posix(): path.read_bytes()
        for path in module.rglob("*.*")
        if path.is_file()
    }
    banner = {name: content for name, content in files.items() if name.startswith("shop_banner/")}
    marker = (
        b'<?xml version="1.0"?><module><name>shop_banner</name><version>1.5.0</version></module>'
    )
    main = "shop_banner/shop_banner.php"
    changed = {
        main: banner[main].replace(b"1.4.2", b"1.5.0"),
        "shop_banner/config.xml": marker,
        "shop_banner/views/templates/banner.tpl": b"new",
    }
    project.archive("drop/shop_banner.zip", {**banner, **changed})
    project.write("modules/shop_banner/index.php", "mine")
    project.write("modules/shop_banner/img/logo.txt", "mine")


def _unchanged(project: Project) -> None:
    _sample(project)
    project.create("drop")


def _with_a_page(project: Project) -> None:
    """The sample drop, with the page of a download instead of an archive, and an archive that
    nothing identifies.
    """
    _sample(project)
    project.write("drop/shop_search.zip", "<!doctype html><title>Log in</title>")
    project.archive("drop/leaflets.zip", {"leaflets/index.html": "x"})


def _disputed(project: Project) -> None:
    _built(project)
    project.write("modules/shop_banner/views/templates/banner.tpl", "mine")


def _forty(project: Project) -> None:
    """Forty archives, a configuration that leaves six of them out, and a preset."""
    for number in range(40):
        name = (
            f"shop_{('banner', 'search', 'reviews', 'sitemap', 'demo')[number % 5]}_{number // 5}"
        )
        marker = f'{{"name": "{name}", "version": "1.{number}.0"}}'
        project.archive(
            f"drop/{name}.zip", {f"{name}/module.json": marker, f"{name}/{name}.php": "<?php"}
        )
    project.write(
        "tool.config.json",
        '{\n  "presets": ["ci"],\n  "modules": {"exclude": ["shop_demo_*"]}\n}\n',
    )


def _downloads(project: Project) -> None:
    """The forty archives, and some to look at: with a long name, a bundle, a guess, something else,
    one that is cut.
    """
    _forty(project)
    bundle = {
        "tides.zip": pack(prestashop_module("tides")),
        "how to read this.zip": pack({"index.html": "x"}),
    }
    project.archive(
        "drop/everything-of-a-premium-vendor-for-the-shop-full-package-2.1.0.zip", bundle
    )
    project.archive(
        "drop/main.zip",
        within("wp-tides-main", wordpress_plugin("loader", " * Text Domain: tide\n")),
    )
    project.archive("drop/profile.zip", {"shore/shore.info.yml": "type: profile\nversion: 2.0.0\n"})
    project.write("drop/zz.zip", pack(prestashop_module("zz"))[:300])


def _outdated(project: Project) -> None:
    """The forty archives, built; then a new version of a module, an edited file, and an archive
    that is gone.
    """
    _forty(project)
    project.create("drop")
    marker = '{"name": "shop_banner_0", "version": "1.10.0"}'
    project.archive("drop/shop_banner_0.zip", {"shop_banner_0/module.json": marker})
    project.write("modules/shop_search_0/shop_search_0.php", "mine")
    (project.root / "drop" / "shop_sitemap_7.zip").unlink()


def _misspelt(project: Project) -> None:
    _sample(project)
    project.write(
        "tool.config.json", '{\n  "theme": "harbour",\n  "modules": {"exlude": ["shop_s*"]}\n}\n'
    )


def _slow(project: Project) -> None:
    _sample(project)
    project.write("init-scripts/10-database.sh", "echo copying the database\nexec sleep 60\n")


SCENES = {
    "first-build": Scene(_sample),
    "nothing-to-do": Scene(_unchanged),
    "update": Scene(_built),
    "skipped-and-refused": Scene(_with_a_page, ("create", "drop", "--exclude=shop_re*"), 76),
    "conflict": Scene(_disputed, code=73),
    "forty-archives": Scene(_forty, ("create", "drop", "--dry-run")),
    "inspect": Scene(_downloads, ("inspect", "drop"), 76, is_product=True),
    "status": Scene(_outdated, ("status", "drop"), is_product=True),
    "mistake": Scene(_misspelt, code=65),
    "interrupt": Scene(_slow, code=130, interrupt_at="copying"),
}


def screen_of(scene: Scene, folder: Path) -> str:
    """Play a scene in an empty folder, and give what is on the terminal, with times of zero."""
    scene.prepare(Project(folder))
    shell = (str(TOOL), *scene.args) if scene.is_product else ()
    with Terminal(folder, *scene.args, columns=COLUMNS, lines=150, shell=shell) as terminal:
        if scene.interrupt_at:
            terminal.see(scene.interrupt_at)
            terminal.press(INTERRUPT, "^C")
            terminal.process.send_signal(signal.SIGINT)
        code, _ = terminal.end()
    assert code == scene.code, terminal.shown
    return re.sub(r"\d+\.\d\d s\b", "0.00 s", terminal.shown) + "\n"


def write() -> None:
    """Write every screen anew."""
    SCREENS.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        with TemporaryDirectory() as folder:
            (SCREENS / f"{name}.txt").write_text(screen_of(scene, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    write()
