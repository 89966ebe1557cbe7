"""Shapes: archives made after real ones, each with the rule of the system and the place in its code that says so.

Files and functions are those of WordPress 6, Drupal 7 and 10, Backdrop 1, PrestaShop 1.6 and 8, Omeka S 4, Omeka
Classic 3, Drush 8, Composer 2, composer/semver 3 and composer/installers 2. The files were looked up in the public
repository of their project, and most functions; those of the `.inc` and `.module` files of Drupal 7 and Backdrop, and
of what installs, loads or scans (`ArchiveDownloader`, `ThemeManager`, `ModuleCore`, `InfoParserDynamic`,
`ExtensionDiscovery`, `ModuleManagerFactory`), are as known.
"""

from typing import NamedTuple

from tests.support.miniatures import (
    HARBOUR,
    Files,
    backdrop,
    composer,
    drupal,
    drupal_7,
    omeka_module,
    omeka_theme,
    prestashop_module,
    prestashop_theme,
    within,
    wordpress_plugin,
    wordpress_theme,
)


class Shape(NamedTuple):
    """An archive, what its system does with such, and where its code says so."""

    shape: str
    law: str
    """The rule of the system."""
    where: str
    """The file and the function of the system."""
    archive: str
    files: Files
    seen: tuple[str, ...]
    """Of each component: kind, name, version and what the name comes from; then the codes of the warnings."""


_FOLDER = "a plugin goes by the folder that its file is in", "wp-admin/includes/plugin.php: get_plugins"
_SLUG = (
    "the folder in the archive becomes that of the plugin",
    "wp-admin/includes/class-wp-upgrader.php: WP_Upgrader::install_package",
)
_FLAT = (
    "without a folder in it, the name of the archive becomes the folder",
    "wp-admin/includes/class-wp-upgrader.php: WP_Upgrader::unpack_package",
)
_THEME = "a theme goes by its folder, which has a style.css", "wp-includes/theme.php: search_theme_directories"
_DOMAIN = (
    "a plugin without a text domain has the name of its folder as one",
    "wp-admin/includes/plugin.php: get_plugin_data",
)
_INSTALLER = (
    "the last part of the name of the package is the folder, unless `installer-name` gives another",
    "composer/installers src/Composer/Installers/BaseInstaller.php: BaseInstaller::getInstallPath",
)
_COMMIT = (
    "an archive of a commit has one folder: owner, repository and digits",
    "composer/composer src/Composer/Downloader/ArchiveDownloader.php: ArchiveDownloader::install",
)
_OMEKA_THEME = "a theme goes by its folder", "application/src/Service/ThemeManagerFactory.php: __invoke"
PLUGIN = wordpress_plugin("loader", " * Text Domain: tide-tables\n")
DIGITS = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"

