"""Declaration: the schema in TypeScript: `ToolConfig`, `ToolPreset`, and the two
helpers (`docs/configuration.md`).

It is laid out as Prettier does, so that no project that keeps it has to do it again.
"""

import json
from collections.abc import Iterable, Mapping
from textwrap import indent, wrap
from typing import Final

from toolz import groupby

from pipeline import schema
from pipeline.schema import Setting, Value

_TYPES: Final = {"strings": "readonly string[]", "boolean": "boolean", "string": "string"}
_HELPERS: Final = """\
/** A promise, or a function that gives an object or a promise of it. */
export type Computed<T> = Promise<T> | (() => T | Promise<T>);

/** What may be exported: the object, a promise of it, or a function that gives either. */
export type Exported<T> = T | Computed<T>;

/** Gives a configuration back as it is: an editor then knows its type. */
export declare function defineConfig(
  config: Computed<ToolConfig>,
): Computed<ToolConfig>;
export declare function defineConfig(config: ToolConfig): ToolConfig;

/** Gives a preset back as it is: an editor then knows its type. */
export declare function definePreset(
  preset: Computed<ToolPreset>,
): Computed<ToolPreset>;
export declare function definePreset(preset: ToolPreset): ToolPreset;

// The environment, for a project without the types of Node; with them, these are the same.
declare global {
  namespace NodeJS {
    interface ProcessEnv {
      [name: string]: string | undefined;
    }
    interface Process {
      env: ProcessEnv;
    }
  }
  var process: NodeJS.Process;
}
"""


def declaration() -> str:
    """The declaration as a module of its own, as shipped in the npm package."""
    config = _interface()
    without = " | ".join(json.dumps(key) for key in schema.NOT_IN_PRESETS)
    preset = f"export type ToolPreset = Omit<ToolConfig, {without}>;\n"
    return f"{config}\n/** A configuration that cannot choose presets. */\n{preset}\n{_HELPERS}"


def ambient_declaration() -> str:
    """The declaration as a file that declares the module `tool`, for a project without the
    npm package.
    """
    inside = declaration().replace("export declare ", "export ").replace("declare global", "global")
    return f'declare module "tool" {{\n{indent(inside, "  ")}}}\n'


def _interface() -> str:
    members = [
        _member("schema", str(schema.VERSION), schema.VERSION_MEANING, {"default": schema.VERSION})
    ]
    for key, inside in groupby(lambda setting: setting.keys[0], schema.SETTINGS).items():
        if key in schema.OBJECTS:
            members.append(_object(key, inside))
        else:
            members.extend(map(_setting, inside))
    meaning = f"{schema.SHORTHAND_MEANING} {schema.SPLICE_MEANING}"
    members.append(
        _member(schema.SHORTHAND, _TYPES["strings"], meaning, {"example": schema.SHORTHAND_EXAMPLE})
    )
    text = indent("".join(members), "  ")
    return (
        f"/** A configuration of tool. Every key is optional. */\nexport interface ToolConfig "
        f"{{\n{text}}}\n"
    )


def _object(key: str, settings: Iterable[Setting]) -> str:
    inside = indent("".join(map(_setting, settings)), " " * 6)
    comment = _comment(schema.OBJECTS[key], {})
    return f"{comment}{key}?:\n  | {{\n{inside}    }}\n  | undefined;\n"


def _setting(setting: Setting) -> str:
    takes = " | ".join(map(json.dumps, setting.choices)) or _TYPES[setting.type]
    tags = {**setting.written_default, "example": setting.example}
    return _member(setting.keys[-1], takes, setting.description, tags)


def _member(key: str, of: str, meaning: str, tags: Mapping[str, Value | int]) -> str:
    return f"{_comment(meaning, tags)}{key}?: {of} | undefined;\n"


def _comment(meaning: str, tags: Mapping[str, Value | int]) -> str:
    lines = [
        *wrap(meaning, 100, break_long_words=False),
        *(f"@{tag} {json.dumps(tags[tag])}" for tag in tags),
    ]
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "".join(("/**\n", *(f" * {line}\n" for line in lines), " */\n"))
