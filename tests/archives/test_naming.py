"""What names and versions of archives say (`docs/archives.md`)."""

import pytest

from pipeline.archives.markers import version_of
from pipeline.archives.naming import (
    FolderRules,
    Hint,
    is_of_a_product,
    name_by_folder,
    says_nothing,
    version_at_end,
    without_suffix,
    without_version,
)

KIT = Hint("seo-kit", "composer.json")
DOMAIN = Hint("seo", "kit.php (Text Domain)", "domain")
KIT_DOMAIN = Hint("seo-kit", "kit.php (Text Domain)", "domain")
STEM = Hint("gallery", "gallery.php", "stem")


@pytest.mark.parametrize(
    ("rest", "is_product"),
    [
        ("-child", True),
        (" Pro 2", True),
        ("_lite-2", True),
        ("-2-pro", False),
        ("-main", False),
        ("", False),
    ],
)
def test_the_name_of_another_product(rest: str, is_product: bool) -> None:
    """The first word after the name of a component can make it the name of another product."""
    assert is_of_a_product(rest) is is_product


@pytest.mark.parametrize(
    ("value", "version"),
    [
        ("1" * 64, "1" * 64),
        ("1" * 65, "1" * 64),
        (1.5, "1.5"),
        (-2, "-2"),
        (10**9 - 1, "999999999"),
        (10**9, None),
        (True, None),
        (None, None),
        ("", None),
        ("@version@", None),
    ],
)
def test_what_is_a_version(value: object, version: str | None) -> None:
    """A version is a text, cut to 64 characters, or a number below a thousand million; a
    placeholder is not a version.
    """
    assert version_of(value) == version


@pytest.mark.parametrize(
    ("name", "folder", "file", "version"),
    [
        ("kit-1.2", "kit", "kit", "1.2"),
        ("kit-v3", "kit", "kit", "3"),
        ("kit-3.15-pro", "kit", "kit", "3.15-pro"),
        ("kit-2024-05-01", "kit", "kit", "2024-05-01"),
        ("kit-20240501", "kit", "kit", "20240501"),
        ("kit_3.15", "kit_3.15", "kit", "3.15"),
        ("kit_v3", "kit_v3", "kit", "3"),
        ("kit_2.0_rc1", "kit_2.0_rc1", "kit", "2.0_rc1"),
        ("kit 3.15", "kit 3.15", "kit", "3.15"),
        ("kit.1.0.0", "kit", "kit", "1.0.0"),
        ("kit-7.x-2.0-beta4", "kit", "kit", "7.x-2.0-beta4"),
        ("kit-2.x", "kit", "kit", None),
        ("kit-main", "kit", "kit", None),
        ("sea-kit-0a1b2c3", "sea-kit", "sea-kit", None),
        ("sea-kit-v1.0-0-g0a1b2c3", "sea-kit", "sea-kit", "1.0"),
        ("contact-form-7", "contact-form-7", "contact-form-7", None),
        ("kit-1.2-child", "kit-1.2-child", "kit-1.2-child", None),
        ("kit-v3pro", "kit-v3pro", "kit-v3pro", None),
    ],
)
def test_versions_at_the_end_of_names(
    name: str, folder: str, file: str, version: str | None
) -> None:
    """The version in the name of a folder follows a hyphen; file names have versions in more
    forms.
    """
    assert (without_suffix(name), without_version(name), version_at_end(name)) == (
        folder,
        file,
        version,
    )


@pytest.mark.parametrize(
    ("name", "is_silent"),
    [
        ("plugin_v3", True),
        ("upload-2024-05-01", True),
        ("src 1.2", True),
        ("v3", True),
        ("3.15-pro", True),
        ("plugin-kit", False),
        ("kit_v3", False),
    ],
)
def test_names_of_packers(name: str, is_silent: bool) -> None:
    """A word that a packer adds to a name says nothing, whatever version follows it."""
    assert says_nothing(name) is is_silent


