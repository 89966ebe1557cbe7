"""Core modules: the modules and themes that systems bring along, so that no archive in the drop is needed for them."""

from collections.abc import Mapping
from typing import Final


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


_SUPPLIED: Final[Mapping[str, frozenset[str]]] = {
    "Drupal": _words("""
        action aggregator announcements_feed automated_cron ban bartik basic_auth big_pipe block block_content
        block_place book breakpoint ckeditor ckeditor5 claro classy color comment config config_translation contact
        content_moderation content_translation contextual datetime datetime_range dblog drupal dynamic_page_cache editor
        entity_reference field field_layout field_ui file filter forum hal help help_topics history image
        inline_form_errors jsonapi language layout_builder layout_discovery link locale media media_library
        menu_link_content menu_ui migrate migrate_drupal migrate_drupal_multilingual migrate_drupal_ui mysql navigation
        node olivero options package_manager page_cache path path_alias pgsql quickedit rdf responsive_image rest sdc
        search serialization settings_tray seven shortcut simpletest sqlite stable stable9 stark starterkit_theme
        statistics syslog system taxonomy telephone text toolbar tour tracker umami update user views views_ui workflows
        workspaces workspaces_ui
    """),
    "Drupal 7": _words("""
        aggregator announcements_feed bartik block blog book color comment contact contextual dashboard dblog field
        field_sql_storage field_ui file filter forum garland help image list locale menu minnelli node number openid
        options overlay path php poll profile rdf search seven shortcut simpletest stark statistics syslog system
        taxonomy text toolbar tracker translation trigger update user
    """),
    "Backdrop": _words("""
        admin_bar bartik basis block book ckeditor ckeditor5 color comment config contact contextual dashboard date
        dblog email entity field field_sql_storage field_ui file filter image installer language layout link list locale
        menu node number options path redirect search seven simpletest stark syslog system taxonomy telemetry text
        translation update user views views_ui
    """),
    "PrestaShop": _words("""
        block* classic contactform cronjobs dash* gamification graphnvd3 gridhtml gsitemap hummingbird pagesnotfound
        productcomments ps_* psaddonsconnect psgdpr referralprogram sekeywords stats* welcome
    """),
    "WordPress": _words("""twenty*"""),
    "Omeka Classic": _words("""coins exhibitbuilder simplepages"""),
}
"""What each brings along, or with a `*` how its names begin, in one release or another.

A module that has left it may still be there.
"""


def is_supplied(system: str, name: str) -> bool:
    """Whether a system may bring along a module or theme."""
    words, folded = _SUPPLIED.get(system, frozenset()), name.casefold()
    return folded in words or any(word.endswith("*") and folded.startswith(word[:-1]) for word in words)
