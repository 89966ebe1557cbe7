"""Core modules: what systems bring along, so that no archive in the drop is needed for it.

Each set holds the folders of the system's own `modules/` in its releases. A module that left the core of Drupal
between 9 and 11 is in none of them, since it has a project of its own; but it may be there, so it is not missed.
"""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


DRUPAL_7: Final = _words("""
    aggregator announcements_feed block blog book color comment contact contextual dashboard dblog field
    field_sql_storage field_ui file filter forum help image list locale menu node number openid options overlay path php
    poll profile rdf search shortcut simpletest statistics syslog system taxonomy text toolbar tracker translation
    trigger update user
""")
DRUPAL: Final = _words("""
    automated_cron ban basic_auth big_pipe block block_content breakpoint ckeditor5 comment config config_translation
    contact content_moderation content_translation contextual datetime datetime_range dblog dynamic_page_cache editor
    field field_layout field_ui file filter help history image inline_form_errors jsonapi language layout_builder
    layout_discovery link locale media media_library menu_link_content menu_ui migrate migrate_drupal migrate_drupal_ui
    node options page_cache path path_alias responsive_image rest search serialization settings_tray shortcut syslog
    system taxonomy telephone text toolbar update user views views_ui workflows workspaces
""")
BACKDROP: Final = _words("""
    admin_bar block book ckeditor ckeditor5 color comment config contact contextual dashboard date dblog email entity
    field field_sql_storage field_ui file filter image installer language layout link list locale menu node number
    options path redirect search simpletest syslog system taxonomy telemetry text translation update user views views_ui
""")
_SUPPLIED: Final[Mapping[str, frozenset[str]]] = {
    "Drupal": _words("""
        action aggregator announcements_feed bartik block_place book ckeditor claro classy color drupal entity_reference
        forum hal help_topics migrate_drupal_multilingual mysql navigation olivero package_manager pgsql quickedit rdf
        sdc seven simpletest sqlite stable stable9 stark starterkit_theme statistics tour tracker umami workspaces_ui
    """),
    "Drupal 7": _words("""bartik garland minnelli seven stark"""),
    "Backdrop": _words("""bartik basis seven stark"""),
    "PrestaShop": _words("""
        block* classic contactform cronjobs dash* gamification graphnvd3 gridhtml gsitemap hummingbird pagesnotfound
        productcomments ps_* psaddonsconnect psgdpr referralprogram sekeywords stats* welcome
    """),
    "WordPress": _words("""twenty*"""),
    "Omeka Classic": _words("""coins exhibitbuilder simplepages"""),
}
"""Patterns of the modules and themes besides that each system brings along, in one release or another."""


def is_supplied(system: str, name: str) -> bool:
    """Whether a system may bring along a module or theme, beyond those in its set."""
    return any(fnmatchcase(name.casefold(), pattern) for pattern in _SUPPLIED.get(system, ()))
