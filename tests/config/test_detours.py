"""Paths with `..`: how they are shown, and which file they are (`docs/reference/events.md`)."""

import pytest

from tests.support.project import Project


@pytest.fixture
def linked(project: Project) -> Project:
    """A folder of a site that is a link, and two folders of presets that may be meant
    by `../presets`.
    """
    config = {"presets": ["../presets/p.ts", "site"], "presetsSearchPath": [".."]}
    project.write("common/north/tool.config.json", config)
    project.write("common/site.json", {"cache": {"enabled": False}})
    for folder in ("common", "sites"):
        project.write(f"{folder}/presets/p.ts", f"export default {{ theme: ['{folder}'][0] }};")
    (project.root / "sites/north").symlink_to("../common/north")
    return project


def test_a_path_that_leads_through_a_link(linked: Project) -> None:
    """A path through a link is shown as the file that is read, where the link leads, not as the
    text alone would give it.
    """
    shown = linked.run(
        "config", "show", "--config=sites/north/tool.config.json", "--log-format=json"
    )
    decided = {each["path"]: (each["value"], each["source"]) for each in shown.printed}
    assert decided["theme"] == ("common", "common/presets/p.ts:1:25")
    assert decided["cache.enabled"] == (False, "common/site.json:1:23")


def test_two_scripts_that_look_like_one(linked: Project) -> None:
    """Two scripts whose paths differ only in a detour through a link are two, and each is
    evaluated.
    """
    args = ("sites/north/../presets/p.ts", "sites/presets/p.ts")
    flags = [f"--preset=./{path}" for path in args]
    shown = linked.run("config", "show", *flags, "--log-format=json").printed
    (theme,) = (each for each in shown if each["path"] == "theme")
    assert (theme["value"], theme["source"]) == ("sites", "sites/presets/p.ts:1:25")
    assert [each["source"] for each in theme["overridden"]] == [
        "common/presets/p.ts:1:25",
        "built-in",
    ]


def test_a_path_that_leads_through_no_link(project: Project) -> None:
    """A path without a link is shown in its shortest form."""
    project.write("sites/north/tool.config.json", {"presets": ["../../presets/../presets/p.json"]})
    project.write("presets/p.json", {"theme": "none"})
    shown = project.run(
        "config", "show", "--config=sites/../sites/north/tool.config.json", "--log-format=json"
    ).printed
    assert {each["path"]: each["source"] for each in shown}["theme"] == "presets/p.json:1:11"


def test_the_folder_above_a_link(linked: Project) -> None:
    """The scripts of hooks are shown where they are, even if `..` alone names their folder."""
    linked.write("common/a.sh", "exit 3")
    ran = linked.create(".", "--init-scripts-dir=sites/north/..", "--on-failure=fail")
    assert [each["source"] for each in ran.reported("error")] == ["common/a.sh"]
