"""Other names: the setting that a misnamed key or variable stands for (`docs/configuration.md`).

A setting may be called by its flag or, in a file, by its own key without that of the object
that it is in.
"""

from typing import Final

from pipeline.schema import SETTINGS, Setting


def _plain(name: str) -> str:
    """A name without case and punctuation: `on-failure` and `onFailure` become equal."""
    return "".join(filter(str.isalnum, name)).lower()


_BY_FLAG: Final = {_plain(setting.flag): setting for setting in SETTINGS}
_BY_NEGATIVE: Final = {
    _plain(setting.negative): setting for setting in SETTINGS if setting.negative
}
_BY_KEY: Final = _BY_FLAG | {
    _plain(name): setting for setting in SETTINGS for name in (setting.path, setting.keys[-1])
}


def setting_of_key(key: str) -> Setting | None:
    """The setting that a key of a file stands for, wherever the key is: `onFailure`,
    `on-failure`, `hooks.onFailure`.
    """
    return _BY_KEY.get(_plain(key))


def variable_of_flag(name: str) -> str:
    """The variable of a flag, for a name that is made like the flag's, such as `ON_FAILURE` or
    `NO_CACHE`; empty for any other name.
    """
    if setting := _BY_FLAG.get(_plain(name)):
        return setting.variable
    if turned_off := _BY_NEGATIVE.get(_plain(name)):
        return f"{turned_off.variable}=false"
    return ""
