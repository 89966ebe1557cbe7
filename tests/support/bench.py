"""Measure whole processes: `make bench`. Medians in milliseconds, the commands taken in turn so that load is shared.

A configuration in TypeScript, which imports a file and has an enum, is read by the tool and by c12 with jiti, both
warm: every command runs once unmeasured. jiti keeps what it compiled in the folder for temporary files, unless told
not to.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.miniatures import MINIATURES, lay

ROOT = Path(__file__).parent.parent.parent
TOOL = Path(sys.executable).with_name("tool")
C12 = Path(sys.prefix) / "node" / "node_modules" / "c12" / "dist" / "index.mjs"
ROUNDS = 21

CONFIG = {
    "schema": 1,
    "theme": "hummingbird",
    "modules": {"exclude": ["ps_banner", "ps_*test"]},
    "hooks": {"onFailure": "fail"},
    "log": {"format": "json"},
}
SCRIPT = """\
import { Theme, excluded } from "./shared.ts";

enum OnFailure { Continue = "continue", Fail = "fail" }

export default {
  schema: 1,
  theme: Theme.Hummingbird,
  modules: { exclude: excluded },
  hooks: { onFailure: OnFailure.Fail },
  log: { format: "json" },
};
"""
SHARED = """\
export enum Theme { Classic = "classic", Hummingbird = "hummingbird" }
export const excluded: readonly string[] = ["ps_banner", "ps_*test"];
"""
BY_C12 = f"""\
import {{ loadConfig }} from {json.dumps(C12.as_uri())};
const {{ config }} = await loadConfig({{ name: "tool", rcFile: false, extend: false }});
console.log(JSON.stringify(config));
"""


ARCHIVES = 2000
PADDING = {f"assets/img/{number}.svg": f"<svg id='{number}'/>" for number in range(60)}
"""Files that tell nothing, below the root of every archive."""
RECOGNISE = """\
import sys, time
started = time.perf_counter()
from pathlib import PurePath
from io_edges.archives.find import find_archives
from io_edges.archives.examine import look_into
files = find_archives(sys.argv[1], PurePath("/"), "auto")
found = sum(bool(look_into(file)) for file in files)
print(found, (time.perf_counter() - started) * 1000 / found)
"""
RECALL = """\
import sys, time
started = time.perf_counter()
from pathlib import PurePath
from io_edges.building import cache as caches
from io_edges.building.cache import open_cache, save_cache
from io_edges.report.console import Console
from io_edges.archives.find import find_archives
from io_edges.report.progress import progress
console = Console()
files = find_archives(sys.argv[1], PurePath("/"), "auto")
read, look_into = [], caches.look_into
caches.look_into = lambda file: read.append(file) or look_into(file)
cache = open_cache(PurePath(sys.argv[2]), PurePath("/project"), console)
with progress(console, "", 0) as bar:
    found = sum(map(bool, cache.look_into(files, bar)))
