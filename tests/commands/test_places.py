"""Target folders: where flags, variables, the record and the system put components
(`docs/building.md`).
"""

import json
import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path

import pytest

from pipeline.report.diagnostics.building import readable_on_the_web
from tests.support import memory
from tests.support.forks import FORKS
from tests.support.project import Project, Ran


@pytest.fixture
def wordpress(project: Project) -> Project:
    """A project in which WordPress lives, with a drop beside it."""
    project.write("shop/wp-includes/version.php", "<?php")
    project.archive(
        "drop/m.zip", {"m/m.php": "<?php\n/*\nPlugin Name: M\nVersion: 1.0\n*/\n", "m/a.txt": "a\n"}
    )
    project.archive(
        "drop/t.zip", {"t/style.css": "/*\nTheme Name: T\n*/\n", "t/index.php": "<?php"}
    )
    return project


def create(project: Project, *args: str, env: dict[str, str] | None = None) -> Ran:
    """Build the drop."""
    return project.run("create", "drop", "--output=shop", "--log-format=json", *args, env=env)


def planned(ran: Ran) -> dict[str, str]:
    """What a run does, by the paths of components."""
    return {each["path"]: each["action"] for each in ran.reported("component")}


def errors(ran: Ran) -> list[tuple[str, int, str]]:
    """The errors of a run."""
    return [(each["error"], each["exit"], each["source"]) for each in ran.reported("error")]


def folders(project: Project) -> object:
    """The folders that the record has."""
    return json.loads((project.root / "shop/.tool-manifest.json").read_text("utf-8"))[
        "content"
    ].get("folders")


def test_wordpress_is_built(wordpress: Project) -> None:
    """In a WordPress project, plan, record, status, log and disk have the same paths, and a second
    run changes nothing.
    """
    paths = ["wp-content/themes/t", "wp-content/plugins/m"]
    first = create(wordpress)
    assert (first.code, planned(first)) == (0, dict.fromkeys(paths, "add"))
    assert folders(wordpress) == {"themes": "wp-content/themes", "modules": "wp-content/plugins"}
    assert (wordpress.root / "shop/wp-content/plugins/m/m.php").is_file()
    assert planned(create(wordpress)) == dict.fromkeys(paths, "keep")
    assert create(wordpress, "--check").code == 0
    status = wordpress.run("status", "drop", "--output=shop", "--log-format=json")
    assert [(each["kind"], each["name"], each["path"]) for each in status.printed] == [
        ("theme", "t", paths[0]),
        ("module", "m", paths[1]),
    ]
    log = wordpress.run("log", "modules/m", "--output=shop", "--log-format=json")
    runs = [line for line in log.printed if line.get("event") != "version"]
    assert [each["path"] for run in runs for each in run["added"]] == [paths[1]]


def test_a_system_is_reported(wordpress: Project) -> None:
    """Until something is built, a run reports the system and the file that shows it, unless flags
    name both folders.
    """
    found = {"system": "WordPress", "evidence": "wp-includes/version.php"}
    assert create(wordpress, "-n").reported("system") == [
        {"event": "system", **found, "themes": "wp-content/themes", "modules": "wp-content/plugins"}
    ]
    (reported,) = create(wordpress, "-n", "--modules-dir=own").reported("system")
    assert (reported["themes"], reported["modules"]) == ("wp-content/themes", "own")
    wordpress.write("shop/web/core/lib/Drupal.php", "<?php")
    assert errors(create(wordpress, "-n")) == [("UsageError", 64, None)]
    assert create(wordpress, "-n", "--modules-dir=own", "--themes-dir=x").reported("system") == []
    shutil.rmtree(wordpress.root / "shop/web")
    said = (
        "found WordPress (wp-includes/version.php): themes go to wp-content/themes, modules to "
        "wp-content/plugins"
    )
    assert said in wordpress.run("create", "drop", "--output=shop", "-n").err.splitlines()
    assert said not in wordpress.run("create", "drop", "--output=shop", "-q").err
    assert create(wordpress).reported("system") == []


