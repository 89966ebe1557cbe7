"""Configurations on whose verdict the type, the tool and the JSON Schema agree, and those on which they cannot.

The first four tables hold the text of an object: in JSON, and so in TypeScript too. Each is one line.
"""

import sys
from pathlib import Path
from typing import Final

TSC: Final = Path(sys.prefix) / "node" / "node_modules" / ".bin" / "tsc"
"""The compiler of TypeScript, where `make test` installs it."""

ACCEPTED: Final = (
    "{}",
    '{"schema": 1}',
    '{"schema": 1.0}',
    '{"theme": "auto"}',
    '{"theme": "none"}',
    '{"theme": "themes/classic.zip"}',
    '{"theme": "\\u00e9\\ud83c\\udfa8 \\u2028"}',
    '{"modules": {}}',
    '{"modules": {"include": []}}',
    '{"modules": {"include": ["ps_*", "blocks"]}}',
    '{"modules": {"exclude": ["ps_banner"]}}',
    '{"modules": {"only": ["a", "a"]}}',
    '{"modules": {"include": ["a"], "exclude": ["b"], "only": ["c"]}}',
    '{"presets": []}',
    '{"presets": ["none", "ci", "./presets/mine.ts"]}',
    '{"presetsSearchPath": []}',
    '{"presetsSearchPath": ["./presets"]}',
    '{"hooks": {}}',
    '{"hooks": {"initScriptsDir": "./init"}}',
    '{"hooks": {"postScriptsDir": "/srv/post"}}',
    '{"hooks": {"onFailure": "continue"}}',
    '{"hooks": {"onFailure": "fail"}}',
    '{"cache": {}}',
    '{"cache": {"file": ".cache/tool.json"}}',
    '{"cache": {"enabled": true}}',
    '{"cache": {"enabled": false}}',
    '{"log": {}}',
    '{"log": {"format": "text"}}',
    '{"log": {"format": "json"}}',
    '{"modules": {"include": ["..."], "exclude": ["a", "...", "b"]}, "exclude": ["..."]}',
    '{"exclude": []}',
    '{"exclude": ["ps_banner"], "modules": {"exclude": ["ps_*"]}}',
    '{"schema": 1, "theme": "a", "modules": {"only": ["b"]}, "presets": ["ci"], "presetsSearchPath": ["p"], '
    '"hooks": {"initScriptsDir": "i", "postScriptsDir": "o", "onFailure": "fail"}, '
    '"cache": {"file": "c", "enabled": false}, "log": {"format": "json"}, "exclude": ["d"]}',
)

