"""Miniatures: themes and modules of each system with the fewest files that show what they are,
in own words.
"""

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

Files: TypeAlias = Mapping[str, str | bytes]


def pack(files: Files, folders: Iterable[str] = ()) -> bytes:
    """A `.zip` file of names and contents, folder entries first."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in folders:
            archive.writestr(zipfile.ZipInfo(f"{name}/", (2026, 1, 1, 0, 0, 0)), "")
        for name, text in files.items():
            archive.writestr(
                zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED
            )
    return content.getvalue()


def lay(files: Files, path: Path) -> Path:
    """Write a `.zip` file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pack(files))
    return path


def within(folder: str, *parts: Files) -> dict[str, str | bytes]:
    """Files in a folder."""
    return {f"{folder}/{name}": content for files in parts for name, content in files.items()}


def prestashop_theme(
    name: str, version: str = "2.1.0", parent: str = "", enabled: Iterable[str] = ()
) -> Files:
    """A theme of PrestaShop, flat as in its releases."""
    inherits = f"parent: {parent}\nassets:\n  use_parent_assets: true\n" if parent else ""
    modules = "".join(f"      - {module}\n" for module in enabled)
    settings = f"global_settings:\n  modules:\n    to_enable:\n{modules}" if modules else ""
    return {
        "config/theme.yml": f"{inherits}name: {name}\ndisplay_name: Sea\nversion: {version}\n"
        f"author:\n  name: Harbour Crew\n{settings}meta:\n  compatibility:\n    from: 1.7.0.0\n",
        "config/index.php": "<?php // guard",
        "assets/css/theme.css": "body { margin: 0 }",
        "modules/ps_banner/views/templates/hook/banner.tpl": "<aside>{$text}</aside>",
        "templates/index.tpl": "{extends file='page.tpl'}",
        "index.php": "<?php // guard",
        "preview.png": b"PNG",
    }


def prestashop_module(name: str, version: str = "1.4.2", config: bool = True) -> Files:
    """A module of PrestaShop; `config.xml` is written when it is installed, and some
    releases have it.
    """
    xml = f"<module>\n<name>{name}</name>\n<version><![CDATA[{version}]]></version>\n</module>\n"
    return {
        f"{name}.php": f"<?php\nif (!defined('_PS_VERSION_')) {{\n    exit;\n}}\n\nclass "
        f"{name.capitalize()} extends"
        f" Module\n{{\n    public function __construct()\n    {{\n        $this->name = '{name}';\n"
        f"        $this->version = '{version}';\n        parent::__construct();\n    }}\n}}\n",
        **({"config.xml": f'<?xml version="1.0" encoding="UTF-8" ?>\n{xml}'} if config else {}),
        "index.php": "<?php // guard",
        "views/templates/hook/show.tpl": "<p>hello</p>",
        "upgrade/upgrade-1.4.0.php": "<?php function upgrade_module_1_4_0() { return true; }",
    }


def omeka_theme(title: str = "Shore", version: str = "1.2.3") -> Files:
    """A theme of Omeka S."""
    return {
        "config/theme.ini": f'[info]\nname = "{title}"\nversion = "{version}"\nauthor = "Crew"\n\n'
        "[config]\nelements.colour.name = colour\nversion = 9\n",
        "view/layout/layout.phtml": "<html></html>",
        "asset/css/style.css": "a { color: teal }",
    }


def omeka_module(namespace: str, version: str = "3.4.5") -> Files:
    """A module of Omeka S."""
    return {
        "config/module.ini": f'[info]\nname = "Tide tables"\nversion = "{version}"\n'
        'omeka_version_constraint = "^4.0.0"\n',
        "config/module.config.php": "<?php return [];",
        "Module.php": f"<?php\nnamespace {namespace};\n\nuse Omeka\\Module\\AbstractModule;\n\n"
        "class Module extends AbstractModule\n{\n}\n",
        "src/Controller/IndexController.php": f"<?php\nnamespace {namespace}\\Controller;\n",
    }


def drupal(name: str, kind: str = "module", more: str = "", version: str = "8.x-1.9") -> Files:
    """A project of Drupal 8 or later, with what its packaging adds."""
    packaged = (
        f"\n# Information added by the packaging script\nversion: '{version}'\nproject: '{name}'\n"
    )
    return {
        f"{name}.info.yml": (
            f"name: Sea\ntype: {kind}\ncore_version_requirement: ^9.5 || ^10\n{more}{packaged}"
        ),
        f"{name}.libraries.yml": "global:\n  css:\n    theme:\n      css/a.css: {}\n",
        "README.md": "# Sea\n",
        **({f"src/{name.title()}.php": "<?php"} if kind == "module" else {"css/a.css": "a {}"}),
    }


def info(name: str, lines: str, module: bool = True) -> Files:
    """A project of Drupal 7 or Backdrop."""
    code = {f"{name}.module": "<?php\n"} if module else {"template.php": "<?php\n"}
    return {f"{name}.info": f"name = Sea\ndescription = Of the sea\n{lines}", **code}


def backdrop(name: str, kind: str = "module", more: str = "") -> Files:
    """A project of Backdrop."""
    lines = (
        f"type = {kind}\nbackdrop = 1.x\n{more}\n; Added by the packaging script\nversion = "
        f'"1.x-1.2.0"\n'
    )
    return info(name, lines, kind == "module")


def drupal_7(name: str, module: bool = True, more: str = "") -> Files:
    """A project of Drupal 7."""
    return info(
        name,
        f'core = 7.x\n{more}\n; Information added by\nversion = "7.x-2.0-beta4"\ncore = "7.x"\n',
        module,
    )


def wordpress_theme(title: str = "Sea", more: str = "") -> Files:
    """A theme of WordPress."""
    return {
        "style.css": (
            f"/*\nTheme Name: {title}\nAuthor: the crew\nVersion: 1.8\n{more}*/\n\nbody "
            f"{{ margin: 0 }}\n"
        ),
        "functions.php": "<?php\n",
        "index.php": "<?php\nget_header();\n",
        "theme.json": '{"version": 2, "settings": {}}',
    }


def wordpress_plugin(main: str, more: str = "") -> Files:
    """A plugin of WordPress."""
    return {
        f"{main}.php": f"<?php\n/**\n * Plugin Name: Tide Tables\n * Version: 5.3.1\n{more} */\n",
        "readme.txt": "=== Tide Tables ===\nStable tag: 5.3.1\n",
        "includes/class-tide.php": "<?php\nclass Tide {}\n",
    }


def composer(kind: str, name: str, more: str = "") -> Files:
    """A Composer package without any other marker."""
    return {
        "composer.json": f'{{"name": "{name}", "type": "{kind}"{more}}}',
        "src/Sea.php": "<?php\nnamespace Sea;\n",
    }


HARBOUR = prestashop_theme("harbour")
BANNER = prestashop_module("ps_banner")
PAPERS: Files = {
    "documentation/index.html": "<h1>How to</h1>",
    "documentation/css/style.css": "h1 {}",
}
README: Files = {"README.md": "# All our modules\n", "LICENSE": "MIT"}