NAMES = (
    Shape(
        "a plugin in its own folder",
        *_FOLDER,
        "x.zip",
        within("tides", PLUGIN),
        ("module tides 5.3.1 by tides/ (folder)",),
    ),
    Shape(
        "a plugin in a branch folder, its archive renamed",
        *_SLUG,
        "tides.zip",
        within("wp-tides-main", PLUGIN),
        ("module tides 5.3.1 by tides.zip (file name)",),
    ),
    Shape(
        "a plugin in the folder of a commit, its archive renamed, with a version",
        *_COMMIT,
        "tides-5.3.1.zip",
        within(f"shore-tides-{DIGITS[:7]}", PLUGIN),
        ("module tides 5.3.1 by tides-5.3.1.zip (file name)",),
    ),
    *(
        Shape(
            f"a plugin in a branch folder, downloaded as {archive}",
            *_DOMAIN,
            archive,
            within("wp-tides-main", PLUGIN),
            ("module tide-tables 5.3.1 by wp-tides-main/loader.php (Text Domain), guessed",),
        )
        for archive in (
            "wp-tides-main.zip",
            "archive.zip",
            "download (1).zip",
            "main.zip",
            "master.zip",
            "v5.3.1.zip",
            "12345.zip",
            f"{DIGITS}.zip",
        )
    ),
    *(
        Shape(
            f"a plugin in the folder {folder}",
            *_DOMAIN,
            "download.zip",
            within(folder, PLUGIN),
            (f"module tide-tables 5.3.1 by {folder}/loader.php (Text Domain), guessed",),
        )
        for folder in (
            *(f"tides-{branch}" for branch in ("main", "master", "trunk", "develop", "dev", "1.2.0", "v2.0")),
            *(f"shore-tides-{DIGITS[:length]}" for length in (7, 12, 40)),
        )
    ),
    Shape(
        "a plugin whose package has a name for the folder",
        *_INSTALLER,
        f"{DIGITS[:7]}.zip",
        within(
            f"shore-tides-{DIGITS[:7]}",
            PLUGIN,
            composer("wordpress-plugin", "shore/wp-tides", ', "extra": {"installer-name": "tides"}'),
        ),
        (f"module tides 5.3.1 by shore-tides-{DIGITS[:7]}/composer.json (extra.installer-name), guessed",),
    ),
    Shape(
        "a plugin whose package has a name",
        *_INSTALLER,
        "main.zip",
        within("tides-main", PLUGIN, composer("wordpress-plugin", "shore/wp-tides")),
        ("module tide-tables 5.3.1 by tides-main/loader.php (Text Domain), guessed",),
    ),
    Shape(
        "a plugin with a package of another system",
        *_DOMAIN,
        "main.zip",
        within("tides-main", PLUGIN, composer("library", "shore/lib")),
        ("module tide-tables 5.3.1 by tides-main/loader.php (Text Domain), guessed",),
    ),
    Shape(
        "a plugin without a text domain",
        *_FOLDER,
        "main.zip",
        within("wp-tides-main", wordpress_plugin("tide-tables")),
        ("module wp-tides 5.3.1 by wp-tides-main/ (folder), guessed",),
    ),
    Shape(
        "a plugin in `index.php`",
        *_FOLDER,
        "main.zip",
        within("wp-tides-main", wordpress_plugin("index")),
        ("module wp-tides 5.3.1 by wp-tides-main/ (folder), guessed",),
    ),
    Shape(
        "a plugin with a text domain that can be no folder",
        *_FOLDER,
        "main.zip",
        within("wp-tides-main", wordpress_plugin("tide-tables", " * Text Domain: ../tides\n")),
        ("module wp-tides 5.3.1 by wp-tides-main/ (folder), guessed",),
    ),
    Shape(
        "a plugin without a folder",
        *_FLAT,
        "tides.5.3.1.zip",
        PLUGIN,
        ("module tides 5.3.1 by tides.5.3.1.zip (file name)",),
    ),
    Shape(
        "a plugin without a folder, downloaded",
        *_FLAT,
        "download.zip",
        PLUGIN,
        ("module tide-tables 5.3.1 by loader.php (Text Domain), guessed",),
    ),
    Shape(
        "a plugin without a folder, called as its commit",
        *_COMMIT,
        f"shore-tides-{DIGITS[:7]}.zip",
        PLUGIN,
        ("module tide-tables 5.3.1 by loader.php (Text Domain), guessed",),
    ),
    Shape(
        "a theme in a branch folder",
        *_THEME,
        "main.zip",
        within("sea-theme-main", wordpress_theme(more="Text Domain: sea\n")),
        ("theme sea 1.8 by sea-theme-main/style.css (Text Domain), guessed",),
    ),
    Shape(
        "a child theme with the text domain of its parent, in a branch folder",
        "a theme that is its own parent is broken",
        "wp-includes/class-wp-theme.php: WP_Theme::__construct",
        "main.zip",
        within("sea-child-main", wordpress_theme(more="Template: sea\nText Domain: sea\n")),
        ("theme sea-child 1.8 by sea-child-main/ (folder), guessed, builds on sea",),
    ),
    Shape(
        "a theme in the folder of a commit, which says nothing more",
        *_THEME,
        "main.zip",
        within(f"shore-sea-{DIGITS[:7]}", wordpress_theme()),
        (f"theme shore-sea 1.8 by shore-sea-{DIGITS[:7]}/ (folder), guessed",),
    ),
    Shape(
        "a theme of WordPress as GitLab packs a branch",
        *_THEME,
        f"sea-main-{DIGITS}.zip",
        within(f"sea-main-{DIGITS}", wordpress_theme()),
        (f"theme sea 1.8 by sea-main-{DIGITS}/ (folder), guessed",),
    ),
    Shape(
        "a theme of WordPress in a folder whose name is not safe",
        *_THEME,
        "sea-theme.zip",
        within("Sea Theme", wordpress_theme()),
        ("theme sea-theme 1.8 by sea-theme.zip (file name)",),
    ),
    Shape(
        "a theme of WordPress in a folder and an archive whose names are not safe",
        *_THEME,
        "Sea Theme.zip",
        within("Sea Theme", wordpress_theme()),
        (
            "its name, `Sea Theme`, is not safe as a folder name; "
            "rename the archive, with letters, digits, `_`, `-` and `.` alone",
        ),
    ),
    Shape(
        "a theme of Omeka S in a branch folder, its archive renamed",
        *_OMEKA_THEME,
        "shore.zip",
        within("omeka-s-theme-shore-main", omeka_theme()),
        ("theme shore 1.2.3 by shore.zip (file name)",),
    ),
    Shape(
        "a theme of Omeka S whose package has a name for the folder",
        "`install-name` is the folder of a module or theme",
        "application/data/composer-addon-installer/src/AddonInstaller.php: AddonInstaller::getInstallName",
        "main.zip",
        within(
            "omeka-s-theme-shore-main",
            omeka_theme(),
            composer("omeka-s-theme", "crew/omeka-s-theme-shore", ', "extra": {"install-name": "shore"}'),
        ),
        ("theme shore 1.2.3 by omeka-s-theme-shore-main/composer.json (extra.install-name), guessed",),
    ),
    Shape(
        "a theme of Omeka S in a version folder",
        *_OMEKA_THEME,
        "download.zip",
        within("shore-v1.2.3", omeka_theme()),
        ("theme shore 1.2.3 by shore-v1.2.3/ (folder), guessed",),
    ),
    Shape(
        "a plugin in a bundle of folders does not go by the name of the bundle",
        *_FOLDER,
        "tides.zip",
        {**within("wp-tides-main", PLUGIN), **within("moon", wordpress_plugin("moon"))},
        (
            "module moon 5.3.1 by moon/ (folder)",
            "module tide-tables 5.3.1 by wp-tides-main/loader.php (Text Domain), guessed",
        ),
    ),
)
_PRESTASHOP_THEME = (
    "a theme goes by `name` in config/theme.yml, and its folder is called so",
    "src/Core/Addon/Theme/ThemeManager.php: ThemeManager::installFromZip",
)
_PRESTASHOP_MODULE = (
    "a module is a folder with a PHP file of its name, which has the class",
    "classes/module/Module.php: ModuleCore::coreLoadModule",
)
_PRESTASHOP_VERSION = (
    "the version is that of the object; config.xml is only written from it",
    "classes/module/Module.php: ModuleCore::getModulesOnDisk",
)
_INFO_YML = (
    "the stem of the .info.yml is the name, whatever the folder is called",
    "core/lib/Drupal/Core/Extension/ExtensionDiscovery.php: ExtensionDiscovery::scanDirectory",
)
_INFO = (
    "the stem of the file is the name, whatever the folder is called",
    "includes/common.inc: drupal_system_listing",
)
_BACKDROP = (
    "the stem of the .module is the name, and .info beside it describes it",
    "core/modules/system/system.module: _system_rebuild_module_data",
)
_OMEKA_MODULE = (
    "a module goes by its folder, which the namespace of Module.php has to be called as",
    "application/src/Service/ModuleManagerFactory.php: __invoke",
)
_CLASSIC_PLUGIN = (
    "a plugin goes by its folder, and <Folder>Plugin.php has its class",
    "application/libraries/Omeka/Plugin/Loader.php: Omeka_Plugin_Loader::getPluginClassFilePath",
)
_CLASSIC_INI = (
    "the section `info` of plugin.ini describes a plugin",
    "application/libraries/Omeka/Plugin/Ini.php: Omeka_Plugin_Ini::load",
)
_CLASSIC_THEME = (
    "a theme goes by its folder, and the section `theme` of theme.ini describes it",
    "application/models/Theme.php: Theme::setIni",
)
CLASSIC: Files = {
    "plugin.ini": '[info]\nname = "Tide Tables"\nversion = "2.1"\nrequired_plugins = "Moon,Sun"\n',
    "TideTablesPlugin.php": "<?php\nclass TideTablesPlugin extends Omeka_Plugin_AbstractPlugin {}\n",
    "views/admin/index.php": "<?php",
}
CLASSIC_THEME: Files = {
    "theme.ini": '[theme]\ntitle = "Shore"\nversion = "2.7.1"\n[config]\nversion.type = "text"\n',
    "index.php": "<?php echo head();",
    "common/header.php": "<html>",
}
CLASSED = (
    "<?php\nclass Tides extends Module\n{\n    public function __construct()\n    {\n        $this->name = 'tides';\n"
    "        $this->version = '2.0.1';\n        $this->dependencies = ['ps_moon', \"ps_sun\"];\n    }\n}\n"
)
OLD_XML = "<module><name>tides</name><version><![CDATA[1.9.0]]></version></module>"