REFUSED: Final = (
    # not an object
    "null",
    "true",
    "1",
    '"classic"',
    "[]",
    '[{"theme": "classic"}]',
    # unknown keys, at each depth
    '{"$schema": "./tool.schema.json"}',
    '{"theme": "a", "$schema": "./tool.schema.json"}',
    '{"them": "a"}',
    '{"Theme": "a"}',
    '{"": "a"}',
    '{"default": {"theme": "a"}}',
    '{"then": "a"}',
    '{"constructor": "a"}',
    '{"theme": "a", "toString": "a"}',
    '{"theme": "a", "__proto__": {"theme": "b"}}',
    '{"modules.exclude": ["a"]}',
    '{"include": ["a"]}',
    '{"enabled": true}',
    '{"modules": {"onyl": ["a"]}}',
    '{"modules": {"only": ["a"], "theme": "a"}}',
    '{"modules": {"$schema": "a"}}',
    '{"modules": {"modules": {"only": ["a"]}}}',
    '{"hooks": {"onFailure": "fail", "on-failure": "fail"}}',
    '{"hooks": {"init-scripts": "a"}}',
    '{"cache": {"enabled": true, "valueOf": "a"}}',
    '{"log": {"format": "text", "level": "debug"}}',
    # the version
    '{"schema": 2}',
    '{"schema": 0}',
    '{"schema": 1.5}',
    '{"schema": "1"}',
    '{"schema": true}',
    '{"schema": null}',
    '{"schema": [1]}',
    # the settings
    '{"theme": null}',
    '{"theme": 1}',
    '{"theme": ["a"]}',
    '{"theme": {"name": "a"}}',
    '{"modules": {"include": "a"}}',
    '{"modules": {"include": null}}',
    '{"modules": {"include": {"length": 0}}}',
    '{"modules": {"exclude": [1]}}',
    '{"modules": {"exclude": ["a", null]}}',
    '{"modules": {"only": [["a"]]}}',
    '{"modules": {"only": true}}',
    '{"presets": "ci"}',
    '{"presets": "auto"}',
    '{"presets": null}',
    '{"presets": [{"cache": {"enabled": false}}]}',
    '{"presetsSearchPath": "./presets"}',
    '{"presetsSearchPath": [false]}',
    '{"hooks": {"initScriptsDir": ["./init"]}}',
    '{"hooks": {"initScriptsDir": null}}',
    '{"hooks": {"postScriptsDir": false}}',
    '{"hooks": {"onFailure": "ignore"}}',
    '{"hooks": {"onFailure": "Fail"}}',
    '{"hooks": {"onFailure": ["fail"]}}',
    '{"hooks": {"onFailure": true}}',
    '{"cache": {"file": 1}}',
    '{"cache": {"file": null}}',
    '{"cache": {"enabled": 1}}',
    '{"cache": {"enabled": "true"}}',
    '{"cache": {"enabled": null}}',
    '{"log": {"format": "yaml"}}',
    '{"log": {"format": ""}}',
    '{"log": {"format": null}}',
    '{"exclude": "a"}',
    '{"exclude": ["a", 1]}',
    '{"exclude": {}}',
    # something else than an object within
    '{"modules": ["a"]}',
    '{"modules": []}',
    '{"modules": null}',
    '{"hooks": "./init-scripts"}',
    '{"hooks": null}',
    '{"cache": false}',
    '{"cache": null}',
    '{"log": "json"}',
    '{"log": 1}',
    '{"log": null}',
)

PRESETS_ACCEPTED: Final = (
    "{}",
    '{"schema": 1}',
    '{"theme": "classic"}',
    '{"modules": {"only": ["a"]}, "exclude": ["b"]}',
    '{"hooks": {"onFailure": "fail"}, "cache": {"enabled": false}, "log": {"format": "json"}}',
)

PRESETS_REFUSED: Final = (
    "[]",
    '{"schema": 2}',
    '{"presets": []}',
    '{"theme": "a", "presets": ["ci"]}',
    '{"presetsSearchPath": []}',
    '{"theme": "a", "presetsSearchPath": ["./presets"]}',
    '{"theme": "a", "$schema": "./tool.schema.json"}',
    '{"log": {"format": "yaml"}}',
    '{"modules": {"include": [], "onyl": []}}',
)

FORMS: Final = {
    "satisfies": "export const satisfied = {literal} satisfies {type};",
    "helper": "export const helped = {helper}({literal});",
    "function": "export const made = {helper}((): {type} => ({literal}));",
    "async function": "export const awaited = {helper}(async (): Promise<{type}> => ({literal}));",
    "annotated": "const config: {type} = {literal}; export default config;",
}
"""The ways to write a literal in a script, one line each."""

HEAD: Final = 'import { defineConfig, definePreset, type ToolConfig, type ToolPreset } from "tool";\n'

