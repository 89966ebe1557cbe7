"""Each command that is measured, and what is laid before it runs."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.bench.packages import (
    C12,
    CONTENTS,
    DATA,
    MODULES,
    lay_drop,
    lay_many,
    lay_modules,
    pack,
)
from tests.support.bench.rounds import Subject, output
from tests.support.checkout import ROOT
from tests.support.forks import TOOL

CHANGED: Final = "prismjs"
"""The package whose archive changes between two runs: one of middle size, 700 files and 2 MB."""
MANY, FEW = 5000, 500
COLD, UNCHANGED, ONE_CHANGED, ONE_ALONE = (
    *("tool create, cold", "tool create, nothing changed", "tool create, one archive changed"),
    "tool create, that archive alone, cold",
)
DIFF, UNDO = "tool diff, one archive changed", "tool undo, one archive changed"
UNZIP, BSDTAR, SEVEN, ZIPFILE, WIDE, COPY = (
    "unzip",
    "bsdtar",
    "7zz",
    "Python zipfile",
    "unzip on all cores",
    "cp -r",
)
DRY, IMPORTS, BARE = (
    "tool create --dry-run, small drop",
    "python, importing four libraries",
    "python -c pass",
)
JSON, EVALUATED, BY_C12 = (
    "tool config show, JSON",
    "tool config show, .ts",
    "c12 with jiti, cache warm, the same .ts",
)
STATUS, UNCHANGED_MANY = "tool status, 60,000 files", "tool create, nothing changed, 60,000 files"
GIT_STATUS = "git status, 60,000 files"
LARGE, LARGE_UNZIP = (
    "tool create, one archive of 24,000 files, cold",
    "unzip, one archive of 24,000 files",
)
PLAN_MANY, PLAN_FEW = (
    f"tool create --dry-run, {MANY:,} archives",
    f"tool create --dry-run, {FEW:,} archives",
)

ALONE: Final = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
"""Lets git run as it comes, whatever the user has configured."""
EXTRACT: Final = """\
import sys, zipfile
for archive in sys.argv[1:]:
    with zipfile.ZipFile(archive) as file:
        file.extractall()
