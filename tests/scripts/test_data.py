"""What a script may export and import: the data that it gives, or why that is no configuration."""

from pathlib import Path

import pytest

from pipeline.config.tree import format_path
from pipeline.report.diagnostics.scripts import EvaluationFailed
from tests.support.scripts import PACKAGES, Files, failed, here, lay, outcome, tried, ts
from tests.support.sweep import sample

OTHER_TOOL: Files = {
    "node_modules/tool/package.json": '{"name":"tool","main":"m.js"}',
    "node_modules/tool/m.js": "throw 1",
}
GOOD: dict[str, tuple[Files, object]] = {
    "object": (ts('export default { theme: "a" }'), {"theme": "a"}),
    "promise": (ts('export default Promise.resolve({ theme: "a" })'), {"theme": "a"}),
    "function": (ts('export default () => ({ theme: "a" })'), {"theme": "a"}),
    "function gets no argument": (ts("export default (...given: unknown[]) => ({ n: given.length })"), {"n": 0}),
    "async function": (ts('export default async () => ({ theme: "a" })'), {"theme": "a"}),
    "top-level await": (
        ts('const theme = await new Promise((r) => setTimeout(r, 5, "a"));export default { theme }'),
        {"theme": "a"},
    ),
    "defineConfig and a type from tool": (
        ts(
            """
            import { defineConfig, type ToolConfig } from "tool";
            const config: ToolConfig = { theme: "a" };
            export default defineConfig(config);
            """
        ),
        {"theme": "a"},
    ),
    "definePreset by require": (
        here("tool.config.cjs", 'const { definePreset } = require("tool"); module.exports = definePreset({ a: 1 })'),
        {"a": 1},
    ),
    "enum, namespace, satisfies, as const": (
        ts(
            """
            enum Mode { Fail = "fail" }
            namespace Names { export const theme = "a" }
            const enum Fixed { N = 3 }
            interface Shape { theme: string }
            export default { mode: Mode.Fail, theme: Names.theme, n: Fixed.N } as const satisfies Shape;
            """
        ),
        {"mode": "fail", "theme": "a", "n": 3},
    ),
    "undefined members are absent": (
        ts("export default { a: undefined, b: { c: undefined, d: null } }"),
        {"b": {"d": None}},
    ),
    "a null prototype": (ts("export default Object.assign(Object.create(null), { a: 1 })"), {"a": 1}),
    "a Proxy": (ts("export default new Proxy({ a: [1] }, {})"), {"a": [1]}),
    "a getter": (ts('export default { get theme() { return "a" } }'), {"theme": "a"}),
    "one object twice is no cycle": (
        ts("const a = { b: 1 }; export default { a, again: a }"),
        {"a": {"b": 1}, "again": {"b": 1}},
    ),
    "odd keys and strings": (
        ts('export default JSON.parse(\'{"__proto__": 1, "a b": "\\\\u2028\\\\ud83d\\\\ude00", "": -0, "n": 1e21}\')'),
        {"__proto__": 1, "a b": "\u2028\U0001f600", "": 0, "n": 1e21},
    ),
    "environment": (
        ts("export default { home: process.env.TOOL_TEST, same: Deno.env.get('TOOL_TEST') }"),
        {"home": "yes", "same": "yes"},
    ),
    "no variable of the runtime": (
        ts("export default { found: Object.keys(process.env).filter((name) => /^DENO_|^NODE_OPTIONS/.test(name)) }"),
        {"found": []},
    ),
    "node: modules": (
        ts(
            'import path from "node:path"; import fs from "fs";'
            "export default { sep: path.sep, fs: typeof fs.readFileSync }"
        ),
        {"sep": "/", "fs": "function"},
    ),
    "reads its project": (
        ts(
            'import fs from "node:fs";'
            'export default JSON.parse(fs.readFileSync(new URL("data.json", import.meta.url), "utf8"))'
        )
        | {"data.json": '{"a": 1}'},
        {"a": 1},
    ),
    "the current folder is the user's": (ts('export default { at: Deno.cwd().split("/").at(-1) }'), {"at": "project"}),
    "local imports, with and without suffix, of a folder": (
        ts(
            """
            import { a } from "./lib/a.ts";
            import { a as b } from "./lib/a";
            import { a as c } from "./lib/a.js";
            import d from "./lib";
            import e from "./lib/e.cjs";
            export default { a, b, c, d, e };
            """
        )
        | {
            "lib/a.ts": "export const a: number = 1",
            "lib/index.ts": "export default 2",
            "lib/e.cjs": "module.exports = 3",
        },
        {"a": 1, "b": 1, "c": 1, "d": 2, "e": 3},
    ),
    "JSON with an attribute": (
        ts('import data from "./data.json" with { type: "json" }; export default data') | {"data.json": '{"a": 1}'},
        {"a": 1},
    ),
    "JSON without an attribute": (
        ts('import { defineConfig } from "tool"; import data from "./data.json"; export default defineConfig(data)')
        | {"data.json": '{"a": 1}'},
        {"a": 1},
    ),
    "installed packages": (
        ts('import { theme } from "esm"; import cjs from "cjs"; export default { theme, ...cjs }') | PACKAGES,
        {"theme": "cjs/"},
    ),
    "a package that is called tool is not the tool's": (
        ts('import { defineConfig } from "tool"; export default defineConfig({ a: 1 })') | OTHER_TOOL,
        {"a": 1},
    ),
    "nor is it by require": (
        here("tool.config.cjs", 'const { definePreset } = require("tool"); module.exports = definePreset({ a: 1 })')
        | OTHER_TOOL,
        {"a": 1},
    ),
    "nor is it for packages": (
        ts('import presets from "team"; export default presets')
        | {
            "node_modules/team/package.json": '{"name":"team","type":"module","main":"m.js"}',
            "node_modules/team/m.js": 'import { definePreset } from "tool"; export default definePreset({ a: 1 })',
        }
        | OTHER_TOOL,
        {"a": 1},
    ),
    "interval left open": (ts("setInterval(() => {}, 1); export default { a: 1 }"), {"a": 1}),
    "signal handlers and exit handlers": (
        ts('process.on("exit", () => { for (;;); }); process.on("SIGTERM", () => {}); export default { a: 1 }'),
        {"a": 1},
    ),
    "a Worker in the project": (
        ts(
            """
            const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
            export default { a: await new Promise((done) => worker.onmessage = (event) => done(event.data)) };
            """
        )
        | {"worker.ts": "postMessage(1 as number)"},
        {"a": 1},
    ),
    "a denied act that is caught": (
        ts('let a = "read"; try { Deno.readTextFileSync("/etc/passwd") } catch { a = "denied" } export default { a }'),
        {"a": "denied"},
    ),
    "a stream used in Node's way": (
        ts(
            'await new Promise<void>((done) => process.stdout.write("", () => done()));'
            'export default { a: "x".repeat(9e5) }'
        ),
        {"a": "x" * 900_000},
    ),
}


