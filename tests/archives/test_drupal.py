"""Components that Drupal would not find or read, and Drupal projects that are not components
(`docs/archives.md`).
"""

import pytest

from pipeline.archives.archive import Unusable
from pipeline.report.diagnostics.archives import lenient_marker, not_built
from tests.support.recognition import recognitions_of
from tests.support.tables import lists

OF_11 = "name: A\ntype: module\ncore_version_requirement: ^11\n"


@pytest.mark.parametrize(("stem", "info", "faults"), lists("drupal", "info"))
def test_what_drupal_refuses(stem: str, info: str, faults: list[str]) -> None:
    """A component that Drupal does not find, or refuses to read, is recognised all the same, and
    the reason is reported.
    """
    (recognition,) = recognitions_of({f"{stem}/{stem}.info.yml": info})
    known = recognition.component
    assert known and (known.name, known.system) == (stem, "Drupal")
    assert known.unusable == tuple(Unusable(f"{stem}.info.yml", each) for each in faults)


@pytest.mark.parametrize("wanted", ["^ 11", "[^11]"])
def test_what_is_no_constraint(wanted: str) -> None:
    """An invalid constraint says nothing about the versions that a component runs on."""
    (recognition,) = recognitions_of({"acme/acme.info.yml": OF_11.replace("^11", wanted)})
    assert recognition.component and recognition.component.runs_on == ""


def test_lenient_markers() -> None:
    """If the marker of a Drupal module or a PrestaShop theme had to be read line by line, that is
    reported.
    """
    (module,) = recognitions_of({"acme/acme.info.yml": f"{OF_11}description: - x\nversion: 1.0\n"})
    (theme,) = recognitions_of(
        {"config/theme.yml": "name: sea\nversion: 2.0\ndisplay_name: For shops:\nname: b\nx: y: z"}
    )
    (other,) = recognitions_of(
        {"config/theme.yml": "name: sea\nversion: 2.0\ndisplay_name: For shops:\nx: y: z"}
    )
    assert module.component and module.component.version == "1.0"
    assert module.warnings == (lenient_marker("x.zip", "acme/acme.info.yml"),)
    assert theme.component is None or theme.component.system != "PrestaShop"
    assert other.component and (other.component.kind, other.component.name) == ("theme", "sea")
    reason = "PrestaShop cannot read it: the value of `x` has to be in quotes"
    assert other.component.unusable == (Unusable("config/theme.yml", reason),)
    assert other.warnings == (lenient_marker("x.zip", "config/theme.yml"),)


@pytest.mark.parametrize(
    ("files", "what", "which"),
    [
        ({"acme/recipe.yml": "name: A\ntype: Site\n"}, "recipe", ""),
        (
            {"acme/recipe.yml": "name: A\n", "acme/composer.json": '{"type": "drupal-recipe"}'},
            "recipe",
            "",
        ),
        (
            {"acme/composer.json": '{"type": "drupal-recipe", "name": "a/b"}', "acme/a.php": ""},
            "recipe",
            "",
        ),
        (
            {
                "acme/composer.json": '{"type": "drupal-custom-profile", "name": "a/b"}',
                "acme/a.php": "",
            },
            "profile",
            "",
        ),
        (
            {
                "acme/composer.json": '{"type": "drupal-database-driver", "name": "a/b"}',
                "acme/a.php": "",
            },
            *("other type", "a package of the type `drupal-database-driver`"),
        ),
        (
            {"acme/acme.info.yml": "name: A\ntype: theme_engine\n"},
            *("other type", "a part of Drupal of the type `theme_engine`"),
        ),
    ],
)
def test_what_is_no_component(files: dict[str, str], what: str, which: str) -> None:
    """Recipes and other types of projects are not components; the report names their type."""
    (recognition,) = recognitions_of(files)
    assert recognition.component and recognition.component.what == what
    (warning,) = recognition.warnings
    assert warning == not_built("x.zip", what, which or recognition.component.which)


def test_a_module_beside_a_recipe() -> None:
    """A module that has a recipe in its folder is a module."""
    (recognition,) = recognitions_of({"acme/acme.info.yml": OF_11, "acme/recipe.yml": "name: A\n"})
    assert recognition.component and recognition.component.kind == "module"


@pytest.mark.parametrize(
    ("files", "system", "evidence", "field"),
    [
        (
            {"acme/acme.info.yml": "name: A\ntype: theme_engine\n"},
            "Drupal",
            "acme/acme.info.yml",
            "type",
        ),
        (
            {"acme/b.drush.inc": "", "acme/a.drush.inc": "", "acme/x.php": ""},
            "Drupal",
            "acme/a.drush.inc",
            "file name",
        ),
        (
            {"sea/sea.info": "name = Sea\nbackdrop = 1.x\nregions[a] = A\n"},
            "Backdrop",
            "sea/sea.info",
            "regions",
        ),
    ],
)
def test_what_shows_that_a_project_is_no_component(
    files: dict[str, str], system: str, evidence: str, field: str
) -> None:
    """The system of a project that is no component is named, with the file and the field that
    show it.
    """
    (recognition,) = recognitions_of(files)
    assert recognition.component
    known = recognition.component
    assert (known.system, known.evidence, known.field) == (system, evidence, field)
