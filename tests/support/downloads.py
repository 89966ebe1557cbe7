"""Downloads: what people really drop, and what is built of it: releases, exports, backups, packages, repositories."""

from typing import NamedTuple

from tests.support.miniatures import (
    BANNER,
    HARBOUR,
    Files,
    drupal,
    omeka_theme,
    pack,
    within,
    wordpress_plugin,
    wordpress_theme,
)


class Download(NamedTuple):
    """What it is, what its file is called, what is in it, and what is said of it: what is built first."""

    what: str
    archive: str
    files: Files
    seen: tuple[str, ...]


def _not(name: str, what: str, kind: str = "other") -> tuple[str, ...]:
    return (f"skip {kind} {name}: {what}: neither theme nor module", "not-built")


TIDES = within("tide-tables", wordpress_plugin("tide-tables"))
WORDPRESS_CORE: Files = {
    "wp-load.php": "<?php",
    "wp-includes/version.php": "<?php\n$wp_version = '6.4.2';\n",
    "wp-content/plugins/hello.php": "<?php\n/* Plugin Name: Hello */",
    **within("wp-content/themes/twentysix", wordpress_theme()),
}
SHOP: Files = {
    "config/defines.inc.php": "<?php",
    "classes/Cart.php": "<?php",
    "index.php": "<?php",
    "app/AppKernel.php": "<?php class AppKernel { const VERSION = '8.1.3'; }",
    **within("modules/ps_banner", BANNER),
    **within("themes/harbour", HARBOUR),
}
WHOLE = (
    Download(
        "a release of WordPress",
        "wordpress-6.4.2.zip",
        within("wordpress", WORDPRESS_CORE),
        _not("wordpress", "the whole of WordPress 6.4.2"),
    ),
    Download(
        "a backup of a site with its database",
        "backup-2024.zip",
        {**within("home/public_html", WORDPRESS_CORE), "db.sql": "", "notes.txt": ""},
        _not("backup-2024", "the whole of WordPress 6.4.2"),
    ),
    Download(
        "a release of Drupal",
        "drupal-10.2.0.zip",
        within(
            "drupal-10.2.0",
            {"core/lib/Drupal.php": "<?php class Drupal { const VERSION = '10.2.0'; }", "index.php": ""},
        ),
        _not("drupal", "the whole of Drupal 10.2.0"),
    ),
    Download(
        "a release of Drupal 7",
        "drupal-7.98.zip",
        within(
            "drupal-7.98",
            {"includes/bootstrap.inc": "<?php\ndefine('VERSION', '7.98');", "index.php": ""},
            within("modules/node", {"node.info": "name = Node\n", "node.module": ""}),
        ),
        _not("drupal", "the whole of Drupal 7 7.98"),
    ),
    Download(
        "a release of Backdrop",
        "backdrop.zip",
        within("backdrop", {"core/includes/bootstrap.inc": "<?php\ndefine('BACKDROP_VERSION', '1.27.0');"}),
        _not("backdrop", "the whole of Backdrop 1.27.0"),
    ),
    Download(
        "a shop with a stray marker of a theme",
        "shop.zip",
        {**SHOP, "config/theme.yml": "name: classic\n"},
        _not("shop", "the whole of PrestaShop 8.1.3"),
    ),
    Download(
        "a release of PrestaShop, with an archive of itself",
        "prestashop-8.1.3.zip",
        {"prestashop.zip": pack(SHOP), "Install_PrestaShop.html": "", "index.php": ""},
        _not("prestashop", "the whole of PrestaShop 8.1.3"),
    ),
    Download(
        "a release of Omeka S",
        "omeka-s-4.0.4.zip",
        within(
            "omeka-s",
            {
                "application/Module.php": "<?php class Module { const VERSION = '4.0.4'; }",
                **within("themes/shore", omeka_theme()),
            },
        ),
        _not("omeka-s", "the whole of Omeka S 4.0.4"),
    ),
    Download(
        "a backup of Omeka Classic with its database",
        "omeka.zip",
        {
            **within("site", {"bootstrap.php": "<?php\ndefine('OMEKA_VERSION', '3.1.2');"}),
            "site/application/libraries/Omeka/Record.php": "<?php",
            "db.sql": "",
        },
        _not("omeka", "the whole of Omeka Classic 3.1.2"),
    ),
    Download(
        "a site packed by Duplicator",
        "20240101_site_archive.zip",
        {"installer.php": "<?php", "dup-installer/main.php": "<?php", "wp-content/x.php": "<?php"},
        _not("20240101_site_archive", "the whole of a site by Duplicator"),
    ),
)
FOREIGN = (
    Download(
        "a template of Joomla",
        "tpl.zip",
        {"templateDetails.xml": "<extension type='template'>", "index.php": "<?php", "error.php": "<?php"},
        _not("tpl", "an extension of Joomla"),
    ),
    Download(
        "a module of Joomla",
        "mod_tides.zip",
        within(
            "mod_tides",
            {
                "mod_tides.xml": '<?xml version="1.0"?>\n<extension type="module" client="site">',
                "mod_tides.php": "<?php",
            },
        ),
        _not("mod_tides", "an extension of Joomla"),
    ),
    Download(
        "a package of Joomla",
        "pkg_sea.zip",
        {"pkg_sea.xml": '<extension version="4" type="package">', "packages/com_sea.zip": pack({"sea.xml": ""})},
        _not("pkg_sea", "an extension of Joomla"),
    ),
    Download(
        "a module of Magento",
        "magento2-tides-main.zip",
        within(
            "magento2-tides-main",
            {
                "registration.php": "<?php use Magento\\Framework\\Component\\ComponentRegistrar;",
                "etc/module.xml": "",
                "composer.json": '{"name": "sea/module-tides", "type": "magento2-module"}',
            },
        ),
        _not("magento2-tides", "an extension of Magento"),
    ),
    Download(
        "files for Magento",
        "sea.zip",
        {"app/code/Sea/Tides/etc/config.xml": "", "app/code/Sea/Tides/Block.php": "<?php"},
        _not("sea", "an extension of Magento"),
    ),
    Download(
        "an extension of OpenCart",
        "tides.ocmod.zip",
        {"install.xml": "<?xml?>\n<modification><name>Tides</name>", "upload/admin/controller/x.php": "<?php"},
        _not("tides.ocmod", "an extension of OpenCart"),
    ),
    Download(
        "files for OpenCart",
        "pay.zip",
        {"upload/catalog/controller/pay.php": "<?php", "readme.txt": ""},
        _not("pay", "an extension of OpenCart"),
    ),
    Download(
        "an extension of TYPO3",
        "sea_news.zip",
        {"ext_emconf.php": "<?php $EM_CONF = [];", "Classes/A.php": "<?php"},
        _not("sea_news", "an extension of TYPO3"),
    ),
    Download(
        "a plugin of Moodle",
        "mod_sea.zip",
        within("sea", {"version.php": "<?php $plugin->component = 'mod_sea';", "lib.php": "<?php"}),
        _not("sea", "an extension of Moodle"),
    ),
    Download(
        "a theme of Shopify",
        "dawn-main.zip",
        within("dawn-main", {"layout/theme.liquid": "", "config/settings_schema.json": "[]"}),
        _not("dawn", "an extension of Shopify"),
    ),
    Download(
        "a plugin of Shopware",
        "SeaTides.zip",
        within(
            "SeaTides",
            {"composer.json": '{"name": "sea/tides", "type": "shopware-platform-plugin"}', "src/SeaTides.php": "<?php"},
        ),
        _not("SeaTides", "an extension of Shopware"),
    ),
)
DATA = (
    Download(
        "a dump of a database",
        "shop_db_2024.zip",
        {"shop_db_2024.sql": "CREATE TABLE x;"},
        _not("shop_db_2024", "a dump of a database"),
    ),
    Download(
        "a packed dump in a folder",
        "db.zip",
        {"db/shop.sql.gz": b"\x1f\x8b", "db/README": ""},
        _not("db", "a dump of a database"),
    ),
    Download(
        "fonts, with a page that shows them",
        "lora.zip",
        {"Lora-Regular.ttf": b"", "web/lora.woff2": b"", "OFL.txt": "", "demo.css": "", "demo.html": ""},
        _not("lora", "fonts"),
    ),
    Download("invoices", "invoices.zip", {"2024/01.pdf": b"%PDF", "2024/02.PDF": b"%PDF"}, _not("2024", "documents")),
    Download(
        "translations",
        "sea-de_DE.zip",
        {"sea-de_DE.po": "", "sea-de_DE.mo": b"", "sea-de_DE.l10n.php": "<?php"},
        _not("sea-de_DE", "translations"),
    ),
    Download(
        "demo content",
        "demo-content.zip",
        {"content.xml": "<rss>", "widgets.wie": "{}", "preview.jpg": b""},
        _not("demo-content", "exported data"),
    ),
    Download(
        "pictures",
        "photos.zip",
        {"photos/a.JPG": b"", "photos/b.webp": b"", "photos/.gitkeep": ""},
        _not("photos", "images"),
    ),
    Download(
        "uploads of a site",
        "uploads.zip",
        {"uploads/2024/01/a.jpg": b"", "uploads/2024/index.php": "<?php // guard", "uploads/.htaccess": ""},
        _not("uploads", "images"),
    ),
    Download(
        "a template of HTML",
        "landing-theme.zip",
        within("landing", {"index.html": "<html>", "css/a.css": "", "js/a.js": "", "img/a.png": b""}),
        _not("landing", "pages of HTML"),
    ),
    Download(
        "products to import",
        "products.zip",
        {"products.csv": "id;name", "images/1.png": b""},
        _not("products", "exported data"),
    ),
    Download("films", "clips.zip", {"a.mp4": b"", "b.webm": b""}, _not("clips", "recordings")),
    Download("licence texts", "terms.zip", {"terms.txt": "", "LICENSE": ""}, _not("terms", "texts")),
    Download(
        "exported settings of Drupal",
        "config-sync.zip",
        {"system.site.yml": "name: Sea", "core.extension.yml": "module: {}"},
        _not("config-sync", "exported data"),
    ),
)
KNOWN = (
    Download(
        "a profile of Drupal",
        "standard.zip",
        within("standard", {"standard.info.yml": "name: S\ntype: profile\n"}),
        _not("standard", "an installation profile", "profile"),
    ),
    Download(
        "a layout of Backdrop",
        "grid.zip",
        within("grid", {"grid.info": "name = Grid\ntype = layout\n"}),
        _not("grid", "a layout", "layout"),
    ),
    Download(
        "must-use plugins",
        "mu-plugins.zip",
        {"mu-plugins/a.php": "<?php\n/* Plugin Name: A */", "mu-plugins/b.php": "<?php\n/* Plugin Name: B */"},
        _not("mu-plugins", "a set of must-use plugins", "mu-plugin"),
    ),
    Download("a drop-in", "redis.zip", {"object-cache.php": "<?php"}, _not("redis", "a drop-in of WordPress")),
    Download(
        "an export of a shop's theme",
        "sea-export.zip",
        {"Config.xml": "<theme>", "themes/sea/index.tpl": "", "themes/sea/a.php": "<?php"},
        _not("sea", "a theme of PrestaShop 1.6 or thirty bees"),
    ),
    Download(
        "a plugin of Composer",
        "cp.zip",
        {"composer.json": '{"name": "sea/cp", "type": "composer-plugin"}', "src/A.php": "<?php"},
        _not("cp", "a Composer package of no known system"),
    ),
    Download(
        "a library",
        "lib-main.zip",
        within("lib-main", {"composer.json": '{"name": "sea/lib", "type": "library"}', "src/A.php": "<?php"}),
        _not("lib", "a Composer package of no known system"),
    ),
    Download(
        "commands for Drupal Console",
        "cc.zip",
        {"composer.json": '{"name": "sea/cc", "type": "drupal-console-library"}', "src/A.php": "<?php"},
        _not("cc", "a Composer package of no known system"),
    ),
    Download(
        "rules for Rector",
        "rr.zip",
        {"composer.json": '{"name": "sea/rr", "type": "rector-extension"}', "src/A.php": "<?php"},
        _not("rr", "a Composer package of no known system"),
    ),
    Download(
        "commands for Drush",
        "sea_drush.zip",
        within("sea_drush", {"sea.drush.inc": "<?php"}),
        _not("sea_drush", "a command-line tool without a `.module`"),
    ),
    Download(
        "the sources of a theme of WordPress",
        "sea-src.zip",
        within("sea-src", {"assets/scss/style.scss": "/* Theme Name: Sea */", "package.json": "{}", "gulpfile.js": ""}),
        _not("sea-src", "a theme's sources, with no `style.css` at its root"),
    ),
    Download(
        "the sources of a theme of PrestaShop",
        "harbour-sources.zip",
        within("harbour", {"templates/page.tpl": "", "_dev/a.js": "", "package.json": "{}"}),
        _not("harbour", "a theme's sources, with no `config/theme.yml`"),
    ),
)
BUILT = (
    Download("a plugin of WordPress", "tide-tables.5.3.1.zip", TIDES, ("use module tide-tables 5.3.1",)),
    Download(
        "a plugin with a drop-in beside it",
        "cache.zip",
        within("cache", wordpress_plugin("cache"), {"object-cache.php": "<?php"}),
        ("use module cache 5.3.1", "drop-ins"),
    ),
    Download(
        "PHP of a system that is not known",
        "framework.zip",
        within("framework", {"Kernel.php": "<?php", "a.html": ""}),
        ("use module framework None", "unrecognised-archive"),
    ),
    Download(
        "scripts and styles without a page",
        "widget.zip",
        {"widget.js": "", "widget.css": ""},
        ("use module widget None", "unrecognised-archive"),
    ),
    Download(
        "a theme of WordPress with its templates in a folder, as Sage has it",
        "sea-theme-main.zip",
        within(
            "sea-theme-main",
            within("resources", wordpress_theme(), {"index.php": "<?php"}),
            {"app/setup.php": "<?php", "composer.json": '{"name": "acme/sea", "type": "wordpress-theme"}'},
        ),
        ("use theme sea 1.8", "guessed-name"),
    ),
    Download(
        "a theme of a system that is not known",
        "my-theme.zip",
        {"layout.twig": "", "a.css": ""},
        ("use theme my-theme None", "unrecognised-archive"),
    ),
    Download(
        "a theme whose marker is broken",
        "sea.zip",
        {"theme.json": "{", "a.png": b""},
        ("use module sea None", "unrecognised-archive"),
    ),
)
REPOSITORIES = (
    Download(
        "modules and a theme laid over a site",
        "overlay.zip",
        {**within("modules/ps_banner", BANNER), **within("themes/harbour", HARBOUR)},
        ("use theme harbour 2.1.0 of themes/harbour", "use module ps_banner 1.4.2 of modules/ps_banner"),
    ),
    Download(
        "the plugins of a site",
        "wp-content.zip",
        {
            **within("wp-content", within("plugins", TIDES), within("themes/sea", wordpress_theme())),
            "wp-content/uploads/a.jpg": b"",
            "wp-content/cache/x.php": "<?php",
        },
        (
            "use theme sea 1.8 of themes/sea",
            "use module tide-tables 5.3.1 of plugins/tide-tables",
            "left-alone",
        ),
    ),
    Download(
        "a site of Drupal by Composer",
        "web.zip",
        within(
            "web",
            within("modules/contrib/token", drupal("token")),
            within("modules/custom/sea", drupal("sea")),
            {"sites/default/settings.php": "<?php"},
        ),
        (
            "use module token 8.x-1.9 of modules/contrib/token",
            "use module sea 8.x-1.9 of modules/custom/sea",
            "left-alone",
        ),
    ),
    Download(
        "a theme as a folder beside archives of modules",
        "bundle.zip",
        {**within("harbour", HARBOUR), "modules/ps_banner.zip": pack(within("ps_banner", BANNER)), "readme.txt": ""},
        ("use theme harbour 2.1.0 of harbour", "use module ps_banner 1.4.2 of modules/ps_banner.zip"),
    ),
    Download(
        "a package with its plugin some folders down",
        "market.zip",
        {"Plugin/Install/tide-tables.zip": pack(TIDES), **within("Documentation", {"index.html": "", "a.js": ""})},
        ("use module tide-tables 5.3.1 of Plugin/Install/tide-tables.zip",),
    ),
    Download(
        "a package in a package",
        "all.zip",
        {"harbour.zip": pack({"theme.zip": pack(HARBOUR), "modules/ps_banner.zip": pack(BANNER)}), "licence.txt": ""},
        (
            "use theme harbour 2.1.0 of harbour.zip!theme.zip",
            "use module ps_banner 1.4.2 of harbour.zip!modules/ps_banner.zip",
        ),
    ),
    Download(
        "a plugin among folders of its development",
        "sea-main.zip",
        within(
            "sea-main",
            TIDES,
            {
                "composer.json": '{"name": "sea/tides", "type": "wordpress-plugin"}',
                "scripts/build.php": "<?php",
                "docker/a.php": "<?php",
                "rector.php": "<?php",
                "tests/a.php": "<?php",
                "package.json": "{}",
            },
        ),
        ("use module tide-tables 5.3.1 of tide-tables",),
    ),
    Download(
        "a module beside code of another folder",
        "mixed.zip",
        {**within("ps_banner", BANNER), "lib/a.php": "<?php", "README.md": ""},
        ("use module mixed None", "unrecognised-archive"),
    ),
    Download(
        "a module beside a site for trying it, with modules of its own",
        "sea-main.zip",
        within(
            "sea-main",
            within("sea", drupal("sea"), within("modules/bay", drupal("bay"))),
            {"demo/docroot/index.php": "<?php", "demo/docroot/autoload.php": "<?php", "packages/a/a.js": ""},
        ),
        ("use module sea 8.x-1.9 of sea", "left-alone"),
    ),
    Download(
        "a module with modules of its own, beside code",
        "mixed-main.zip",
        within(
            "mixed-main",
            within("sea", drupal("sea"), within("modules/bay", drupal("bay"))),
            {"lib/a.php": "<?php"},
        ),
        ("use module mixed None", "unrecognised-archive"),
    ),
    Download(
        "a module in a folder of the sources, beside those of development",
        "sdk-main.zip",
        within("sdk-main", within("src/ps_banner", BANNER), {"utils/a.php": "<?php", "index.php": "<?php"}),
        ("use module ps_banner 1.4.2 of src/ps_banner",),
    ),
    Download(
        "two modules, one called as a folder of development",
        "two.zip",
        {**within("tools", drupal("tools")), **within("sea", drupal("sea")), **within("bay", drupal("bay"))},
        ("use module tools 8.x-1.9 of tools", "use module sea 8.x-1.9 of sea", "use module bay 8.x-1.9 of bay"),
    ),
    Download(
        "an application with a sample archive in its code",
        "app.zip",
        {"lib/a.php": "<?php", "lib/samples/ps_banner.zip": pack(BANNER)},
        ("use module lib None", "unrecognised-archive"),
    ),
)


