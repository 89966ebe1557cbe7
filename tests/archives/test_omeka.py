"""Components of Omeka Classic: how they are named (`docs/archives.md`)."""

import pytest

from tests.support.recognition import recognitions_of

PLUGIN = {"main/plugin.ini": '[info]\nname = "Pay"\n'}


@pytest.mark.parametrize(
    ("files", "name", "named_by"),
    [
        (
            {
                "main/controllers/readme.php": "<?php class Other_IndexController {}",
                "main/controllers/IndexController.php": "<?php class Pay_IndexController {}",
            },
            "Pay",
            "main/controllers/IndexController.php (class)",
        ),
        (
            {"main/views/IndexController.php": "<?php class Pay_IndexController {}"},
            "main",
            "main/ (folder)",
        ),
        (
            {
                "main/plugin.php": "<?php class PayPlugin {}",
                "main/old.php": "<?php class OldPlugin {}",
            },
            "Pay",
            "main/plugin.php (class)",
        ),
    ],
)
def test_a_plugin_is_named_by_its_classes(files: dict[str, str], name: str, named_by: str) -> None:
    """A plugin in a folder that says nothing is named by its old main file, or by its
    controllers.
    """
    (recognition,) = recognitions_of({**PLUGIN, **files}, "main.zip")
    assert recognition.component
    assert (recognition.component.name, recognition.component.named_by) == (name, named_by)


def test_themes_have_titles() -> None:
    """A theme has the title that its system shows; a plugin is known by its name alone."""
    theme, plugin = (
        recognitions_of(files)[0].component
        for files in ({"sea/theme.ini": '[theme]\ntitle = "By the sea"\n'}, PLUGIN)
    )
    assert theme and plugin
    assert (theme.title, plugin.title) == ("By the sea", "")