MARKED = (
    Shape(
        "a theme of PrestaShop with the folders of its sources around",
        *_PRESTASHOP_THEME,
        "main.zip",
        within("theme-sources-main", HARBOUR),
        ("theme harbour 2.1.0",),
    ),
    Shape(
        "a child theme of PrestaShop, and what it enables",
        "`parent` is the theme that it builds on; the modules to enable are installed with it",
        "src/Core/Addon/Theme/ThemeManager.php: ThemeManager::enable",
        "x.zip",
        prestashop_theme("bay", parent="harbour", enabled=("ps_tides", "ps_moon")),
        ("theme bay 2.1.0, needs ps_tides ps_moon, builds on harbour",),
    ),
    Shape(
        "a module of PrestaShop in the folder of a commit",
        *_PRESTASHOP_MODULE,
        "main.zip",
        within(f"Shore-ps_tides-{DIGITS}", prestashop_module("ps_tides", config=False)),
        ("module ps_tides 1.4.2",),
    ),
    Shape(
        "a PHP file called as the repository in the folder of a commit",
        *_PRESTASHOP_MODULE,
        "main.zip",
        within(f"Shore-tides-{DIGITS}", {"tides.php": "<?php\n$this->version = '3.1';\n"}),
        ("module tides 3.1", "unrecognised-archive"),
    ),
    Shape(
        "a module of PrestaShop whose version is a number",
        *_PRESTASHOP_VERSION,
        "x.zip",
        within("tides", {"tides.php": CLASSED.replace("'2.0.1'", "1.10")}),
        ("module tides 1.1, needs ps_moon ps_sun",),
    ),
    Shape(
        "a module of PrestaShop in a folder of its repository, beside tests of it",
        *_PRESTASHOP_MODULE,
        "main.zip",
        within("shop-tides-main", {"tests/TidesTest.php": "<?php\n"}, within("tides", {"tides.php": CLASSED})),
        ("module tides 2.0.1, needs ps_moon ps_sun",),
    ),
    Shape(
        "a module of PrestaShop in the sources of its repository",
        *_PRESTASHOP_MODULE,
        "x.zip",
        within("shop-main", {"README.md": "", "Makefile": "", **within("src/ps_tides", prestashop_module("ps_tides"))}),
        ("module ps_tides 1.4.2",),
    ),
    Shape(
        "a theme of PrestaShop in a folder as it is in a shop, beside settings of tools",
        *_PRESTASHOP_THEME,
        "x.zip",
        within("shop-main", {"compose.yml": "", "docs/a.js": "", **within("themes/b", prestashop_theme("bay"))}),
        ("theme bay 2.1.0",),
    ),
    Shape(
        "a module of PrestaShop whose config.xml is behind",
        *_PRESTASHOP_VERSION,
        "x.zip",
        within("tides", {"tides.php": CLASSED, "config.xml": OLD_XML}),
        ("module tides 2.0.1, needs ps_moon ps_sun",),
    ),
    Shape(
        "a module of PrestaShop that has its version in config.xml alone",
        *_PRESTASHOP_VERSION,
        "x.zip",
        {"tides.php": "<?php\nclass Tides extends Module {}\n", "config.xml": OLD_XML},
        ("module tides 1.9.0",),
    ),
    Shape(
        "a module of PrestaShop that lists what it needs in the old way",
        "a module is not installed before those in $this->dependencies",
        "classes/module/Module.php: ModuleCore::install",
        "x.zip",
        within(
            "tides",
            {
                "tides.php": "<?php class Tides extends Module { function __construct() {\n"
                "// $this->dependencies = array('no');\n$this->dependencies = array('ps_moon', 'ps_sun' ,); } }"
            },
        ),
        ("module tides None, needs ps_moon ps_sun",),
    ),
    Shape(
        "a module of PrestaShop that computes what it needs",
        "a module is not installed before those in $this->dependencies",
        "classes/module/Module.php: ModuleCore::install",
        "x.zip",
        within("tides", {"tides.php": "<?php class Tides extends Module {} $this->dependencies = ['a', b()];"}),
        ("module tides None",),
    ),
    Shape(
        "a module of PrestaShop that needs none",
        "a module is not installed before those in $this->dependencies",
        "classes/module/Module.php: ModuleCore::install",
        "x.zip",
        within("tides", {"tides.php": "<?php class Tides extends Module {} $this->dependencies = [];"}),
        ("module tides None",),
    ),
    Shape(
        "a module of Omeka S in the folder of a commit, and what it needs",
        *_OMEKA_MODULE,
        "main.zip",
        within(
            f"Crew-Omeka-S-module-TideTables-{DIGITS[:7]}",
            omeka_module("TideTables"),
            {"config/module.ini": '[info]\nname = "Tides"\nversion = "3.4.5"\ndependencies = "Common, Log"\n'},
        ),
        ("module TideTables 3.4.5, needs Common Log",),
    ),
    Shape(
        "a plugin of Omeka Classic",
        *_CLASSIC_PLUGIN,
        "main.zip",
        within("plugin-TideTables-main", CLASSIC),
        ("module TideTables 2.1, needs Moon Sun",),
    ),
    Shape(
        "a plugin of Omeka Classic with another class beside",
        *_CLASSIC_PLUGIN,
        "main.zip",
        within("TideTables-2.1", CLASSIC, {"OtherPlugin.php": "<?php"}),
        ("module TideTables 2.1, needs Moon Sun",),
    ),
    Shape(
        "a plugin of Omeka Classic with two classes, and none called as its folder",
        *_CLASSIC_PLUGIN,
        "x.zip",
        within("Tides", CLASSIC, {"OtherPlugin.php": "<?php"}),
        ("module Tides 2.1 by Tides/ (folder), needs Moon Sun",),
    ),
    Shape(
        "a plugin of Omeka Classic that has plugin.php",
        *_CLASSIC_INI,
        "x.zip",
        within("Tides", {"plugin.ini": '[info]\nname = "Tides"\n', "plugin.php": "<?php"}),
        ("module Tides None by Tides/ (folder)",),
    ),
    Shape(
        "a theme of Omeka Classic in a branch folder",
        *_CLASSIC_THEME,
        "shore.zip",
        within("theme-shore-master", CLASSIC_THEME),
        ("theme shore 2.7.1 by shore.zip (file name)",),
    ),
    Shape(
        "a theme of Omeka Classic whose package has a name",
        *_INSTALLER,
        "master.zip",
        within("theme-shore-master", CLASSIC_THEME, composer("omeka-theme", "omeka/shore")),
        ("theme shore 2.7.1 by theme-shore-master/composer.json (package name), guessed",),
    ),
    Shape(
        "a plugin.ini that says nothing",
        *_CLASSIC_INI,
        "x.zip",
        within("Tides", {"plugin.ini": "[other]\nname = Tides\n", "a": ""}),
        ("module Tides None", "unrecognised-archive"),
    ),
    Shape(
        "a project of Drupal in the folder of a commit",
        *_INFO_YML,
        "main.zip",
        within(f"crew-drupal-tides-{DIGITS[:12]}", drupal("tides", version="2.0.1")),
        ("module tides 2.0.1",),
    ),
    Shape(
        "a project of Drupal with several info files, in the folder of a commit",
        *_INFO_YML,
        "main.zip",
        within(f"crew-shop-{DIGITS[:12]}", drupal("shop"), drupal("cart")),
        ("module shop 8.x-1.9",),
    ),
    Shape(
        "a checkout of a project of Drupal, packed with its version",
        "without what packaging adds, there is no version",
        "core/lib/Drupal/Core/Extension/InfoParserDynamic.php: InfoParserDynamic::parse",
        "tides-8.x-2.20.zip",
        within("tides", {"tides.info.yml": "name: Tides\ntype: module\n"}),
        ("module tides 8.x-2.20 (file name)",),
    ),
    Shape(
        "a snapshot of a branch of Drupal, packed with its branch",
        "without what packaging adds, there is no version",
        "core/lib/Drupal/Core/Extension/InfoParserDynamic.php: InfoParserDynamic::parse",
        "tides-8.x-1.x-dev.zip",
        within("tides", {"tides.info.yml": "name: Tides\ntype: module\nversion: VERSION\n"}),
        ("module tides 8.x-1.x-dev (file name)",),
    ),
    Shape(
        "a checkout of a branch of Drupal, downloaded",
        "a branch is called 8.x-1.x; of a version, it makes 8.x-1.x-dev",
        "composer/semver src/VersionParser.php: VersionParser::normalizeBranch",
        "tides-8.x-1.x.zip",
        within("tides-8.x-1.x", {"tides.info.yml": "name: Tides\ntype: module\n"}),
        ("module tides None",),
    ),
    Shape(
        "views of Drupal 7 in a branch folder of another name",
        *_INFO,
        "main.zip",
        within("views-for-the-sea", drupal_7("views"), drupal_7("views_ui")),
        ("module views 7.x-2.0-beta4",),
    ),
    Shape(
        "modules of Drupal 7 of which all need one",
        "a module is enabled after those in dependencies[]",
        "includes/module.inc: module_enable",
        "main.zip",
        within(
            "credit",
            drupal_7("mcapi"),
            drupal_7("tides", more="dependencies[] = mcapi\n"),
            drupal_7("moon", more="dependencies[] = mcapi (>=7.x-1.0)\n"),
        ),
        ("module mcapi 7.x-2.0-beta4",),
    ),
    Shape(
        "modules of Drupal 8 of which one needs another, and one does not",
        *_INFO_YML,
        "main.zip",
        within("all", drupal("a"), drupal("b", more="dependencies: [a:a]\n"), drupal("c")),
        (
            "several files say what it is, and none has the name of its folder: all/a.info.yml, all/b.info.yml, "
            "all/c.info.yml; name the folder as the right one",
        ),
    ),
    Shape(
        "a theme of Drupal that builds on another and needs a module",
        "`base theme` and `dependencies` are those of the theme",
        "core/lib/Drupal/Core/Extension/ThemeExtensionList.php: ThemeExtensionList::doList",
        "x.zip",
        within("sea", drupal("sea", "theme", "base theme: bootstrap5\ndependencies:\n  - tides:tides\n")),
        ("theme sea 8.x-1.9, needs tides, builds on bootstrap5",),
    ),
    Shape(
        "a module of Backdrop, and what it needs but for its tests",
        *_BACKDROP,
        "main.zip",
        within("tides-1.x-1.x", backdrop("tides", more="dependencies[] = moon\ntest_dependencies[] = sun\n")),
        ("module tides 1.x-1.2.0, needs moon",),
    ),
    Shape(
        "a module of Backdrop with the info file of its tests",
        *_BACKDROP,
        "main.zip",
        within("sea", backdrop("tides"), {"tides.tests.info": "name = Tests\ntype = module\n"}),
        ("module tides 1.x-1.2.0",),
    ),
    Shape(
        "a plugin of WordPress and the plugins that it needs",
        "`Requires Plugins:` has the slugs of the plugins that have to be active",
        "wp-includes/class-wp-plugin-dependencies.php: WP_Plugin_Dependencies::read_dependencies_from_plugin_headers",
        "x.zip",
        within("tides", wordpress_plugin("tides", " * Requires Plugins: moon, sun-rise\n")),
        ("module tides 5.3.1 by tides/ (folder), needs moon sun-rise",),
    ),
    Shape(
        "a child theme of WordPress",
        "`Template:` is the folder of the parent",
        "wp-includes/class-wp-theme.php: WP_Theme::__construct",
        "x.zip",
        within("sea-child", wordpress_theme(more="Template: sea\n")),
        ("theme sea-child 1.8 by sea-child/ (folder), builds on sea",),
    ),
    Shape(
        "a plugin whose header has no version",
        "a version is what the header says, or none",
        "wp-admin/includes/plugin.php: get_plugin_data",
        "tides-1.2.0.zip",
        within("tides", {"tides.php": "<?php /* Plugin Name: Tides */"}),
        ("module tides 1.2.0 (file name) by tides/ (folder)",),
    ),
    Shape(
        "nothing that tells, and a theme by the name of the file",
        "no system sees it",
        "wp-admin/includes/class-theme-upgrader.php: Theme_Upgrader::check_package",
        "sea-theme.zip",
        {"header.tpl": "", "b/c": ""},
        ("theme sea-theme None", "unrecognised-archive"),
    ),
    Shape(
        "nothing that tells, and a version in the name of the file",
        "no system sees it",
        "wp-admin/includes/class-plugin-upgrader.php: Plugin_Upgrader::check_package",
        "tides-v1.2.0.zip",
        {"a": "", "b/c": ""},
        ("module tides 1.2.0 (file name)", "unrecognised-archive"),
    ),
)