took = (time.perf_counter() - started) * 1000 / found
save_cache(cache, {}, console)
print(found, len(read), took)
"""
RECOGNITION_LIMIT = 2.0
"""Milliseconds that it may take, on average, to say what an archive is."""


class Measured(NamedTuple):
    """A command, where it runs, and what it has in its environment besides."""

    command: Sequence[str | Path]
    folder: Path
    environ: Mapping[str, str] = {}


def run(measured: Measured) -> str:
    """Run once; give what it printed."""
    environ = {**os.environ, **measured.environ}
    return subprocess.run(
        measured.command, cwd=measured.folder, env=environ, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def milliseconds(measured: Measured) -> float:
    """The wall time of one run."""
    started = time.perf_counter()
    run(measured)
    return (time.perf_counter() - started) * 1000


def lay_projects(root: Path) -> tuple[Path, Path]:
    """Two projects with one configuration: as a script, and as JSON."""
    script, plain = root / "script", root / "plain"
    for project in (script, plain):
        (project / ".git").mkdir(parents=True)
    for name, text in {"tool.config.ts": SCRIPT, "shared.ts": SHARED, "c12.mjs": BY_C12}.items():
        (script / name).write_text(text, encoding="utf-8")
    (plain / "tool.config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return script, plain


def recognition(drop: Path) -> float:
    """Milliseconds an archive of a drop of many that nothing is known of yet, imports included."""
    for number in range(ARCHIVES):
        files = MINIATURES[number % len(MINIATURES)].files
        top = os.path.commonpath(files) if len(files) > 1 else ""
        lay({**files, **{f"{top}/{name}".lstrip("/"): text for name, text in PADDING.items()}}, drop / f"{number}.zip")
    command = Measured([sys.executable, "-c", RECOGNISE, drop], ROOT)
    found, each = zip(*(run(command).split() for _ in range(ROUNDS // 3)), strict=True)
    if set(found) != {str(ARCHIVES)}:
        sys.exit(f"of {ARCHIVES} archives these were recognised: {found}")
    return statistics.median(map(float, each))


def recall(drop: Path, file: Path) -> float:
    """Milliseconds an archive of the same drop that has not changed since the cache was written."""
    command = Measured([sys.executable, "-c", RECALL, drop, file], ROOT)
    _, *ran = [run(command).split() for _ in range(ROUNDS // 3)]
    if {(found, read) for found, read, _ in ran} != {(str(ARCHIVES), "0")}:
        sys.exit(f"these were found, and read again: {ran}")
    return statistics.median(float(took) for _, _, took in ran)


def main() -> None:
    """Run every command in turn, and print the median of each and of what the pairs of a round differ by."""
    if not C12.is_file():
        sys.exit(f"{C12} is missing, against which is measured: npm install --prefix {C12.parents[3]} c12 jiti")
    with tempfile.TemporaryDirectory() as parent:
        took = recognition(Path(parent))
        print(f"{took:8.2f} ms  an archive, {ARCHIVES:,} of them recognised cold")
        if took > RECOGNITION_LIMIT:
            sys.exit(f"that is more than {RECOGNITION_LIMIT} ms")
        print(f"{recall(Path(parent), Path(parent) / 'cache.json'):8.2f} ms  an archive, read from the cache")
    with tempfile.TemporaryDirectory() as parent:
        script, plain = lay_projects(Path(parent))
        by_tool, as_json = "tool config show, tool.config.ts", "tool config show, tool.config.json"
        by_c12, uncached = "c12 with jiti, tool.config.ts", "c12 with jiti, tool.config.ts, no cache"
        commands = {
            "python -c pass": Measured([sys.executable, "-c", "pass"], plain),
            "tool --version": Measured([TOOL, "--version"], plain),
            "tool create --dry-run, sample drop": Measured(
                [TOOL, "create", ROOT / "docs/quickstart/drop", "--dry-run"], Path(parent)
            ),
            as_json: Measured([TOOL, "config", "show"], plain),
            by_tool: Measured([TOOL, "config", "show"], script),
            by_c12: Measured(["node", "c12.mjs"], script, {"TMPDIR": parent}),
            uncached: Measured(["node", "c12.mjs"], script, {"JITI_FS_CACHE": "false"}),
        }
        warm = {name: run(command) for name, command in commands.items()}
        if json.loads(warm[by_c12]) != CONFIG:
            sys.exit(f"c12 read another configuration: {warm[by_c12]}")
        rounds = [{name: milliseconds(command) for name, command in commands.items()} for _ in range(ROUNDS)]
        for name in commands:
            print(f"{statistics.median(each[name] for each in rounds):8.1f} ms  {name}")
        for more, less in ((by_tool, as_json), (by_c12, by_tool), (uncached, by_tool)):
            print(f"{statistics.median(each[more] - each[less] for each in rounds):+8.1f} ms  {more}, against {less}")


if __name__ == "__main__":
    main()
