"""What a name stands for (`docs/configuration.md`)."""

from pathlib import PurePath

import pytest

from pipeline.archives.archive import Archive, ArchiveFile, Component
from pipeline.explain.names import choices_named, settings_named, suggest_for
from pipeline.selection.choices import Choice, Reason

FILE = ArchiveFile(path=PurePath("/shop/drop/modules/b.zip"), display_path="modules/b.zip", shelf="modules")
CHOICES = tuple(
    Choice(Archive(file=file), Component(kind="module", name=name), True, Reason("unmentioned"))
    for file, name in ((FILE, "blog"), (FILE.at("src/x"), "shop_x"))
)


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("theme", ["theme"]),
        ("hooks.onFailure", ["hooks.onFailure"]),
        ("--on-failure", ["hooks.onFailure"]),
        ("--no-cache", ["cache.enabled"]),
        ("TOOL_HOOKS_ON_FAILURE", ["hooks.onFailure"]),
        ("onFailure", ["hooks.onFailure"]),
        ("exclude", ["modules.exclude"]),
        ("cache", ["cache.file", "cache.enabled"]),
        ("modules", ["modules.include", "modules.exclude", "modules.only"]),
        ("config", []),
        ("", []),
    ],
)
def test_settings(name: str, paths: list[str]) -> None:
    """A setting goes by its path, its flag, its variable and its last key; an object by its own."""
    assert [setting.path for setting in settings_named(name)] == paths


@pytest.mark.parametrize(
    ("name", "components"),
    [
        ("blog", ["blog"]),
        ("modules/blog", ["blog"]),
        ("themes/blog", []),
        ("b.zip", ["blog", "shop_x"]),
        ("modules/b.zip", ["blog", "shop_x"]),
        ("drop/modules/b.zip", ["blog", "shop_x"]),
        ("./drop/modules/b.zip", ["blog", "shop_x"]),
        ("b.zip!src/x", ["shop_x"]),
        ("modules/b.zip!src/x", ["shop_x"]),
        ("x", ["shop_x"]),
        ("other", []),
    ],
)
def test_archives(name: str, components: list[str]) -> None:
    """An archive goes by its component and by its file, a bundle with every member."""
    assert [choice.component.name for choice in choices_named(name, CHOICES, "drop")] == components


def test_an_archive_whose_name_is_not_utf_8() -> None:
    """It goes by its name, and by what is shown of it."""
    file = ArchiveFile(path=PurePath("/shop/caf\udce9.zip"), display_path="caf\udce9.zip")
    choice = Choice(Archive(file=file), Component(kind="module", name="cafe"), True, Reason("unmentioned"))
    assert choices_named("caf\udce9.zip", (choice,), "drop") == (choice,)
    assert choices_named(r"caf\udce9.zip", (choice,), "drop") == (choice,)


def test_near_names() -> None:
    """A name that stands for nothing is compared with those of settings, components and errors."""
    assert suggest_for("blogg", CHOICES, ["ThemeNotFound"]) == ("blog",)
    assert suggest_for("ThemNotFound", CHOICES, ["ThemeNotFound"]) == ("ThemeNotFound",)
    assert suggest_for("hooks.onFailur", CHOICES, [])[0] == "hooks.onFailure"
    assert suggest_for("./tool.config.json", CHOICES, []) == ("config",)
    assert suggest_for("a-name-like-no-other", CHOICES, []) == ()