@pytest.mark.parametrize(
    ("folder", "file", "hints", "name", "is_guessed"),
    [
        ("gallery-kit", "gallery-kit", (STEM,), "gallery-kit", False),
        ("seo-kit-feature-x", "seo-kit-feature-x", (KIT,), "seo-kit", True),
        ("seo-kit-feature-x", "seo-kit-feature-x", (KIT_DOMAIN,), "seo-kit", True),
        ("SEO-Kit-feature-x", "SEO-Kit-feature-x", (KIT,), "seo-kit", True),
        ("sea-SEO-Kit-0a1b2c3", "x-0a1b2c3", (Hint("seo-kit", "", "tail"),), "seo-kit", True),
        ("SEO-Kit-pro", "SEO-Kit-pro", (KIT,), "SEO-Kit-pro", False),
        ("seo-kit-pro", "seo-kit-pro", (KIT, KIT_DOMAIN), "seo-kit-pro", False),
        (
            "seo-kit-news",
            "x",
            (KIT_DOMAIN, Hint("seo-kit-news", "seo-kit-news.php", "stem")),
            "seo-kit-news",
            False,
        ),
        ("seo-kit-main", "seo-kit-main", (DOMAIN, KIT), "seo-kit", True),
        ("sea-seo-kit-0a1b2c3", "x-0a1b2c3", (DOMAIN, KIT), "seo-kit", True),
        ("seo-kit-feature-x", "seo-kit-feature-x", (DOMAIN, KIT), "seo-kit", True),
        ("wp-seo-main", "wp-seo-main", (DOMAIN, KIT), "seo", True),
        ("seo-kit-main", "kit", (DOMAIN, KIT), "kit", False),
        ("seo-kit-main", "seo-kit", (DOMAIN,), "seo-kit", False),
        ("seo-kit-main", "plugin_v3", (), "seo-kit", True),
        ("sea-seo-kit-0a1b2c3", "sea-seo-kit-v1.0-0-g0a1b2c3", (), "sea-seo-kit", True),
        ("", "acme-forms_3.15", (), "acme-forms", False),
        ("", "acme-forms", (), "acme-forms", False),
        ("", "plugin_3.15", (KIT,), "seo-kit", True),
        ("plugins/seo-kit-main", "kit", (KIT,), "seo-kit-main", False),
    ],
)
def test_the_name_of_a_folder(
    folder: str, file: str, hints: tuple[Hint, ...], name: str, is_guessed: bool
) -> None:
    """A component goes by its folder if a site has it or no download made it; otherwise archive,
    package, header and file are asked.
    """
    path = f"{folder}/" if folder else ""
    found, guessed = name_by_folder(path, f"{file}.zip", hints)
    assert (found.name, guessed) == (name, is_guessed)


@pytest.mark.parametrize(
    ("title", "hint", "name"),
    [
        ("Sea, Roy", Hint("default", "composer.json", "package"), "searoy"),
        ("Sea Roy", Hint("starter", "style.css", "domain"), "searoy"),
        ("Sea", Hint("default", "composer.json", "package"), "default"),
        ("", Hint("default", "composer.json", "package"), "default"),
        ("Sea Roy", Hint("sea-roy", "composer.json", "package"), "sea-roy"),
        ("Sea Roy", Hint("theme-searoy", "composer.json", "package"), "theme-searoy"),
        ("Sea Roy", Hint("roy", "style.css", "domain"), "roy"),
        ("Sea Roy", Hint("default", "composer.json"), "default"),
    ],
)
def test_a_copied_name(title: str, hint: Hint, name: str) -> None:
    """If a folder has the name in the title, a package or text domain with another name is of the
    theme that it was copied from.
    """
    found, _ = name_by_folder("searoy-main/", "searoy-main.zip", (hint,), title=title)
    assert found.name == name


def test_a_copied_name_in_the_folder_of_a_commit() -> None:
    """The title may be behind the owner's name."""
    package = Hint("default", "composer.json", "package")
    path = "sea-searoy-0a1b2c3/"
    found, _ = name_by_folder(path, "x-0a1b2c3.zip", (package,), title="Sea Roy")
    assert found.name == "sea-searoy"
    found, _ = name_by_folder(path, "x-0a1b2c3.zip", (package,), title="Roy")
    assert found.name == "default"
    rules = FolderRules(prefixes=("plugin-",))
    found, _ = name_by_folder("plugin-Sea-x/", "plugin-Sea-x.zip", (Hint("Sea", "a"),), rules)
    assert found.name == "Sea"
