"""The 0.x file on disk: how `create` rewrites it (`docs/configuration.md`)."""

import json
from pathlib import Path

import pytest

from tests.support.forks import Forks
from tests.support.project import Project, Ran

OLD = '{"version": "0.6.2", "themeName": "none", "excludeModules": ["shop_*"], "colour": "blue"}'
NEW = """\
{
  "schema": 1,
  "theme": "none",
  "modules": {
    "exclude": ["shop_*"]
  }
}
"""
BACKUP = ".tool.json.0x.bak"
READ = ["legacy-key", "legacy-key", "legacy-key", "legacy-key"]


def beside(project: Project) -> dict[str, str]:
    """The dot-file and what stands beside it, apart from what is built."""
    return {
        path.name: path.read_text(encoding="utf-8") for path in project.root.glob(".tool.json*")
    }


def codes(ran: Ran) -> list[str]:
    """The codes of the warnings about the dot-file, in order."""
    return [
        each["code"]
        for each in ran.reported("warning")
        if each["code"] in {"legacy-key", "rewritten-config"}
    ]


@pytest.mark.rule("Versioning, rule 3, lifted")
def test_create_lifts_it(project: Project) -> None:
    """A build rewrites its 0.x file once, keeps the original, and reports that last."""
    project.module("shop_a")
    project.write(".tool.json", OLD).chmod(0o640)
    first = project.create(".")
    assert first.code == 0
    assert codes(first) == [*READ, "rewritten-config"]
    assert beside(project) == {".tool.json": NEW, BACKUP: OLD}
    assert {path.stat().st_mode & 0o777 for path in project.root.glob(".tool.json*")} == {0o640}
    again = project.create(".")
    assert again.code == 0
    assert codes(again) == []
    assert beside(project) == {".tool.json": NEW, BACKUP: OLD}
    decided = [
        {path: each["value"] for path, each in ran.decided.items()} for ran in (first, again)
    ]
    assert decided[0] == decided[1]


@pytest.mark.rule("Versioning, rule 3, no write")
@pytest.mark.parametrize("args", [("--dry-run",), ("--theme=missing",)])
def test_create_that_builds_nothing_lifts_nothing(project: Project, args: tuple[str, ...]) -> None:
    """A dry run and a run that fails do not rewrite the 0.x file."""
    project.write(".tool.json", OLD)
    assert codes(project.create(".", *args)) == READ
    assert beside(project) == {".tool.json": OLD}


def test_create_that_passes_over_archives_lifts_nothing(project: Project) -> None:
    """A run that ends with 76 has not succeeded, although it built other archives, and does not
    rewrite the 0.x file.
    """
    project.module("blog")
    project.write("broken.zip", "no archive")
    project.write(".tool.json", OLD)
    ran = project.create(".", "--keep-going")
    assert ran.code == 76
    assert sorted(project.tree) == ["modules/blog/blog.php"]
    assert codes(ran) == READ
    assert beside(project) == {".tool.json": OLD}


@pytest.mark.rule("Versioning, rule 3, no write")
def test_create_leaves_what_it_did_not_read(project: Project) -> None:
    """A 0.x file that a version 1 configuration shadows is not rewritten."""
    project.write(".tool.json", OLD)
    project.write("tool.config.json", {})
    assert codes(project.create(".")) == []
    assert beside(project) == {".tool.json": OLD}


HOOK = "#!/bin/sh\n{}\n"


def test_create_lifts_only_what_it_has_read(project: Project) -> None:
    """A 0.x file that appears or changes while a build runs is not rewritten."""
    hook = project.write(
        "init-scripts/10.sh", HOOK.format('printf \'{"theme": "none"}\' > .tool.json')
    )
    assert codes(project.create(".")) == []
    assert beside(project) == {".tool.json": '{"theme": "none"}'}
    project.write(".tool.json", OLD)
    changed = project.create(".")
    assert changed.code == 0
    assert codes(changed) == [*READ, "rewritten-config"]
    assert beside(project) == {".tool.json": '{"theme": "none"}'}
    hook.write_text(HOOK.format("rm .tool.json"))
    assert codes(project.create("."))[-1] == "rewritten-config"
    assert beside(project) == {}