"""
cores: Final = len(os.sched_getaffinity(0))


class Stage:
    """A folder in which everything is laid."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.drop, self.out = root / "drop", root / "out"
        self.files, self.bytes = lay_drop(self.drop)
        self.archives = len(CONTENTS)

    def cold(self) -> tuple[Subject, ...]:
        """Builds into a new folder, and what else extracts the same archives into one."""
        archives = shlex.join(map(str, sorted(self.drop.iterdir())))
        one_by_one = 'for archive in {}; do {} "$archive" || exit; done'
        laid = self.root / "extracted"
        commands: dict[str, tuple[str | Path, ...]] = {
            COLD: (TOOL, "create", self.drop, "--output", "."),
            UNZIP: ("sh", "-c", one_by_one.format(archives, "unzip -q")),
            BSDTAR: ("sh", "-c", one_by_one.format(archives, "bsdtar -xf")),
            SEVEN: ("sh", "-c", one_by_one.format(archives, "7zz x -y -bso0 -bsp0")),
            ZIPFILE: (sys.executable, "-c", EXTRACT, *sorted(self.drop.iterdir())),
            WIDE: ("sh", "-c", f"printf '%s\\0' {archives} | xargs -0 -n1 -P{cores} unzip -q"),
            COPY: ("cp", "-r", laid, "copy"),
        }
        for archive in sorted(self.drop.iterdir()):
            shutil.unpack_archive(archive, laid)
        return tuple(Subject(name, command, self.new) for name, command in commands.items())

    def check(self) -> None:
        """Make sure that a build and `unzip` come to the same files."""
        built, unzipped, *_ = self.cold()
        trees = []
        for subject, below in ((built, "modules"), (unzipped, ".")):
            output(subject)
            paths = (self.out / below).rglob("*") if (self.out / below).is_dir() else ()
            trees.append(
                {
                    path.relative_to(self.out / below): path.read_bytes()
                    for path in paths
                    if path.is_file()
                }
            )
        if trees[0] != trees[1]:
            raise SystemExit("a build and unzip do not come to the same files")

    def again(self) -> tuple[Subject, ...]:
        """Later runs: nothing changed, or one archive; and a build of that archive alone."""
        shop, other = self.root / "shop", self.root / "one"
        one = self.drop / f"{CHANGED}.zip"
        versions = [self.root / f"{number}.zip" for number in (1, 2)]
        for number, version in enumerate(versions):
            moved = version.with_name(one.name)
            pack(MODULES / CHANGED, moved, f"1.0.{number}")
            moved.rename(version)
        other.mkdir()
        shutil.copy(one, other)
        shop.mkdir()
        shown, undone = (self.updated(name, one.name, versions) for name in ("shown", "undone"))
        output(Subject(UNDO, (TOOL, "create", self.root / "undone drop"), lambda: undone))
        output(Subject(UNDO, (TOOL, "undo"), lambda: undone))

        def redone() -> Path:
            output(Subject(UNDO, (TOOL, "redo"), lambda: undone))
            return undone

        def change() -> Path:
            versions.reverse()
            shutil.copy(versions[0], self.root / "next")
            (self.root / "next").replace(one)
            return shop

        create = (TOOL, "create", self.drop, "--output", ".")
        return (
            Subject(ONE_CHANGED, create, change),
            Subject(UNCHANGED, create, lambda: shop),
            Subject(ONE_ALONE, (TOOL, "create", other, "--output", "."), self.new),
            Subject(DIFF, (TOOL, "diff", self.root / "shown drop"), lambda: shown),
            Subject(UNDO, (TOOL, "undo"), redone),
        )

    def updated(self, name: str, one: str, versions: Sequence[Path]) -> Path:
        """A project that is built, in whose drop of its own one archive has changed since."""
        project, drop = self.root / name, self.root / f"{name} drop"
        shutil.copytree(self.drop, drop)
        shutil.copy(versions[0], drop / one)
        project.mkdir()
        output(Subject(name, (TOOL, "create", drop), lambda: project))
        shutil.copy(versions[1], drop / one)
        return project

    def many(self) -> tuple[Subject, ...]:
        """Runs of a project in which nothing has changed, of 60,000 files in 1,200 folders, and
        of git in it.
        """
        site, drop = self.root / "site", self.root / "many"
        lay_modules(drop, 40, 30)
        site.mkdir()
        git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost")
        output(Subject(UNCHANGED_MANY, (TOOL, "create", drop), lambda: site))
        for command in (("init",), ("add", "--all"), ("commit", "--quiet", "--message=built")):
            output(Subject(GIT_STATUS, (*git, *command), lambda: site, ALONE))
        return (
            Subject(STATUS, (TOOL, "status", drop), lambda: site),
            Subject(UNCHANGED_MANY, (TOOL, "create", drop), lambda: site),
            Subject(GIT_STATUS, ("git", "status", "--porcelain"), lambda: site, ALONE),
        )

    def large(self) -> tuple[Subject, ...]:
        """A build of one archive of 24,000 small files into a new folder, and what else
        extracts it.
        """
        drop = self.root / "large"
        lay_modules(drop, 1, 480)
        return (
            Subject(LARGE, (TOOL, "create", drop), self.new),
            Subject(LARGE_UNZIP, ("unzip", "-q", drop / "m0.zip"), self.new),
        )

    def small(self) -> tuple[Subject, ...]:
        """Runs that hardly do more than start."""
        plain, script = (self.project(name) for name in ("plain", "script"))
        show = (TOOL, "config", "show")
        importing = "import cyclopts, msgspec, returns.result, toolz"
        sample = ROOT / "docs/quickstart/drop"
        return (
            Subject(BARE, (sys.executable, "-c", "pass"), lambda: plain),
            Subject(IMPORTS, (sys.executable, "-c", importing), lambda: plain),
            Subject(DRY, (TOOL, "create", sample, "--dry-run"), self.new),
            Subject(JSON, show, lambda: plain),
            Subject(EVALUATED, show, lambda: script),
            Subject(BY_C12, ("node", "c12.mjs", C12), lambda: script, {"TMPDIR": str(self.root)}),
        )

    def plans(self) -> tuple[Subject, ...]:
        """Plans of drops of many archives that nothing is known of yet."""
        subjects: list[Subject] = []
        for name, count in ((PLAN_MANY, MANY), (PLAN_FEW, FEW)):
            lay_many(self.root / f"{count}", count)
            subjects.append(
                Subject(name, (TOOL, "create", self.root / f"{count}", "--dry-run"), self.new)
            )
        return tuple(subjects)

    def new(self) -> Path:
        """A new folder, empty."""
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        return self.out

    def project(self, name: str) -> Path:
        """A new folder with a configuration, the top of its repository."""
        (self.root / name / ".git").mkdir(parents=True)
        return shutil.copytree(DATA / name, self.root / name, dirs_exist_ok=True)
