"""YAML as plain data: mappings, lists and strings, for the marker files inside archives.

Built from the parser's events without recursion: the C loader of PyYAML overruns the stack on deep nesting, and
an archive can come from anywhere.
"""

from typing import Any, Final

DEPTH_LIMIT: Final = 16
"""How deep mappings and lists may be nested; no marker nests deeper."""


def read_yaml(content: bytes) -> Any:
    """The first document's data, with every scalar a string and every alias `None`; `None` if it is not YAML."""
    import yaml  # costs start-up time

    stack: list[list[Any]] = [[]]
    try:
        for event in yaml.parse(content, getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            match event:
                case yaml.ScalarEvent():
                    stack[-1].append(event.value)
                case yaml.AliasEvent():
                    stack[-1].append(None)
                case yaml.CollectionStartEvent() if len(stack) > DEPTH_LIMIT:
                    return None
                case yaml.CollectionStartEvent():
                    stack.append([])
                case yaml.SequenceEndEvent():
                    stack[-2].append(stack.pop())
                case yaml.MappingEndEvent():
                    stack[-2].append(_mapping(stack.pop()))
                case yaml.DocumentEndEvent():
                    return stack[0][0]
    except (yaml.YAMLError, UnicodeDecodeError, ValueError):
        return None
    return None


def _mapping(items: list[Any]) -> dict[str, Any]:
    """Pair keys with values; keys that are not strings are left out."""
    return {key: value for key, value in zip(items[::2], items[1::2], strict=True) if isinstance(key, str)}