SCRIPTS_ACCEPTED: Final = {
    "an object.ts": 'export default { schema: 1, log: { format: "json" } } satisfies ToolConfig;',
    "an object.mts": 'export default defineConfig({ schema: 1, log: { format: "json" } });',
    "an object.cts": 'export default defineConfig({ schema: 1, log: { format: "json" } });',
    "an assertion.ts": 'export default { theme: "a" } as ToolConfig;',
    "named.ts": 'const config: ToolConfig = { theme: "a" };\nexport { config as default };',
    "promise.ts": "const config: Promise<ToolConfig> = Promise.resolve({ schema: 1 });\nexport default config;",
    "undefined members.ts": """
        export default defineConfig({
          schema: undefined,
          theme: undefined,
          modules: { include: undefined, exclude: undefined, only: undefined },
          presets: undefined,
          presetsSearchPath: undefined,
          hooks: { initScriptsDir: undefined, postScriptsDir: undefined, onFailure: undefined },
          cache: { file: undefined, enabled: undefined },
          log: { format: undefined },
          exclude: undefined,
        });""",
    "undefined objects.ts": """
        const config: ToolConfig = { modules: undefined, hooks: undefined, cache: undefined, log: undefined };
        export default config;""",
    "an undefined preset member.ts": "export default definePreset({ theme: undefined, modules: undefined });",
    "a base.ts": """
        const base = defineConfig({ theme: "a" });
        export default defineConfig({ ...base, exclude: [...(base.exclude ?? []), "c"] });""",
    "a base of a preset.ts": """
        const base = definePreset({ exclude: ["a"] });
        export default definePreset({ ...base, exclude: [...(base.exclude ?? []), "c"] });""",
    "the environment.ts": """
        export default defineConfig({
          theme: process.env.SHOP_THEME ?? "a",
          hooks: { onFailure: process.env.CI ? "fail" : "continue" },
        });""",
    "a function that computes.ts": """
        export default defineConfig(async () => ({ hooks: { onFailure: process.env.CI ? "fail" : "continue" } }));""",
    "a readonly list.ts": 'const only = ["a", "b"] as const;\nexport default defineConfig({ modules: { only } });',
    "readonly lists.ts": """
        export default {
          schema: 1,
          modules: { include: ["a"], exclude: ["b"], only: ["c"] },
          presets: ["ci"],
          presetsSearchPath: ["./presets"],
          log: { format: "json" },
          exclude: ["d"],
        } as const satisfies ToolConfig;""",
    "a readonly value.ts": 'const log = { format: "json" } as const;\nexport default defineConfig({ log });',
    "a function.ts": """
        export default defineConfig(() => ({ schema: 1, hooks: { onFailure: "fail" }, modules: { only: ["a"] } }));""",
    "a function with a body.ts": 'export default defineConfig(() => { const theme = "a"; return { theme }; });',
    "an async function.ts": 'export default defineConfig(async () => ({ schema: 1, log: { format: "json" } }));',
    "a function that gives a promise.ts": """
        export default defineConfig(() => Promise.resolve({ schema: 1, log: { format: "json" } }));""",
    "a preset by a function.ts": 'export default definePreset(() => ({ schema: 1, hooks: { onFailure: "fail" } }));',
    "a preset by an async function.ts": 'export default definePreset(async () => ({ schema: 1, theme: "a" }));',
    "a function called.ts": 'export default defineConfig((() => ({ theme: "a" }))());',
    "a preset spread.ts": """
        const preset = definePreset({ cache: { enabled: false } });
        export default defineConfig({ ...preset, presets: [] });""",
    "a config spread.ts": """
        const shared: ToolConfig = { theme: "a", log: { format: "json" } };
        export default defineConfig({ ...shared, theme: "b" });""",
    "a condition.ts": """
        const on = Math.random() < 2;
        export default defineConfig({ ...(on && { theme: "a" }), log: { format: on ? "json" : "text" } });""",
    "computed.ts": """
        const name: string = "a";
        export default defineConfig({ theme: `${name}-child`, exclude: [name, ...new Set(["b"])] });""",
    "an enum.ts": """
        enum Format { Json = "json" }
        enum Theme { Classic = "classic" }
        export default defineConfig({
          log: { format: Format.Json },
          theme: Theme.Classic,
          exclude: Object.values(Theme),
        });""",
    "a getter.ts": 'export default defineConfig({ get theme() { return "a"; } });',
}
"""Scripts that no other notation has: the type and the tool agree."""

