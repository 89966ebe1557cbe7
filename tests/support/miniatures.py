"""Miniature archives: for each system and each trap of a real release, the fewest files that show it, in own words."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

Files: TypeAlias = Mapping[str, str | bytes]


class Seen(NamedTuple):
    """What is to be seen in an archive."""

    kind: str
    name: str
    version: str | None
    evidence: str | None
    system: str
    member: str = ""


class Miniature(NamedTuple):
    """An archive: what shows in it, its files, what is to be seen, and what its file is called."""

    shape: str
    files: Files
    seen: tuple[Seen, ...] | str
    """What is to be seen, or why it is refused."""
    archive: str = "download.zip"
    by_marker: bool = True
    """Whether a marker gives the name, so that the archive may be called anything and lie in any folder."""


def pack(files: Files, folders: Iterable[str] = ()) -> bytes:
    """A `.zip` file of names and contents, folder entries first."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in folders:
            archive.writestr(zipfile.ZipInfo(f"{name}/", (2026, 1, 1, 0, 0, 0)), "")
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def lay(files: Files, path: Path) -> Path:
    """Write a `.zip` file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pack(files))
    return path


def within(folder: str, *parts: Files) -> dict[str, str | bytes]:
    """Files in a folder."""
    return {f"{folder}/{name}": content for files in parts for name, content in files.items()}


def prestashop_theme(name: str, version: str = "2.1.0", parent: str = "", enabled: Iterable[str] = ()) -> Files:
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
    """A module of PrestaShop; `config.xml` is written when it is installed, and some releases have it."""
    xml = f"<module>\n<name>{name}</name>\n<version><![CDATA[{version}]]></version>\n</module>\n"
    return {
        f"{name}.php": f"<?php\nif (!defined('_PS_VERSION_')) {{\n    exit;\n}}\n\nclass {name.capitalize()} extends"
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
    packaged = f"\n# Information added by the packaging script\nversion: '{version}'\nproject: '{name}'\n"
    return {
        f"{name}.info.yml": f"name: Sea\ntype: {kind}\ncore_version_requirement: ^9.5 || ^10\n{more}{packaged}",
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
    lines = f'type = {kind}\nbackdrop = 1.x\n{more}\n; Added by the packaging script\nversion = "1.x-1.2.0"\n'
    return info(name, lines, kind == "module")


def drupal_7(name: str, module: bool = True, more: str = "") -> Files:
    """A project of Drupal 7."""
    return info(name, f'core = 7.x\n{more}\n; Information added by\nversion = "7.x-2.0-beta4"\ncore = "7.x"\n', module)


def wordpress_theme(title: str = "Sea", more: str = "") -> Files:
    """A theme of WordPress."""
    return {
        "style.css": f"/*\nTheme Name: {title}\nAuthor: the crew\nVersion: 1.8\n{more}*/\n\nbody {{ margin: 0 }}\n",
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
    """A package of composer and nothing else that tells."""
    return {"composer.json": f'{{"name": "{name}", "type": "{kind}"{more}}}', "src/Sea.php": "<?php\nnamespace Sea;\n"}


def seen(kind: str, name: str, version: str | None, evidence: str | None, system: str) -> tuple[Seen, ...]:
    """One component."""
    return (Seen(kind, name, version, evidence, system),)


PS, OS, D8, BD, D7, WP = "PrestaShop", "Omeka S", "Drupal", "Backdrop", "Drupal 7", "WordPress"
HARBOUR = prestashop_theme("harbour")
BANNER = prestashop_module("ps_banner")
PACKED = pack(BANNER)
PAPERS: Files = {"documentation/index.html": "<h1>How to</h1>", "documentation/css/style.css": "h1 {}"}
BROUGHT = "dependencies/modules"
TIDY = "<?php\n/*\nPlugin Name: Tidy Up\nVersion: 9\n*/\nclass Tidy {}\n"
README: Files = {"README.md": "# All our modules\n", "LICENSE": "MIT"}

PRESTASHOP = (
    Miniature("PrestaShop theme, flat", HARBOUR, seen("theme", "harbour", "2.1.0", "config/theme.yml", PS)),
    Miniature(
        "PrestaShop theme, in its folder",
        within("harbour", HARBOUR),
        seen("theme", "harbour", "2.1.0", "harbour/config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme, in a branch folder of another name",
        within("theme-sources-develop", HARBOUR),
        seen("theme", "harbour", "2.1.0", "theme-sources-develop/config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme, wrapped twice",
        within("release/harbour-2.1.0", HARBOUR),
        seen("theme", "harbour", "2.1.0", "release/harbour-2.1.0/config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme, a version that looks like a number",
        prestashop_theme("harbour", "1.10"),
        seen("theme", "harbour", "1.10", "config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme, BOM and CRLF",
        {**HARBOUR, "config/theme.yml": "\ufeffname: 'harbour'\r\nversion: \"2.1.0\"\r\n"},
        seen("theme", "harbour", "2.1.0", "config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme, theme.yml without a name",
        {"config/theme.yml": "display_name: Sea\n", "index.php": ""},
        seen("theme", "my_theme", None, None, ""),
        archive="my_theme-main.zip",
        by_marker=False,
    ),
    Miniature(
        "PrestaShop theme that brings modules along",
        {
            **HARBOUR,
            **within(f"{BROUGHT}/ps_tides", prestashop_module("ps_tides", "0.3.0")),
            **within(f"{BROUGHT}/ps_moon", prestashop_module("ps_moon", "0.4.0", config=False)),
            "dependencies/index.php": "<?php // guard",
        },
        (
            Seen("theme", "harbour", "2.1.0", "config/theme.yml", PS),
            Seen(
                "module",
                "ps_moon",
                "0.4.0",
                "dependencies/modules/ps_moon/ps_moon.php",
                PS,
                "dependencies/modules/ps_moon",
            ),
            Seen(
                "module",
                "ps_tides",
                "0.3.0",
                "dependencies/modules/ps_tides/ps_tides.php",
                PS,
                "dependencies/modules/ps_tides",
            ),
        ),
    ),
    Miniature(
        "PrestaShop theme, its folder called as the guard",
        within("index", HARBOUR),
        seen("theme", "harbour", "2.1.0", "index/config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme, its folder called as another PHP file",
        within("main", HARBOUR, {"main.php": "<?php"}),
        seen("theme", "harbour", "2.1.0", "main/config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop theme with another theme inside",
        {**HARBOUR, **within("samples/child", prestashop_theme("child"))},
        seen("theme", "harbour", "2.1.0", "config/theme.yml", PS),
    ),
    Miniature(
        "PrestaShop module, in its folder",
        within("ps_banner", BANNER),
        seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module, flat, named by config.xml",
        {"ajax.php": "<?php", **BANNER},
        seen("module", "ps_banner", "1.4.2", "ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module, flat, named by its class",
        prestashop_module("ps_banner", config=False),
        seen("module", "ps_banner", "1.4.2", "ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module, in a version folder",
        within("ps_banner-1.4.2", prestashop_module("ps_banner", config=False)),
        seen("module", "ps_banner", "1.4.2", "ps_banner-1.4.2/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module, in a branch folder of another name",
        within("banner-sources-dev", BANNER),
        seen("module", "ps_banner", "1.4.2", "banner-sources-dev/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module, wrapped twice",
        within("out/ps_banner", BANNER),
        seen("module", "ps_banner", "1.4.2", "out/ps_banner/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop payment module",
        within("shore_pay", {"shore_pay.php": "<?php\nclass Shore_Pay extends PaymentModule {}\n"}),
        seen("module", "shore_pay", None, "shore_pay/shore_pay.php", PS),
    ),
    Miniature(
        "PrestaShop module on classes of a library",
        within("shore_pay", {"shore_pay.php": "<?php\nclass Shore_Pay extends ShoreLib\\Module\n{}\n"}),
        seen("module", "shore_pay", None, "shore_pay/shore_pay.php", PS),
    ),
    Miniature(
        "PrestaShop module with modules inside its folders",
        within("ps_banner", BANNER, within("vendor/other", prestashop_module("other"))),
        seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module whose tests contain archives",
        within("ps_banner", BANNER, {"tests/other.zip": pack(prestashop_module("other"))}),
        seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module with a composer file of another name",
        within("ps_banner", BANNER, composer("prestashop-module", "shore/banner")),
        seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS),
    ),
    Miniature(
        "PrestaShop module with two classes, one called as the folder",
        within("tides", prestashop_module("tides", config=False), prestashop_module("tidesextra", config=False)),
        seen("module", "tides", "1.4.2", "tides/tides.php", PS),
        by_marker=False,
    ),
    Miniature(
        "PrestaShop modules side by side, none called as the folder",
        within("any", prestashop_module("tides", config=False), prestashop_module("moon", config=False)),
        "several files say what it is, and none has the name of its folder: any/moon.php, any/tides.php; "
        "name the folder as the right one",
    ),
    Miniature(
        "a PHP file called as its folder, and nothing that tells more",
        within("tides", {"tides.php": "<?php echo 1;", "a.php": "<?php"}),
        seen("module", "tides", None, "tides/tides.php", PS),
        by_marker=False,
    ),
)
OMEKA = (
    Miniature(
        "Omeka S theme, in its folder",
        within("shore", omeka_theme()),
        seen("theme", "shore", "1.2.3", "shore/config/theme.ini", OS),
        by_marker=False,
    ),
    Miniature(
        "Omeka S theme, in a version folder",
        within("shore-v1.2.3", omeka_theme()),
        seen("theme", "shore", "1.2.3", "shore-v1.2.3/config/theme.ini", OS),
        by_marker=False,
    ),
    Miniature(
        "Omeka S theme, flat, called as its file",
        omeka_theme(),
        seen("theme", "shore", "1.2.3", "config/theme.ini", OS),
        archive="shore-1.2.3.zip",
        by_marker=False,
    ),
    Miniature(
        "Omeka S module, in its folder",
        within("TideTables", omeka_module("TideTables")),
        seen("module", "TideTables", "3.4.5", "TideTables/config/module.ini", OS),
    ),
    Miniature(
        "Omeka S module, in a branch folder of another name",
        within("omeka-s-module-tides-master", omeka_module("TideTables")),
        seen("module", "TideTables", "3.4.5", "omeka-s-module-tides-master/config/module.ini", OS),
    ),
    Miniature(
        "Omeka S module, flat",
        omeka_module("TideTables"),
        seen("module", "TideTables", "3.4.5", "config/module.ini", OS),
    ),
    Miniature(
        "Omeka S module, BOM and CRLF",
        {
            **omeka_module("TideTables"),
            "config/module.ini": "\ufeff[info]\r\nname = Tides\r\nversion = 3.4.5 ; the last\r\n",
        },
        seen("module", "TideTables", "3.4.5", "config/module.ini", OS),
    ),
    *(
        Miniature(
            f"Omeka S module, {shape}",
            {
                **omeka_module("TideTables"),
                "Module.php": f"<?php {head}\nclass Module extends AbstractModule\n{{\n}}\n",
            },
            seen("module", name, "3.4.5", "config/module.ini", OS),
            archive="tides.zip",
            by_marker=False,
        )
        for shape, head, name in (
            ("namespace behind a declaration", "declare(strict_types=1); namespace TideTables;", "TideTables"),
            ("namespace with a block", "/* of the namespace in use */\nNamespace TideTables\\Main\n{", "TideTables"),
            ("namespace in comments only", "// namespace a;\n# namespace b;\n/*\nnamespace c;\n*/", "tides"),
            ("a word that is no declaration", "$a = 'the\nnamespace in use';", "tides"),
        )
    ),
    Miniature(
        "module.ini without Module.php",
        {"config/module.ini": "[info]\nname = x\n", "readme.txt": ""},
        seen("module", "tides", None, None, ""),
        archive="tides.zip",
        by_marker=False,
    ),
)
DRUPAL = (
    Miniature(
        "Drupal module, in its folder",
        within("token", drupal("token")),
        seen("module", "token", "8.x-1.9", "token/token.info.yml", D8),
    ),
    Miniature(
        "Drupal module, flat",
        drupal("token", version="2.0.1"),
        seen("module", "token", "2.0.1", "token.info.yml", D8),
    ),
    Miniature(
        "Drupal module, in a version folder",
        within("token-8.x-1.9", drupal("token")),
        seen("module", "token", "8.x-1.9", "token-8.x-1.9/token.info.yml", D8),
    ),
    Miniature(
        "Drupal theme in a folder of another name",
        within("emulsify-drupal", drupal("emulsify", "theme", "base theme: stable9\n")),
        seen("theme", "emulsify", "8.x-1.9", "emulsify-drupal/emulsify.info.yml", D8),
    ),
    Miniature(
        "Drupal module with submodules",
        within("shop", drupal("shop"), *(within(f"modules/{n}", drupal(n)) for n in ("cart", "tax", "checkout"))),
        seen("module", "shop", "8.x-1.9", "shop/shop.info.yml", D8),
    ),
    Miniature(
        "Drupal module with a theme for its tests",
        within("shop", drupal("shop"), within("tests/themes/look", drupal("look", "theme"))),
        seen("module", "shop", "8.x-1.9", "shop/shop.info.yml", D8),
    ),
    Miniature(
        "Drupal, several info files, one called as the folder",
        within("shop-2.x", drupal("shop"), drupal("shop_extra")),
        seen("module", "shop", "8.x-1.9", "shop-2.x/shop.info.yml", D8),
        by_marker=False,
    ),
    Miniature(
        "Drupal, a tests info file is left out",
        within("any", {"mail.info.yml": "name: Mail\ntype: module\n", "mail.tests.info.yml": "type: module\n"}),
        seen("module", "mail", None, "any/mail.info.yml", D8),
    ),
    Miniature(
        "Drupal, several info files, none called as the folder",
        within("any", {"a.info.yml": "type: module\n", "b.info.yml": "type: module\n"}),
        "several files say what it is, and none has the name of its folder: any/a.info.yml, any/b.info.yml; "
        "name the folder as the right one",
    ),
    Miniature(
        "Drupal, a version that stands for that of Drupal",
        {"tides.info.yml": "name: Tides\ntype: module\nversion: VERSION\n"},
        seen("module", "tides", None, "tides.info.yml", D8),
    ),
    Miniature(
        "Drupal module that also carries its Drupal 7 info file",
        within("token", drupal("token"), drupal_7("token")),
        seen("module", "token", "8.x-1.9", "token/token.info.yml", D8),
    ),
    Miniature(
        "a profile of Drupal is neither",
        within("standard", {"standard.info.yml": "name: Standard\ntype: profile\n"}),
        seen("profile", "standard", None, "standard/standard.info.yml", D8),
    ),
)
INFO = (
    Miniature(
        "Backdrop module",
        within("tides", backdrop("tides")),
        seen("module", "tides", "1.x-1.2.0", "tides/tides.info", BD),
    ),
    Miniature(
        "Backdrop theme",
        within("shore", backdrop("shore", "theme")),
        seen("theme", "shore", "1.x-1.2.0", "shore/shore.info", BD),
    ),
    Miniature(
        "Backdrop module, flat, quotes and CRLF",
        {"tides.info": "\ufeffname = 'Tides'\r\ntype = \"module\"\r\nversion = '1.2'\r\n", "tides.module": ""},
        seen("module", "tides", "1.2", "tides.info", BD),
    ),
    Miniature(
        "Backdrop module with forty submodules",
        within("shop", backdrop("shop"), *(within(f"modules/s{n}", backdrop(f"s{n}")) for n in range(40))),
        seen("module", "shop", "1.x-1.2.0", "shop/shop.info", BD),
    ),
    Miniature(
        "a layout of Backdrop is neither",
        within("grid", info("grid", "type = layout\nbackdrop = 1.x\n", module=False)),
        seen("layout", "grid", None, "grid/grid.info", BD),
    ),
    Miniature(
        "Drupal 7 module",
        within("views", drupal_7("views")),
        seen("module", "views", "7.x-2.0-beta4", "views/views.info", D7),
    ),
    Miniature(
        "Drupal 7 module in a folder of another name",
        within("mutual_credit-7.x-2.0", drupal_7("mcapi"), {"mcapi.tests.info": "name = Tests\n"}),
        seen("module", "mcapi", "7.x-2.0-beta4", "mutual_credit-7.x-2.0/mcapi.info", D7),
    ),
    Miniature(
        "Drupal 7 theme, its folder called as its template.php",
        within("template", drupal_7("template", module=False)),
        seen("theme", "template", "7.x-2.0-beta4", "template/template.info", D7),
        by_marker=False,
    ),
    Miniature(
        "Drupal 7 theme",
        within("zen", drupal_7("zen", module=False)),
        seen("theme", "zen", "7.x-2.0-beta4", "zen/zen.info", D7),
    ),
    Miniature(
        "Drupal 7, an info file beside the module of another",
        within("zen", info("other", "core = 7.x\n", module=False), {"inc/some.module": ""}),
        seen("module", "zen", None, None, ""),
        by_marker=False,
    ),
    *(
        Miniature(
            f"Drupal 7, an info file beside a {suffix} is no theme",
            within("tides", info("tides", "core = 7.x\n", module=False), {f"tides{suffix}": ""}),
            seen("module", "tides", None, None, ""),
            by_marker=False,
        )
        for suffix in (".engine", ".info.yml")
    ),
    Miniature(
        "Drupal 7, an info file beside a .profile is a profile",
        within("tides", info("tides", "core = 7.x\n", module=False), {"tides.profile": ""}),
        seen("profile", "tides", None, "tides/tides.info", D7),
    ),
    Miniature(
        "Drupal 8 module that kept its info file",
        within("tides", drupal("tides"), info("tides", "core = 7.x\n", module=False)),
        seen("module", "tides", "8.x-1.9", "tides/tides.info.yml", D8),
    ),
    *(
        Miniature(
            f"Backdrop, a version that stands for that of Backdrop: {version}",
            {"tides.info": f"name = Tides\ntype = module\nversion = {version}\n", "tides.module": ""},
            seen("module", "tides", None, "tides.info", BD),
        )
        for version in ("VERSION", "BACKDROP_VERSION")
    ),
    Miniature(
        "Drupal 7, a version that stands for that of Drupal",
        {"tides.info": "name = Tides\nversion = VERSION\n"},
        seen("theme", "tides", None, "tides.info", D7),
    ),
    Miniature(
        "Drupal 7, several info files, one called as the folder",
        within("shop", drupal_7("shop"), drupal_7("shop_ui")),
        seen("module", "shop", "7.x-2.0-beta4", "shop/shop.info", D7),
        by_marker=False,
    ),
    Miniature(
        "Drupal 7, several info files, none called as the folder",
        within("any", drupal_7("a"), drupal_7("b")),
        "several files say what it is, and none has the name of its folder: any/a.info, any/b.info; "
        "name the folder as the right one",
    ),
)
WORDPRESS = (
    Miniature(
        "WordPress theme",
        within("sea", wordpress_theme()),
        seen("theme", "sea", "1.8", "sea/style.css", WP),
        by_marker=False,
    ),
    *(
        Miniature(
            f"WordPress theme, its folder called {folder}, as one of its PHP files",
            within(folder, wordpress_theme(), {"page.php": "<?php", "single.php": "<?php"}),
            seen("theme", folder.removesuffix("-main"), "1.8", f"{folder}/style.css", WP),
            by_marker=False,
        )
        for folder in ("page", "single-main", "index")
    ),
    Miniature(
        "WordPress theme, flat, called as its file",
        wordpress_theme(),
        seen("theme", "sea", "1.8", "style.css", WP),
        archive="sea-1.8.zip",
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin",
        within("tide-tables", wordpress_plugin("tide-tables")),
        seen("module", "tide-tables", "5.3.1", "tide-tables/tide-tables.php", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin whose file has another name",
        within("tide-tables", wordpress_plugin("loader"), {"a.php": "<?php"}),
        seen("module", "tide-tables", "5.3.1", "tide-tables/loader.php", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin, its header in small letters",
        within("tide-tables", {"loader.php": "<?php\n/*\n * plugin name: Tide Tables\n * VERSION: 5.3.1\n */\n"}),
        seen("module", "tide-tables", "5.3.1", "tide-tables/loader.php", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin with a class that looks like that of PrestaShop",
        within(
            "tide-tables",
            {"tide.php": "<?php\n/* Plugin Name: Tides\nVersion: 3 */\nclass Tide extends BuilderModule {}\n"},
        ),
        seen("module", "tide-tables", "3", "tide-tables/tide.php", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin with another plugin in it",
        within("tide-tables", wordpress_plugin("tide-tables"), wordpress_plugin("addon", " * Version: 9\n")),
        seen("module", "tide-tables", "5.3.1", "tide-tables/tide-tables.php", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin with the header of a library's plugin",
        within("tide-tables", {"class-a.php": TIDY}, wordpress_plugin("loader")),
        seen("module", "tide-tables", "5.3.1", "tide-tables/loader.php", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress theme with the header of a library's plugin",
        within("sea", {"class-a.php": TIDY}, wordpress_theme()),
        seen("theme", "sea", "1.8", "sea/style.css", WP),
        by_marker=False,
    ),
    Miniature(
        "WordPress plugin among very many files",
        within("tide", {f"a{n}.php": "<?php" for n in range(70)}, wordpress_plugin("tide-main")),
        seen("module", "tide", "5.3.1", "tide/tide-main.php", WP),
        by_marker=False,
    ),
    Miniature(
        "a style sheet without a theme name",
        within("sea", {"style.css": "/* plain */"}),
        seen("module", "sea", None, None, ""),
        by_marker=False,
    ),
)
OTHERS = (
    Miniature("theme.json", {"theme.json": '{"name": "t", "version": 2}'}, seen("theme", "t", "2", "theme.json", "")),
    Miniature(
        "a theme of no system brings nothing along",
        {"theme.json": '{"name": "t"}', **within(f"{BROUGHT}/ps_banner", BANNER)},
        seen("theme", "t", None, "theme.json", ""),
    ),
    Miniature("theme.yml", {"x/theme.yml": "name: t\n"}, seen("theme", "t", None, "x/theme.yml", "")),
    Miniature("theme.toml", {"theme.toml": 'name = "t"\nversion = "1"'}, seen("theme", "t", "1", "theme.toml", "")),
    Miniature(
        "module.json, with a BOM",
        {"module.json": b'\xef\xbb\xbf{"name": "m"}'},
        seen("module", "m", None, "module.json", ""),
    ),
    Miniature("module.yml", {"module.yml": "name: m\nversion: 1.10\n"}, seen("module", "m", "1.10", "module.yml", "")),
    Miniature("module.toml", {"a/b/module.toml": 'name = "m"'}, seen("module", "m", None, "a/b/module.toml", "")),
    Miniature(
        "composer theme",
        within("x", composer("drupal-theme", "shore/sea_theme", ', "version": "1.2"')),
        seen("theme", "sea_theme", "1.2", "x/composer.json", D8),
    ),
    Miniature(
        "composer module with an install name",
        composer("omeka-s-module", "shore/tides", ', "extra": {"install-name": "TideTables"}'),
        seen("module", "TideTables", None, "composer.json", OS),
    ),
    Miniature(
        "composer plugin", composer("cms-plugin", "shore/tides"), seen("module", "tides", None, "composer.json", "")
    ),
    Miniature(
        "composer library",
        within("tides", composer("library", "shore/lib")),
        seen("other", "lib", None, "tides/composer.json", ""),
    ),
    Miniature(
        "markers of both kinds",
        within("x", {"theme.json": '{"name": "t"}', "module.json": '{"name": "m"}'}),
        "it is both a theme (x/theme.json) and a module (x/module.json); pack each by itself",
    ),
    Miniature(
        "a theme of one system and a module of another",
        {**HARBOUR, **drupal("token")},
        "it is both a theme (config/theme.yml) and a module (token.info.yml); pack each by itself",
    ),
    Miniature(
        "nothing that tells, a branch folder",
        within("tides-main", {"readme.txt": "", "lib/a.php": ""}),
        seen("module", "tides", None, None, ""),
        by_marker=False,
    ),
    Miniature(
        "nothing that tells, called a theme",
        {"readme.txt": "", "a/b": ""},
        seen("theme", "my-theme", None, None, ""),
        archive="my-theme (2).zip",
        by_marker=False,
    ),
)
SHAPES = (
    Miniature(
        "junk first",
        {"__MACOSX/._harbour": "", "__MACOSX/harbour/._x": "", ".DS_Store": "", **within("harbour", HARBOUR)},
        seen("theme", "harbour", "2.1.0", "harbour/config/theme.yml", PS),
    ),
    Miniature(
        "Windows separators",
        {f"ps_banner\\{name}".replace("/", "\\"): content for name, content in BANNER.items()},
        seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS),
    ),
    Miniature(
        "the marker is the last entry",
        within("token", {"css/z.css": "", "README.md": "", **drupal("token")}),
        seen("module", "token", "8.x-1.9", "token/token.info.yml", D8),
    ),
    Miniature("no files", {"__MACOSX/x": ""}, seen("module", "download", None, None, ""), by_marker=False),
    Miniature(
        "a name that leads away",
        {"theme.json": '{"name": "../sea"}'},
        "its name, `../sea`, is not safe as a folder name; let it have letters, digits, `_`, `-` and `.` alone",
    ),
    Miniature(
        "a device of Windows",
        {"theme.json": '{"name": "Con.a"}'},
        "its name, `Con.a`, is not safe as a folder name; let it have letters, digits, `_`, `-` and `.` alone",
    ),
    Miniature(
        "a trailing dot",
        {"theme.json": '{"name": "sea."}'},
        "its name, `sea.`, is not safe as a folder name; let it have letters, digits, `_`, `-` and `.` alone",
    ),
)
BUNDLES = (
    Miniature(
        "a repository of modules",
        within("modules-main", README, *(within(f"ps_{n}", prestashop_module(f"ps_{n}")) for n in "ab")),
        (
            Seen("module", "ps_a", "1.4.2", "modules-main/ps_a/ps_a.php", PS, "ps_a"),
            Seen("module", "ps_b", "1.4.2", "modules-main/ps_b/ps_b.php", PS, "ps_b"),
        ),
    ),
    Miniature(
        "a theme and a module side by side",
        {**within("sea", drupal("sea", "theme")), **within("tides", drupal("tides")), "README.md": ""},
        (
            Seen("theme", "sea", "8.x-1.9", "sea/sea.info.yml", D8, "sea"),
            Seen("module", "tides", "8.x-1.9", "tides/tides.info.yml", D8, "tides"),
        ),
    ),
    Miniature(
        "a module beside its documentation",
        {**within("ps_banner", BANNER), **PAPERS, "Read me first.txt": ""},
        (Seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS, "ps_banner"),),
    ),
    Miniature(
        "a marketplace package",
        within(
            "package",
            {
                "harbour.zip": pack(HARBOUR),
                "modules/ps_banner.zip": pack(within("ps_banner", BANNER)),
                "documentation.zip": pack(PAPERS),
                "licence.txt": "",
            },
        ),
        (
            Seen("module", "documentation", None, None, "", "documentation.zip"),
            Seen("theme", "harbour", "2.1.0", "config/theme.yml", PS, "harbour.zip"),
            Seen("module", "ps_banner", "1.4.2", "ps_banner/ps_banner.php", PS, "modules/ps_banner.zip"),
        ),
    ),
    Miniature(
        "a theme in a package brings modules along",
        {"t.zip": pack({**HARBOUR, **within(f"{BROUGHT}/ps_banner", BANNER)}), "readme.pdf": b"%PDF"},
        (
            Seen("theme", "harbour", "2.1.0", "config/theme.yml", PS, "t.zip"),
            Seen(
                "module",
                "ps_banner",
                "1.4.2",
                f"{BROUGHT}/ps_banner/ps_banner.php",
                PS,
                f"t.zip!{BROUGHT}/ps_banner",
            ),
        ),
    ),
    Miniature(
        "a theme in a folder of a package brings modules along, and no themes",
        {
            **within("harbour", HARBOUR, within(f"{BROUGHT}/ps_banner", BANNER)),
            **within(f"harbour/{BROUGHT}/child", prestashop_theme("child")),
            "readme.txt": "",
            **PAPERS,
        },
        (
            Seen("theme", "harbour", "2.1.0", "harbour/config/theme.yml", PS, "harbour"),
            Seen(
                "module",
                "ps_banner",
                "1.4.2",
                f"harbour/{BROUGHT}/ps_banner/ps_banner.php",
                PS,
                f"harbour!{BROUGHT}/ps_banner",
            ),
        ),
    ),
    Miniature(
        "folders and archives side by side",
        {
            **within("ps_a", prestashop_module("ps_a")),
            **within("ps_b", prestashop_module("ps_b")),
            "c.zip": pack(BANNER),
        },
        (
            Seen("module", "ps_a", "1.4.2", "ps_a/ps_a.php", PS, "ps_a"),
            Seen("module", "ps_b", "1.4.2", "ps_b/ps_b.php", PS, "ps_b"),
            Seen("module", "ps_banner", "1.4.2", "ps_banner.php", PS, "c.zip"),
        ),
    ),
    Miniature(
        "bundles in bundles",
        {
            "a.zip": pack(BANNER),
            "plugins.zip": pack({**within("x", drupal("x")), **within("y", drupal("y"))}),
            "more.zip": pack({"read.me": "", "in/the/deep.zip": pack(drupal("z"))}),
        },
        (
            Seen("module", "ps_banner", "1.4.2", "ps_banner.php", PS, "a.zip"),
            Seen("module", "z", "8.x-1.9", "z.info.yml", D8, "more.zip!in/the/deep.zip"),
            Seen("module", "x", "8.x-1.9", "x/x.info.yml", D8, "plugins.zip!x"),
            Seen("module", "y", "8.x-1.9", "y/y.info.yml", D8, "plugins.zip!y"),
        ),
    ),
    Miniature(
        "a bundle too deep in others",
        {"a.zip": pack({"b.zip": pack({"c.zip": pack({"d.zip": PACKED})})}), "m.zip": PACKED},
        (
            Seen("module", "c", None, None, "", "a.zip!b.zip!c.zip"),
            Seen("module", "ps_banner", "1.4.2", "ps_banner.php", PS, "m.zip"),
        ),
    ),
    Miniature(
        "a tree of a site",
        {
            **within("www/modules/ps_a", prestashop_module("ps_a")),
            **within("www/themes/harbour", HARBOUR),
            **within("www/modules/plain", {"plain.php": "<?php"}),
            "www/upload/a.png": b"",
        },
        (
            Seen("module", "ps_a", "1.4.2", "www/modules/ps_a/ps_a.php", PS, "modules/ps_a"),
            Seen("theme", "harbour", "2.1.0", "www/themes/harbour/config/theme.yml", PS, "themes/harbour"),
        ),
    ),
    Miniature(
        "a repository of modules, one with an archive in it",
        within(
            "repo-main",
            within("moda", drupal("moda"), {"sample.zip": pack(drupal("sample"))}),
            within("modb", drupal("modb")),
        ),
        (
            Seen("module", "moda", "8.x-1.9", "repo-main/moda/moda.info.yml", D8, "moda"),
            Seen("module", "modb", "8.x-1.9", "repo-main/modb/modb.info.yml", D8, "modb"),
        ),
    ),
    Miniature(
        "one component with an archive in it among other folders",
        within("tides", {"src/a.js": "", **within("sample", drupal("sample"), {"more.zip": pack(drupal("more"))})}),
        (Seen("module", "sample", "8.x-1.9", "tides/sample/sample.info.yml", D8, "sample"),),
    ),
    Miniature(
        "a package of one damaged archive",
        {"theme.zip": pack(HARBOUR)[:60], **PAPERS, "licence.txt": ""},
        "its end is missing, as when a download stops; download the archive again",
    ),
    Miniature(
        "a damaged archive among other files",
        {"data.zip": pack(HARBOUR)[:60], "a.js": ""},
        seen("module", "tides", None, None, ""),
        archive="tides.zip",
        by_marker=False,
    ),
    Miniature(
        "a bundle of nothing but a bundle",
        {"more.zip": pack({"deep.zip": pack(drupal("z"))}), "read me.txt": ""},
        (Seen("module", "z", "8.x-1.9", "z.info.yml", D8, "more.zip!deep.zip"),),
    ),
    Miniature(
        "archives that nothing is known of are files",
        within("tides", {"data/a.zip": pack({"a": ""}), "b.zip": pack({"b": ""}), "tides.txt": ""}),
        seen("module", "tides", None, None, ""),
        by_marker=False,
    ),
    Miniature(
        "an archive with a marker beside code is a file",
        {"main.php": "<?php", "sample.zip": PACKED},
        seen("module", "shopkit", None, None, ""),
        archive="shopkit.zip",
        by_marker=False,
    ),
    Miniature(
        "a repository of modules with the settings of tools",
        {
            **{".php-cs-fixer.php": "<?php", "index.php": "<?php", "README.md": ""},
            **within("one", prestashop_module("one", config=False)),
            **within("two", {"two.php": "<?php"}),
        },
        (
            Seen("module", "one", "1.4.2", "one/one.php", PS, "one"),
            Seen("module", "two", None, "two/two.php", PS, "two"),
        ),
    ),
    Miniature(
        "folders of code that happen to be called as their files",
        {"main.php": "", **within("admin", {"admin.php": ""}), **within("install", {"install.php": ""})},
        seen("module", "shopkit", None, None, ""),
        archive="shopkit.zip",
        by_marker=False,
    ),
    Miniature(
        "folders that happen to be called as their files, and nothing else that tells",
        within("lib-main", {"README.md": "", "lib/lib.php": "", "admin/admin.php": "", "assets/a.css": ""}),
        seen("module", "lib", None, None, ""),
        by_marker=False,
    ),
    Miniature(
        "one component among other folders",
        within("tides", {"src/a.js": "", **within("sample", drupal("sample")), **PAPERS}),
        (Seen("module", "sample", "8.x-1.9", "tides/sample/sample.info.yml", D8, "sample"),),
    ),
)
MINIATURES = (*PRESTASHOP, *OMEKA, *DRUPAL, *INFO, *WORDPRESS, *OTHERS, *SHAPES, *BUNDLES)