MODULES: dict[str, tuple[Files, object]] = {
    f"{style} in {suffix}, {kind}": (
        {f"tool.config{suffix}": text}
        | ({} if kind == "no package.json" else {"package.json": f'{{"type":"{kind}"}}'}),
        {"a": "/"},
    )
    for kind in ("no package.json", "module", "commonjs")
    for style, text, suffixes in (
        (
            "module",
            'import path from "path"; export default { a: path.sep }',
            (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"),
        ),
        ("CommonJS", 'const path = require("path"); module.exports = { a: path.sep }', (".ts", ".cts", ".js", ".cjs")),
    )
    for suffix in suffixes
}


ODD: dict[str, tuple[Files, object]] = {
    "a TypeScript enum in a module in .cts": (
        here("tool.config.cts", "enum E { A = 1 }\nexport default { a: E.A as number }"),
        {"a": 1},
    ),
    "exports.default, compiled to CommonJS": (
        here(
            "tool.config.cjs",
            'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = { a: 1 }',
        ),
        {"a": 1},
    ),
    "export = and import =": (
        here("tool.config.cts", 'import data = require("./data.json"); export = { data }') | {"data.json": "[1]"},
        {"data": [1]},
    ),
    "module.exports that is empty": (here("tool.config.js", "module.exports = {}"), {}),
    "CommonJS whatever a comment says": (
        here("tool.config.js", '/*\nexport default { a: 0 };\n*/\nmodule.exports = { a: require("path").sep };')
        | {"package.json": '{"type":"module"}'},
        {"a": "/"},
    ),
    "CommonJS whatever a text says": (
        here("tool.config.js", 'const text = `\nimport a from "b";\n`;\nexports.a = require("path").sep;')
        | {"package.json": '{"type":"module"}'},
        {"a": "/"},
    ),
    "imported CommonJS whatever a comment and the package say, by default and by name": (
        ts('import lib, { a } from "./lib.js"; export default { a, b: lib.a };')
        | {"lib.js": '/*\nexport it\n*/\nexports.a = require("path").sep;', "package.json": '{"type":"module"}'},
        {"a": "/", "b": "/"},
    ),
    "required CommonJS whatever the package says": (
        here("tool.config.js", 'module.exports = require("./lib.js");')
        | {"lib.js": 'exports.a = require("path").sep;', "package.json": '{"type":"module"}'},
        {"a": "/"},
    ),
    "a module on one line that uses __dirname": (
        here("tool.config.js", 'const d=__dirname;export default{a:d.split("/").at(-1)};'),
        {"a": "project"},
    ),
    "an assertion in a dynamic import": (
        ts('export default (await import("./data.json", { assert: { type: "json" } })).default;')
        | {"data.json": '{"a": 1}'},
        {"a": 1},
    ),
    "export = and import = in a module package": (
        ts('import path = require("path");\nenum E { A = "a" }\nexport = { a: path.sep, e: E.A }')
        | {"package.json": '{"type":"module"}'},
        {"a": "/", "e": "a"},
    ),
    "an async function as module.exports": (
        here("tool.config.cjs", "module.exports = async () => ({ a: 1 })"),
        {"a": 1},
    ),
    "__dirname and require of neighbours in a module package": (
        here(
            "tool.config.js",
            'module.exports = { a: require("./a.cjs"), b: require("./b.json"), c: __dirname.split("/").at(-1) }',
        )
        | {"a.cjs": "module.exports = 1", "b.json": "2", "package.json": '{"type":"module"}'},
        {"a": 1, "b": 2, "c": "project"},
    ),
    "deno.json, tsconfig.json, .npmrc, .env, a lock file and a broken package.json in the project": (
        ts('import { defineConfig } from "tool"; export default defineConfig({ a: process.env.FROM_FILE ?? "unset" })')
        | {
            "deno.json": '{"imports":{"tool":"./evil.js"},"nodeModulesDir":"auto","unstable":["ffi"],'
            '"permissions":{"default":{"all":true}}}',
            "deno.lock": '{"version":"99"}',
            "tsconfig.json": '{"compilerOptions":{"paths":{"tool":["./evil.js"]}},"extends":"./missing.json"}',
            ".npmrc": "registry=http://127.0.0.1:9/",
            ".env": "FROM_FILE=1",
            "package.json": "{ broken",
            "evil.js": 'throw new Error("evil")',
        },
        {"a": "unset"},
    ),
    "package.json that wants what is not installed": (
        ts("export default { a: 1 }")
        | {"package.json": '{"dependencies":{"left-pad":"^1","x":"git+ssh://x"},"workspaces":["*"]}'},
        {"a": 1},
    ),
}


DATA = GOOD | MODULES | ODD


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*DATA], 30))
def test_gives_data(project: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A script gives the data of its default export, and leaves no file behind."""
    files, expected = DATA[name]
    monkeypatch.setenv("TOOL_TEST", "yes")
    printed: list[tuple[str, str]] = []
    assert tried(project, files, printed) == expected
    assert printed == []


ESM_WITH_COMMONJS = {
    "__dirname": ('import path from "node:path"; export default { a: path.basename(__dirname) }', {"a": "project"}),
    "require": ('const data = require("./data.json");\nexport default { a: data.b }', {"a": 1}),
    "__filename": ('import "node:fs";\nexport default { a: __filename.endsWith("tool.config.ts") }', {"a": True}),
}


@pytest.mark.parametrize(("text", "expected"), ESM_WITH_COMMONJS.values(), ids=ESM_WITH_COMMONJS)
def test_a_module_may_use_the_names_of_commonjs(project: Path, text: str, expected: object) -> None:
    """A module that uses `require`, `__dirname` or `__filename`, as people do, is given them."""
    script = lay(project, {"tool.config.ts": text, "data.json": '{"b": 1}'})
    assert outcome(script, project) == expected


NO_DATA: dict[str, tuple[Files, EvaluationFailed]] = {
    "no default export": (ts("export const theme = 1"), failed("no default export")),
    "no default export, and names of CommonJS": (
        ts('const a = await import("node:fs"); void __dirname'),
        failed("no default export"),
    ),
    "an empty file": (ts(""), failed("no default export")),
    "undefined": (ts("export default undefined"), failed("not an object", "undefined")),
    "null": (ts("export default null"), failed("not an object", "null")),
    "array": (ts("export default []"), failed("not an object", "an array")),
    "string": (ts('export default "a"'), failed("not an object", "a string")),
    "a function that gives nothing": (ts("export default () => {}"), failed("not an object", "undefined")),
    "a function that gives a function": (ts("export default () => () => ({})"), failed("not an object", "a function")),
    "function inside": (
        ts("export default { modules: { exclude: [() => 1] } }"),
        failed("not data", "a function", path="modules.exclude[0]"),
    ),
    "date": (ts("export default { a: new Date(0) }"), failed("not data", "an instance of Date", path="a")),
    "bigint": (ts("export default { a: [{}, { b: 1n }] }"), failed("not data", "a bigint", path="a[1].b")),
    "symbol": (ts('export default { "odd key": Symbol("s") }'), failed("not data", "a symbol", path='["odd key"]')),
    "symbol as key": (
        ts("export default { a: { [Symbol.iterator]: 1 } }"),
        failed("not data", "a symbol as a key", path="a"),
    ),
    "cycle": (ts("const a: any = { b: {} }; a.b.c = a; export default a"), failed("not data", "a cycle", path="b.c")),
    "map": (ts("export default { a: new Map() }"), failed("not data", "an instance of Map", path="a")),
    "instance of a class": (
        ts("class Config { theme = 'a' }; export default new Config()"),
        failed("not data", "an instance of Config"),
    ),
    "instance of a class with a long name": (
        ts('class A {}; Object.defineProperty(A, "name", { value: "n".repeat(15e6) }); export default { a: new A() }'),
        failed("not data", "an instance of " + "n" * (8192 - 15), path="a"),
    ),
    "a long key": (
        ts('export default { a: { ["k".repeat(1e6)]: () => 1 } }'),
        failed("not data", "a function", path=format_path(("a", "k" * 1_000_000))),
    ),
    "a key that is half a surrogate pair": (
        ts('export default { a: { "\\ud800": 1 } }'),
        failed("not data", "a key that is not Unicode text", path='a["\ufffd"]'),
    ),
    "a class": (ts('export default class Config { theme = "a" }'), failed("not an object", "a class")),
    "exports that are only a name": (
        here("tool.config.js", 'exports = { theme: "a" }'),
        failed("no default export", at="tool.config.js"),
    ),
    "nothing but a side effect, in CommonJS": (
        here("tool.config.cjs", 'require("path").sep; // module.exports = export'),
        failed("no default export", at="tool.config.cjs"),
    ),
    "promise inside": (
        ts("export default { a: Promise.resolve(1) }"),
        failed("not data", "an instance of Promise", path="a"),
    ),
    "NaN": (ts("export default { a: NaN }"), failed("not data", "NaN", path="a")),
    "Infinity": (ts("export default { a: -Infinity }"), failed("not data", "-Infinity", path="a")),
    "undefined in a list": (ts("export default { a: [1, undefined] }"), failed("not data", "undefined", path="a[1]")),
    "a hole in a list": (ts("export default { a: [, 1] }"), failed("not data", "undefined", path="a[0]")),
    "toJSON": (ts("export default { toJSON() { return { a: 1 } } }"), failed("not data", "a function", path="toJSON")),
    "half a surrogate pair": (
        ts('export default { a: "\\ud800" }'),
        failed("not data", "a string that is not Unicode text", path="a"),
    ),
    "too deep": (
        ts("let a: any = {}; for (let i = 0; i < 70; i++) a = { a }; export default a"),
        failed("not data", "more than 64 levels", path=".".join(["a"] * 64)),
    ),
    "an endless Proxy": (
        ts(
            """
            const endless = (): object => new Proxy({ b: 1 }, { get: () => endless() });
            export default { x: endless() };
            """
        ),
        failed("not data", "more than 64 levels", path="x" + ".b" * 63),
    ),
    "too large": (
        ts('export default { a: ["x".repeat(1 << 20)] }'),
        failed("not data", "more than 1 MiB", path="a[0]"),
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*NO_DATA], 15))
def test_is_no_data(project: Path, name: str) -> None:
    """What a script exports and is no plain object comes to a fault that names its path."""
    files, expected = NO_DATA[name]
    assert tried(project, files) == expected


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('export default { ["k".repeat(2 ** 21)]: 1 }', None),
        ("export default { a: Array(400_000).fill([]) }", None),
        ("let a: any = 1; for (let i = 0; i < 21; i++) a = [a, a]; export default { a }", None),
    ],
)
def test_large_data_of_any_shape(project: Path, text: str, path: str | None) -> None:
    """Keys and containers count for the size of the data too."""
    found = outcome(lay(project, ts(text)), project)
    assert isinstance(found, EvaluationFailed)
    assert found.fault == "not data"
    assert found.detail == "more than 1 MiB"
