"""The source code of a theme, which is not built (`docs/archives.md`)."""

from collections.abc import Collection
from typing import Any

import pytest

from pipeline.archives.archive import Archive, Component
from pipeline.archives.places import FolderProbe
from pipeline.building.judging.copies import Home
from pipeline.building.judging.sources import as_sources, is_built_from_sources
from pipeline.building.stores.record import Record, RecordedComponent
from pipeline.report.diagnostics.archives import not_built
from pipeline.systems.residences import Host
from pipeline.systems.table import system_called
from pipeline.values import replace
from tests.support.miniatures import prestashop_theme, within, wordpress_theme
from tests.support.recognition import recognitions_of
from tests.support.selecting import archive, settings_of

LACKS = ("a.css", "b.css")
OAK = archive("theme", "oak", system="PrestaShop", lacks=LACKS, has_sources=True)
RECORDED = Record(
    {"themes/oak": RecordedComponent(archive="oak.zip", digest="1", content="2", files={})}
)
SHOP = Host(system_called("PrestaShop"), ".")


def component_of(each: Archive) -> Component:
    """The component of an archive."""
    assert each.component
    return each.component


def judged(
    each: Archive = OAK, host: Host | None = SHOP, is_built: bool = False, **settings: Any
) -> Archive:
    """An archive as it is judged."""
    return as_sources(each, settings_of(**settings), host, lambda _: is_built)


@pytest.mark.parametrize("host", [SHOP, None])
def test_the_sources_of_a_theme_are_no_theme(host: Host | None) -> None:
    """A warning names the files without which the system does not accept the theme."""
    lacking = "`a.css` or `b.css`"
    unbuilt = replace(component_of(OAK), kind="other", what="unbuilt theme", data=lacking)
    expected = replace(
        OAK, component=unbuilt, warnings=(not_built("oak.zip", "unbuilt theme", lacking),)
    )
    assert judged(host=host) == expected


def test_what_is_built_nevertheless() -> None:
    """Source code from which the project is built is built; a theme of another system, and a theme
    that is not source code, are left as they are.
    """
    plain = replace(OAK, component=replace(component_of(OAK), has_sources=False))
    assert judged(is_built=True) == OAK
    assert judged(host=Host(system_called("WordPress"), ".")) == OAK
    assert [judged(each) for each in (plain, replace(OAK, component=None))] == [
        plain,
        replace(OAK, component=None),
    ]


@pytest.mark.parametrize(
    "settings",
    [{"theme": "oak"}, {"modules_include": ("oak",)}, {"modules_only": ("oak.zip",)}],
)
def test_what_somebody_calls_a_theme(settings: dict[str, Any]) -> None:
    """The user can call source code a theme by writing out its name, or by the folder of themes in
    the drop; a pattern names nothing.
    """
    assert judged(**settings) == OAK
    in_folder = replace(OAK, file=replace(OAK.file, shelf="themes"))
    assert judged(in_folder) == in_folder
    assert judged(modules_include=("oa*",)) != OAK


@pytest.mark.parametrize(
    ("home", "record", "there", "expected"),
    [
        ("", Record(), (), False),
        ("oak", RECORDED, ("themes/oak/b.css",), True),
        ("oak", Record(), ("themes/oak/b.css",), False),
        ("oak", Record(), (), True),
        ("oak-main", Record(), ("themes/oak/b.css",), True),
    ],
)
def test_what_the_project_is_built_from(
    home: str, record: Record, there: Collection[str], expected: bool
) -> None:
    """The project is built from source code if it has the theme, and the record has it as well or
    none of the demanded files exists.
    """
    project = FolderProbe("site", there.__contains__, str)
    homes = {("theme", "oak"): Home(home)}
    assert is_built_from_sources(component_of(OAK), homes, record, project) is expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"package.json": "{}"}, True),
        ({"_dev/a.js": ""}, True),
        ({"src/a.js": ""}, True),
        ({"lib/src/a.js": ""}, False),
        ({"package.json": "{}", "assets/css/theme.css": ""}, False),
        ({"package.json": "{}", "config/theme.yml": "name: oak\nparent: classic\n"}, False),
    ],
)
def test_what_has_sources(files: dict[str, str], expected: bool) -> None:
    """A theme is source code if it has a build system, no parent, and not the files that its system
    demands.
    """
    theme = {
        name: text
        for name, text in prestashop_theme("oak").items()
        if not name.startswith("assets/")
    }
    (found,) = recognitions_of(within("oak", {**theme, **files}))
    assert component_of(found).has_sources is expected


def test_the_sources_of_a_theme_of_wordpress() -> None:
    """A theme of WordPress without any of the templates that WordPress looks for is source code."""
    theme = {name: text for name, text in wordpress_theme().items() if name != "index.php"}
    (found,) = recognitions_of(within("oak", {**theme, "src/index.php": ""}))
    assert component_of(found).has_sources