SCRIPTS_REFUSED: Final = {
    "a wrong value.mts": "export default defineConfig({ theme: 1 });",
    "a wrong value.cts": "export default defineConfig({ theme: 1 });",
    "a wrong assertion.ts": "export default { theme: 1 } as ToolConfig;",
    "a wrong value behind a name.ts": "const theme = 1;\nexport default defineConfig({ theme });",
    "a wrong value in a spread.ts": "const shared = { theme: 1 };\nexport default defineConfig({ ...shared });",
    "a wrong value beside undefined.ts": "export default defineConfig({ theme: undefined, cache: { enabled: 1 } });",
    "a wrong item in a readonly list.ts": 'export default defineConfig({ exclude: ["a", 1] as const });',
    "a function with a wrong value.ts": "export default defineConfig(() => ({ theme: 1 }));",
    "an async function with a wrong value.ts": """
        export default defineConfig(async () => ({ schema: 1, log: { format: "yaml" } }));""",
    "a function with an unknown key alone.ts": 'export default defineConfig(() => ({ them: "a" }));',
    "a function that gives nothing.ts": "export default defineConfig(() => {});",
    "a function that gives null.ts": "export default defineConfig(() => null);",
    "no argument.ts": "export default defineConfig();",
    "undefined in a list.ts": 'export default defineConfig({ exclude: ["a", undefined] });',
    "a hole in a list.ts": 'export default defineConfig({ exclude: [, "a"] });',
    "a set for a list.ts": 'export default defineConfig({ exclude: new Set(["a"]) });',
    "a map for an object.ts": "export default defineConfig({ modules: new Map() });",
    "a function for an object.ts": "export default defineConfig({ modules: () => ({}) });",
    "a function for a setting.ts": 'export default defineConfig({ theme: () => "a" });',
    "a promise for a setting.ts": 'export default defineConfig({ theme: Promise.resolve("a") });',
    "a date.ts": "export default defineConfig({ theme: new Date() });",
    "a boxed string.ts": 'export default defineConfig({ theme: new String("a") });',
    "a bigint.ts": "export default defineConfig({ schema: 1n });",
    "not a number.ts": "export default defineConfig({ schema: NaN });",
}
"""Scripts that no other notation has and that are wrong: the type and the tool agree."""

ONLY_TOOL_REFUSES: Final = {
    # a type cannot ask for text that is not empty, nor for Unicode
    "an empty folder of init scripts.ts": 'export default defineConfig({ hooks: { initScriptsDir: "" } });',
    "an empty folder of post scripts.ts": 'export default defineConfig({ hooks: { postScriptsDir: "" } });',
    "an empty theme.ts": 'export default defineConfig({ theme: "" });',
    "an empty pattern.ts": 'export default defineConfig({ exclude: ["a", ""] });',
    "an empty cache file.ts": 'export default defineConfig({ cache: { file: "" } });',
    "half a character.ts": 'export default defineConfig({ theme: "\\ud800" });',
    # nor count
    "a list spliced twice.ts": 'export default defineConfig({ modules: { only: ["...", "a", "..."] } });',
    # TypeScript looks for unknown keys where an object is written down for a type, not where it is passed on
    "an unknown key behind a name.ts": """
        const config = { theme: "a", them: "b" };
        export default defineConfig(config);""",
    "an unknown key in a spread.ts": """
        const more = { them: "b" };
        export default defineConfig({ theme: "a", ...more });""",
    "an unknown key from a function.ts": 'export default defineConfig(() => ({ theme: "a", them: "b" }));',
    "presets from a function.ts": 'export default definePreset(() => ({ theme: "a", presets: ["ci"], nonsense: 1 }));',
    "a symbol as a key.ts": 'export default defineConfig({ theme: "a", [Symbol("them")]: "b" });',
    # a type is the shape, not how the object came to be
    "an instance.ts": 'class Only { only = ["a"]; }\nexport default defineConfig({ modules: new Only() });',
    "any.ts": "const config: any = { theme: 1 };\nexport default defineConfig(config);",
}

ONLY_TYPE_REFUSES: Final = {
    # the tool sees values: what is undefined is absent, and of two keys the last is left
    "an unknown key that is undefined.ts": "export default defineConfig({ them: undefined });",
    "presets that are undefined.ts": "export default definePreset({ presets: undefined });",
    "a key twice.ts": 'export default defineConfig({ theme: "a", theme: "b" });',
    # TypeScript takes the type of a name from its first value, without `as const`
    "a value that may change.ts": 'const log = { format: "json" };\nexport default defineConfig({ log });',
    "any number.ts": "const schema: number = 1;\nexport default defineConfig({ schema });",
    # the tool calls a function with no argument, whatever it declares
    "a function that wants an argument.ts": 'export default defineConfig((mode: string) => ({ theme: "a" }));',
}