def test_a_record_on_the_web(project: Project) -> None:
    """If a web server may serve the project, the first build says how to hide the record, and a
    drop that is in it.
    """
    for drop, inside in (("drop", ""), ("shop/.my drop", ".my drop"), ("shop", ".")):
        project.module("m", f"{drop}/m.zip")
        project.write("shop/index.php", "<?php")
        said = readable_on_the_web(drop if inside else "", inside)
        for expected in ([(said.message, said.advice)], []):
            warnings = project.run("create", drop, "--output=shop", "--log-format=json").reported(
                "warning"
            )
            of_code = [each for each in warnings if each["code"] == said.code]
            assert [(each["message"], each["help"]) for each in of_code] == expected
        shutil.rmtree(project.root / "shop")


@pytest.mark.parametrize(
    ("path", "hidden", "shown"),
    [
        (
            "",
            ["/.tool-manifest.json", "/shop/.tool/log.jsonl"],
            ["/drop/m.zip", "/tool.css", "/x.tool"],
        ),
        (
            "my drop",
            ["/.tool-cache.json", "/my drop/m.zip", "/my drop/modules/m.zip"],
            ["/x.zip", "/my drop/a.css"],
        ),
        (".", ["/.tool-manifest.json", "/m.zip"], ["/files/m.zip", "/m.zip.txt"]),
    ],
)
def test_what_a_web_server_is_to_hide(path: str, hidden: list[str], shown: list[str]) -> None:
    """The pattern for Apache and nginx matches exactly what has to be hidden."""
    advice = readable_on_the_web(path, path).advice
    (apache,) = re.findall(r'`RedirectMatch 404 "(.*?)"`', advice)
    (nginx,) = re.findall(r'`location ~ "(.*?)" { return 404; }`', advice)
    assert apache == nginx
    assert [url for url in (*hidden, *shown) if re.search(apache, url)] == hidden


def warned(ran: Ran, code: str) -> list[tuple[str | None, str]]:
    """Where the warnings of a code are, and what they advise."""
    return [
        (each["source"], each["help"]) for each in ran.reported("warning") if each["code"] == code
    ]


@pytest.mark.parametrize(
    ("args", "env", "is_reported"),
    [
        (("--modules-dir=m", "t"), {}, True),
        (("--modules-dir=m", "--theme=none"), {}, False),
        (("--modules-dir=m",), {"TOOL_THEMES_DIR": "t"}, False),
        (("--theme=none", "--exclude=m"), {}, False),
    ],
)
def test_a_system_in_a_subfolder_is_an_error(
    wordpress: Project, args: tuple[str, ...], env: dict[str, str], is_reported: bool
) -> None:
    """A system in a subfolder is an error that has both ways to build there, unless flags name the
    folders of everything that is built, or nothing is for it.
    """
    (wordpress.root / "shop").rename(wordpress.root / "public")
    (wordpress.root / "shop").mkdir()
    (wordpress.root / "public").rename(wordpress.root / "shop/public")
    advice = (
        "pass `--output=shop/public`; "
        "or `--themes-dir=public/wp-content/themes --modules-dir=public/wp-content/plugins`"
    )
    expected = (64, [advice]) if is_reported else (0, [])
    ran = create(wordpress, *args, env=env)
    assert (ran.code, [each["help"] for each in ran.reported("error")]) == expected
    assert (wordpress.root / "shop/modules").exists() is False


def test_every_command_refuses_the_folder_above_a_system(wordpress: Project) -> None:
    """In the folder above a system, no command calls live components "not built"; each way of the
    advice works, and a record decides, too.
    """
    wordpress.write("wp-content/plugins/x", "")
    (wordpress.root / "shop").rename(wordpress.root / "public")
    flags = "--themes-dir=public/wp-content/themes", "--modules-dir=public/wp-content/plugins"
    for command in ("create", "status", "diff", "patch"):
        assert wordpress.run(command, "drop", "--log-format=json").code == 64
    assert wordpress.run("status", "drop", "--output=public").code == 0
    assert wordpress.run("create", "drop", *flags).code == 0
    assert wordpress.run("status", "drop").code == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run the command as another user")