def _plugin(folder: str, main: str, domain: str = "", **more: str) -> Files:
    text = f" * Text Domain: {domain}\n" if domain else ""
    return within(
        folder, {**wordpress_plugin(main, text), **{name.replace("_", "."): text for name, text in more.items()}}
    )


def _named(name: str, *more: str, kind: str = "module", version: str = "5.3.1") -> tuple[str, ...]:
    return (f"use {kind} {name} {version}", *more)


TYPED = '{"name": "sea/tide-pack", "type": "wordpress-plugin"}'
NAMES = (
    Download(
        "a branch, renamed to drop it", "sea-kit.zip", _plugin("sea-kit-main", "sea-kit", "kit"), _named("sea-kit")
    ),
    Download(
        "a branch, as downloaded",
        "sea-kit-main.zip",
        _plugin("sea-kit-main", "sea-kit", "kit"),
        _named("kit", "guessed-name"),
    ),
    Download(
        "a branch of a name that its text domain gives",
        "sea-kit-feature-x.zip",
        _plugin("sea-kit-feature-x", "sea-kit", "sea-kit"),
        _named("sea-kit", "guessed-name"),
    ),
    Download(
        "a plugin for another, with its text domain",
        "sea-kit-pro.zip",
        _plugin("sea-kit-pro", "init", "sea-kit"),
        _named("sea-kit-pro"),
    ),
    Download(
        "a plugin that has the name of its file",
        "sea-kit-maps.zip",
        _plugin("sea-kit-maps", "sea-kit-maps", "sea-kit"),
        _named("sea-kit-maps"),
    ),
    Download(
        "a commit with its owner, and a package",
        "acme-sea-kit-0a1b2c3.zip",
        _plugin("acme-sea-kit-0a1b2c3", "load", package_json='{"name": "sea-kit"}'),
        _named("sea-kit", "guessed-name"),
    ),
    Download(
        "a commit with its owner, and its file",
        "acme-sea-kit-0a1b2c3d.zip",
        _plugin("acme-sea-kit-0a1b2c3d", "sea-kit"),
        _named("sea-kit", "guessed-name"),
    ),
    Download(
        "a package of the system, after a text domain",
        "repo-master.zip",
        _plugin("repo-master", "plugin", "tide-tables", composer_json=TYPED),
        _named("tide-tables", "guessed-name"),
    ),
    Download(
        "a package of the system, without one",
        "repo-develop.zip",
        _plugin("repo-develop", "plugin", composer_json=TYPED),
        _named("tide-pack", "guessed-name"),
    ),
    Download(
        "a folder called as any plugin",
        "wordpress-plugin-main.zip",
        _plugin("wordpress-plugin-main", "tide-tables"),
        _named("tide-tables", "guessed-name"),
    ),
    Download(
        "a folder called as any plugin, and a file as any",
        "wordpress-plugin-trunk.zip",
        _plugin("wordpress-plugin-trunk", "load"),
        _named("wordpress-plugin", "guessed-name"),
    ),
    Download(
        "a folder called as any plugin, and a package as any",
        "wordpress-plugin-dev.zip",
        _plugin("wordpress-plugin-dev", "tide-tables", package_json='{"name": "wordpress-plugin"}'),
        _named("tide-tables", "guessed-name"),
    ),
    Download(
        "a branch whose archive has the name of a version",
        "v1.2.0.zip",
        _plugin("tides-1.2.0", "load"),
        _named("tides", "guessed-name"),
    ),
    Download(
        "a copy of a download", "tides-main (2).zip", _plugin("tides-main", "load"), _named("tides", "guessed-name")
    ),
    Download(
        "a plugin in the folder of its sources",
        "tides-development.zip",
        {**_plugin("tides-development/src", "load"), "tides-development/package.json": "{}"},
        ("use module tides 5.3.1 of src", "guessed-name"),
    ),
    Download(
        "a theme of Omeka S, by its repository",
        "omeka-s-theme-shore-main.zip",
        within("omeka-s-theme-shore-main", omeka_theme()),
        _named("shore", "guessed-name", kind="theme", version="1.2.3"),
    ),
    Download(
        "a plugin of Omeka Classic, by its classes",
        "plugin-tide-master.zip",
        within(
            "plugin-tide-master",
            {
                "plugin.ini": "[info]\nname = Tides\nversion = 2",
                "plugin.php": "<?php",
                "controllers/IndexController.php": "<?php class TideTables_IndexController extends X {}",
            },
        ),
        _named("TideTables", "guessed-name", version="2"),
    ),
)
_OLD: Files = {"index.tpl": "", "header.tpl": "", "css/a.css": ""}
_CLASS = "<?php class Foo extends Module { function __construct() { $this->version = '2.0'; } }"
_OLD_THEME = "a theme of PrestaShop 1.6 or thirty bees"
_PACKAGE = '{"name": "shore/kit", "type": "%s"}'
LAYOUTS = (
    Download(
        "a package of a plugin around two plugins",
        "kit-main.zip",
        {
            "kit-main/composer.json": _PACKAGE % "wordpress-plugin",
            "kit-main/bin/x.php": "<?php",
            **within("kit-main/plugins/a", wordpress_plugin("a")),
            **within("kit-main/plugins/b", wordpress_plugin("b")),
        },
        ("use module b 5.3.1 of plugins/b", "use module a 5.3.1 of plugins/a"),
    ),
    Download(
        "a package of a module around one module and its library",
        "kit-main.zip",
        {
            "kit-main/composer.json": _PACKAGE % "drupal-module",
            "kit-main/lib/x.php": "<?php",
            **within("kit-main/src/a", drupal("a")),
        },
        ("use module a 8.x-1.9 of src/a", "left-alone"),
    ),
    Download(
        "a package of a theme's sources, with the theme in a folder",
        "kit-main.zip",
        {
            "kit-main/composer.json": _PACKAGE % "prestashop-theme",
            "kit-main/_dev/a.js": "",
            **within("kit-main/theme", HARBOUR),
        },
        ("use theme harbour 2.1.0 of theme", "left-alone"),
    ),
    Download(
        "a package of a plugin with its own code, and examples",
        "kit-main.zip",
        {
            "kit-main/composer.json": _PACKAGE % "wordpress-plugin",
            "kit-main/kit.php": "<?php",
            **within("kit-main/demo", wordpress_plugin("demo")),
        },
        ("use module kit None", "unrecognised-archive"),
    ),
    Download(
        "editions of one module",
        "kit-main.zip",
        {
            "kit-main/composer.json": _PACKAGE % "prestashop-module",
            "kit-main/core/A.php": "<?php",
            "kit-main/ps8/foo.php": _CLASS,
            "kit-main/ps9/foo.php": _CLASS.replace("2.0", "2.1"),
        },
        (
            "use module foo 2.1 of ps9",
            "skip module foo of ps8: kit-main.zip!ps9 has a higher version",
            "left-alone",
            "duplicate-archive",
        ),
    ),
    Download(
        "a module two folders down, beside what is no code",
        "kit-main.zip",
        {"kit-main/README.md": "", "kit-main/package-ready/.gitkeep": "", "kit-main/src/foo/foo.php": _CLASS},
        ("use module foo 2.0 of src/foo", "left-alone"),
    ),
    Download(
        "a package whose folders are spelled otherwise",
        "package.zip",
        {
            **within("Theme/leo", HARBOUR),
            **within("Modules/a", drupal("a")),
            **within("MODULES/more/deep", drupal("deep")),
            "Documentation/x.html": "",
        },
        (
            "use theme harbour 2.1.0 of Theme/leo",
            "use module deep 8.x-1.9 of MODULES/more/deep",
            "use module a 8.x-1.9 of Modules/a",
        ),
    ),
    Download(
        "a theme of thirty bees",
        "niara.zip",
        within("niara", _OLD, {"config.xml": '<?xml version="1.0"?>\n<theme version="1.5" name="Niara"/>'}),
        _not("niara", _OLD_THEME),
    ),
    Download("a theme of PrestaShop 1.6, flat", "shore.zip", _OLD, _not("shore", _OLD_THEME)),
    Download(
        "a theme of PrestaShop 1.6 with its modules",
        "shore.zip",
        {
            "Config.xml": "",
            **within("themes/shore", _OLD),
            **within("modules/a", {"a.php": _CLASS.replace("Foo", "A")}),
        },
        (
            "use module a 2.0 of modules/a",
            f"skip other shore of themes/shore: {_OLD_THEME}: neither theme nor module",
            "not-built",
        ),
    ),
    Download(
        "a library whose package has no type",
        "lib-main.zip",
        within("lib-main", {"composer.json": '{"name": "acme/lib"}', "src/A.php": "<?php", "lib.php": "<?php"}),
        _not("lib", "a Composer package of no known system"),
    ),
    Download(
        "a module whose package has no type",
        "foo-main.zip",
        within("foo-main", {"composer.json": "{}", "foo.php": _CLASS.replace("Module", "Base")}),
        ("use module foo 2.0", "unrecognised-archive"),
    ),
    Download(
        "a theme with a PHP file of its folder's name",
        "shore-main.zip",
        within("shore-main", {"shore.info.yml": "name: S\ntype: theme\n", "shore.php": "<?php"}),
        ("use theme shore None",),
    ),
    Download(
        "layouts of Backdrop",
        "grids-main.zip",
        {f"grids-main/{name}/{name}.info": "name = G\nbackdrop = 1.x\nregions[top] = Top\n" for name in ("a", "b")},
        _not("grids", "a layout", "layout"),
    ),
    Download(
        "a copy of a site with two copies of a theme",
        "site.zip",
        {
            **within("wp-content/plugins/tides-1.2.0", wordpress_plugin("tides")),
            **within("wp-content/plugins/src", wordpress_plugin("src")),
            "wp-content/uploads/a.png": "",
        },
        ("use module tides-1.2.0 5.3.1 of plugins/tides-1.2.0", "use module src 5.3.1 of plugins/src", "left-alone"),
    ),
    *(
        Download(
            f"a packer's folder, {name}",
            f"{name}-1.2.0.zip",
            _plugin(name, "load", domain="tide-tables"),
            _named("tide-tables", "guessed-name"),
        )
        for name in ("src", "dist", "build", "plugin", "package", "upload", "release")
    ),
    *(
        Download(
            f"a placeholder for a version, {text}",
            "tides-7.1.zip",
            {"tides/module.json": f'{{"name": "tides", "version": "{text}"}}'},
            ("use module tides 7.1",),
        )
        for text in ("@version@", "{{version}}", "${project.version}", "%VERSION%", "__VERSION__", "VERSION", "x.x.x")
    ),
)
DOWNLOADS = (*LAYOUTS, *NAMES, *WHOLE, *REPOSITORIES, *FOREIGN, *DATA, *KNOWN, *BUILT)