def test_a_backup_is_never_overwritten(project: Project) -> None:
    """If a backup with other bytes exists, the next number is used; one with the same bytes is
    enough.
    """
    project.write(".tool.json", OLD)
    project.write(BACKUP, "other")
    assert (
        project.create(".")
        .reported("warning")[-1]["message"]
        .endswith("kept in `.tool.json.0x.bak.2`")
    )
    kept = {".tool.json": NEW, BACKUP: "other", ".tool.json.0x.bak.2": OLD}
    assert beside(project) == kept
    project.write(".tool.json", OLD)
    project.create(".")
    assert beside(project) == kept


def test_a_backup_is_no_link(project: Project) -> None:
    """A link in the place of the backup is not followed, and does not count as a backup even if it
    leads to the same bytes.
    """
    project.write(".tool.json", OLD)
    (project.root / BACKUP).symlink_to(".tool.json")
    project.create(".")
    assert (project.root / ".tool.json.0x.bak.2").read_text() == OLD


LONG = json.dumps({"excludeModules": ["\u202e" * 176_000]}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("target", "content", "mode", "cause"),
    [
        (".tool.json", OLD, 0o444, "it is read-only"),
        (".tool.json", LONG, 0o644, "it would be larger than 1 MiB"),
        ("package.json", OLD, 0o644, "it is a link to a file that is not named .tool.json"),
        ("../vic/.tool.json", OLD, 0o644, "it is a link to a file outside the project"),
    ],
    ids=["read-only", "too long", "a link to another name", "a link to another project"],
)
def test_what_cannot_be_rewritten_is_a_warning(
    project: Project, target: str, content: str, mode: int, cause: str
) -> None:
    """A 0.x file that must not be replaced, or would become too long, stays as it is with a
    warning, and the build succeeds.
    """
    project.module("blog")
    file = project.write(target, content)
    file.chmod(mode)
    if target != ".tool.json":
        (project.root / ".tool.json").symlink_to(target)
    ran = project.create(".")
    assert ran.code == 0
    assert sorted(project.tree) == ["modules/blog/blog.php"]
    assert ran.reported("warning")[-1] == {
        "event": "warning",
        "code": "rewritten-config",
        "message": f"the 0.x file `.tool.json` cannot be converted to version 1: {cause}",
        "source": ".tool.json",
        "help": "make it writable; or write a configuration with `tool init`",
    }
    assert file.read_text(encoding="utf-8") == content
    assert beside(project) == {".tool.json": content}


def test_what_refuses_the_rewrite_is_a_warning(forks: Forks, project: Project) -> None:
    """Whatever call the system refuses, the 0.x file stays, and the build succeeds."""
    project.write(".tool.json", OLD)
    ran = forks.run(project.root, "create", ".", number=1, way="EROFS")
    reported = [json.loads(line) for line in ran.err.splitlines()]
    assert ran.code == 0
    assert [each["code"] for each in reported if each["event"] == "warning"][
        -1
    ] == "rewritten-config"
    assert (project.root / ".tool.json").read_text() == OLD


def test_a_link_stays_a_link(project: Project) -> None:
    """If the 0.x file is a link to another file of the project, that file is rewritten."""
    project.write("dot/.tool.json", OLD)
    (project.root / ".tool.json").symlink_to("dot/.tool.json")
    assert project.create(".").code == 0
    assert (project.root / ".tool.json").readlink() == Path("dot/.tool.json")
    assert (project.root / "dot/.tool.json").read_text() == NEW
    assert (project.root / BACKUP).read_text() == OLD


def test_one_further_up_is_lifted_where_it_is(project: Project) -> None:
    """The 0.x file of a folder above is rewritten there, with its paths as they were."""
    project.write(".tool.json", '{"cacheFile": "x/cache.json"}')
    (project.root / "app").mkdir()
    ran = project.create(".", cwd="app")
    assert [each["source"] for each in ran.reported("warning")][-1] == "../.tool.json"
    assert json.loads((project.root / ".tool.json").read_text()) == {
        "schema": 1,
        "cache": {"file": "x/cache.json"},
    }
    assert list((project.root / "app").glob(".tool*")) == []


def test_many_warnings_are_not_all_reported(project: Project) -> None:
    """Text has the first thousand warnings and the number of the others; JSON has all."""
    project.write(".tool.json", {"modules": ["a", *[1] * 900], "onlyModules": ["b", *[1] * 600]})
    reported = project.run("config", "show").err.splitlines()
    assert len(reported) == 1002
    assert reported[-1] == "warning: and 502 more"
    assert codes(project.create(".", "--dry-run")) == [*["legacy-key"] * 2, *["legacy-key"] * 1500]