_PROFILE = "a profile is in `profiles/`, and installs a site", "core/includes/install.core.inc: install_select_profile"
_MUST_USE = "every PHP file right in mu-plugins is loaded", "wp-includes/load.php: wp_get_mu_plugins"
_DROP_IN = (
    "some files are looked for in wp-content alone",
    "wp-admin/includes/plugin.php: _get_dropins",
)
_NO_STYLE = "a theme is a folder with a style.css", "wp-includes/theme.php: search_theme_directories"
_NO_THEME_YML = (
    "a theme is a folder with a config/theme.yml",
    "src/Core/Addon/Theme/ThemeRepository.php: getThemesOnDisk",
)
_PACKAGE = (
    "the type says who installs a package, and where",
    "composer/installers src/Composer/Installers/Installer.php: supports",
)
_LOADER = "<?php\n/* Plugin Name: Loader */\nforeach (glob(WPMU_PLUGIN_DIR . '/*/*.php') as $file) { require $file; }\n"
_HEADED = "<?php /* Plugin Name: Tides */"

UNBUILT = (
    Shape(
        "a profile of Drupal 10",
        *_PROFILE,
        "x.zip",
        within("shore", {"shore.info.yml": "name: Shore\ntype: profile\nversion: 2.0.0\n", "shore.profile": ""}),
        ("profile shore 2.0.0", "not-built"),
    ),
    Shape(
        "a profile of Drupal 10 that brings its theme",
        *_PROFILE,
        "x.zip",
        within("shore", {"shore.info.yml": "type: profile\n"}, within("themes/sea", drupal("sea", "theme"))),
        ("profile shore None", "not-built"),
    ),
    Shape(
        "a profile of Drupal 7",
        "`<name>.profile` beside the info file makes a profile",
        "includes/install.core.inc: install_find_profiles",
        "x.zip",
        within("shore", {"shore.info": "name = Shore\ncore = 7.x\nversion = 7.x-1.0\n", "shore.profile": ""}),
        ("profile shore 7.x-1.0", "not-built"),
    ),
    Shape(
        "a profile of Backdrop",
        *_PROFILE,
        "x.zip",
        within("shore", {"shore.info": "name = Shore\ntype = profile\n", "shore.profile": ""}),
        ("profile shore None", "not-built"),
    ),
    Shape(
        "a layout of Backdrop",
        "a layout is in `layouts/`",
        "core/modules/layout/layout.module: layout_get_layout_template_info",
        "x.zip",
        within("grid", backdrop("grid", "layout")),
        ("layout grid 1.x-1.2.0", "not-built"),
    ),
    Shape(
        "a tool of Backdrop for the command line",
        "a module is a `<name>.module`",
        "core/includes/bootstrap.inc: backdrop_get_filename",
        "x.zip",
        within("bee", {"bee.info": "name = Bee\ntype = module\n", "bee.php": "<?php\n"}),
        ("other bee None", "not-built"),
    ),
    Shape(
        "several plugins side by side",
        *_MUST_USE,
        "x.zip",
        within("site-plugins", {"a.php": _HEADED, "b.php": _HEADED}),
        ("mu-plugin site-plugins None", "not-built"),
    ),
    Shape(
        "a folder mu-plugins in wp-content",
        *_MUST_USE,
        "x.zip",
        {"wp-content/mu-plugins/tides.php": "<?php\n", "wp-content/index.php": "<?php\n"},
        ("mu-plugin wp-content None by wp-content/ (folder)", "not-built"),
    ),
    Shape(
        "a loader of must-use plugins",
        *_MUST_USE,
        "x.zip",
        within("all", {"loader.php": _LOADER}),
        ("mu-plugin all None", "not-built"),
    ),
    Shape(
        "must-use plugins by their package",
        *_PACKAGE,
        "x.zip",
        within("tides", composer("wordpress-muplugin", "shore/tides"), {"tides.php": _HEADED}),
        ("mu-plugin tides None", "not-built"),
    ),
    Shape(
        "must-use plugins by their package, with their code in a folder",
        *_PACKAGE,
        "x.zip",
        within("tides", composer("wordpress-muplugin", "shore/tides"), {"src/tides.php": _HEADED}),
        ("mu-plugin tides None", "not-built"),
    ),
    Shape(
        "a plugin and a drop-in beside it",
        *_DROP_IN,
        "x.zip",
        within("tides", PLUGIN, {"object-cache.php": "<?php\n"}),
        ("module tides 5.3.1 by tides/ (folder)", "drop-ins"),
    ),
    Shape(
        "a drop-in by itself",
        *_DROP_IN,
        "x.zip",
        within("cache", {"object-cache.php": "<?php\n", "readme.txt": ""}),
        ("other cache None by cache/ (folder)", "not-built"),
    ),
    Shape(
        "a theme's sources for WordPress",
        *_NO_STYLE,
        "x.zip",
        within("sea", {"src/style.scss": "/* Theme Name: Sea */", "functions.php": "<?php\n"}),
        ("other sea None by sea/ (folder)", "not-built"),
    ),
    Shape(
        "style sheets without a header",
        *_NO_STYLE,
        "x.zip",
        within("sea", {"src/style.scss": "a {}", "functions.php": "<?php\n"}),
        ("module sea None", "unrecognised-archive"),
    ),
    Shape(
        "a theme's sources for PrestaShop",
        *_NO_THEME_YML,
        "x.zip",
        within("sea", {"templates/page.tpl": "", "assets/a.js": ""}),
        ("other sea None by sea/ (folder)", "not-built"),
    ),
    Shape(
        "a theme's export of PrestaShop 1.6",
        "an export has Config.xml, and is imported in the shop",
        "modules/themeinstallator/themeinstallator.php: ThemeInstallator",
        "x.zip",
        {"Config.xml": "<theme/>", "themes/sea/header.tpl": "", "modules/a/a.php": "<?php\n"},
        ("other sea None", "not-built"),
    ),
    Shape(
        "an export of two themes",
        "an export has Config.xml, and is imported in the shop",
        "modules/themeinstallator/themeinstallator.php: ThemeInstallator",
        "x.zip",
        {"Config.xml": "<theme/>", "themes/sea/header.tpl": "", "themes/mobile/header.tpl": ""},
        ("other x None by x.zip (file name)", "not-built"),
    ),
    *(
        Shape(
            f"a package of the type {said}",
            *_PACKAGE,
            "x.zip",
            within("tides", composer(said, "shore/tides"), {"src/a.txt": ""}),
            (f"{kind} tides None", "not-built"),
        )
        for said, kind in (
            ("composer-plugin", "other"),
            ("drupal-drush", "other"),
            ("phpstan-extension", "other"),
            ("symfony-bundle", "other"),
            ("project", "other"),
            ("library", "other"),
            ("drupal-profile", "profile"),
            ("wordpress-dropin", "other"),
            ("wordpress-theme", "other"),
            ("prestashop-theme", "other"),
        )
    ),
    Shape(
        "a package of WP-CLI, with a file called as its folder",
        *_PACKAGE,
        "x.zip",
        within("tides", {"composer.json": '{"name": "shore/tides", "type": "wp-cli-package"}', "tides.php": "<?php\n"}),
        ("other tides None", "not-built"),
    ),
    Shape(
        "commands of Drush",
        "a file called *.drush.inc has commands",
        "drush-ops/drush includes/command.inc: _drush_add_commandfiles",
        "x.zip",
        within("tides", {"tides.drush.inc": "<?php\n", "README.txt": ""}),
        ("other tides None by tides/ (folder)", "not-built"),
    ),
    Shape(
        "an engine of Drupal",
        "an extension has one of four types",
        "core/lib/Drupal/Core/Extension/ExtensionDiscovery.php: ExtensionDiscovery::scan",
        "x.zip",
        within("twiggy", {"twiggy.info.yml": "name: Twiggy\ntype: theme_engine\n"}),
        ("module twiggy None", "unrecognised-archive"),
    ),
    Shape(
        "a module that only its package tells",
        "a module is a folder with an info file",
        "core/lib/Drupal/Core/Extension/ExtensionDiscovery.php: ExtensionDiscovery::scan",
        "x.zip",
        within("tides", composer("drupal-module", "drupal/tides")),
        ("module tides None", "unrecognised-archive"),
    ),
)
SHAPES = (*NAMES, *MARKED, *UNBUILT)