def test_a_subfolder_that_cannot_be_looked_into_stops_no_run() -> None:
    """A system in an unreadable subfolder is not reported, and the run goes on."""
    with tempfile.TemporaryDirectory(dir=memory.place()) as folder:
        project = Project(Path(folder))
        project.root.chmod(0o777)
        project.archive("drop/m.zip", {"m/m.php": "<?php\n/*\nPlugin Name: M\n*/\n"})
        (project.root / "public").mkdir(mode=0)
        ran = FORKS.run(project.root, "create", "drop", user=65534)
        assert (ran.code, "system" in ran.err, project.tree.keys()) == (
            0,
            False,
            {"modules/m/m.php"},
        )


def test_a_configuration_in_the_project_that_is_not_read_is_reported(wordpress: Project) -> None:
    """A configuration in the project that is not read is reported with the flag that reads it,
    unless a link makes it that of the current folder.
    """
    for file in ("my shop/tool.config.json", "other.json", "tool.config.json"):
        wordpress.write(file, "{}")
    reported = [
        ("my shop/tool.config.json", "to use it, pass `'--config=my shop/tool.config.json'`")
    ]
    assert warned(create(wordpress, "--output=my shop", "-n"), "unread-config") == reported
    named = create(wordpress, "--output=my shop", "-n", "--config=other.json")
    assert warned(named, "unread-config") == []
    (wordpress.root / "linked").symlink_to(".")
    assert warned(create(wordpress, "--output=linked", "-n"), "unread-config") == []
    assert warned(create(wordpress, "--output=my shop"), "unread-config") == reported


@pytest.mark.parametrize("command", [("create", "--dry-run"), ("status",)])
def test_a_configuration_at_the_drop_that_is_not_read_is_reported(
    project: Project, command: tuple[str, ...]
) -> None:
    """If a run is started from above, a configuration beside or in the drop is reported with the
    flag that reads it.
    """
    project.module("m", "shop/drop/m.zip")
    project.write("shop/drop/tool.config.json", "{}")
    project.write("shop/.tool.json", "{}")
    ran = project.run(*command, "shop/drop", "--log-format=json")
    assert warned(ran, "unread-config") == [
        (name, f"to use it, pass `--config={name}`")
        for name in ("shop/drop/tool.config.json", "shop/.tool.json")
    ]
    assert (
        warned(project.run(*command, ".", "--log-format=json", cwd="shop/drop"), "unread-config")
        == []
    )


def test_moving_components_as_the_error_says(wordpress: Project) -> None:
    """If components are moved and the record is deleted, as the error says, files as in their
    archive are taken over.
    """
    assert create(wordpress, "--modules-dir=modules").code == 0
    shop = wordpress.root / "shop"
    (shop / "modules").rename(shop / "wp-content/plugins")
    (shop / ".tool-manifest.json").unlink()
    assert planned(create(wordpress)) == {
        "wp-content/themes/t": "keep",
        "wp-content/plugins/m": "keep",
    }


@pytest.mark.parametrize("link", ["wp-content", "wp-content/plugins", "wp-content/plugins/m"])
def test_a_link_on_the_way_is_not_followed(wordpress: Project, link: str) -> None:
    """A link on the way to a target folder is not followed, as in any other folder."""
    (wordpress.root / "elsewhere").mkdir()
    path = wordpress.root / "shop" / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(wordpress.root / "elsewhere")
    ran = create(wordpress)
    assert [(each["exit"], each["source"]) for each in ran.reported("error")] == [
        (73, f"shop/{link}")
    ]
    advice = ran.reported("error")[0]["help"]
    assert ("--exclude=m" in advice) == link.endswith("/m")
    if link == "wp-content/plugins":
        (module,) = [each["help"] for each in ran.reported("error")]
        flags = (f"--output={wordpress.root}", "--modules-dir=elsewhere")
        assert module == f"to build into the folder that it leads to, pass `{shlex.join(flags)}`"
        assert wordpress.run("create", "drop", *flags, "--dry-run").code == 0
    assert not any(Path(wordpress.root / "elsewhere").iterdir())
