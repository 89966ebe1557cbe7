"""Scripts are evaluated: what good, odd and hostile ones amount to."""

import json
import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from io_edges.scripts import confine, deno
from io_edges.scripts import evaluate as scripts
from pipeline.report.outcome import fold
from pipeline.report.problems import ConfigUnreadable, EvaluationFailed, ScriptRuntimeUnavailable
from pipeline.report.source import Source

Files = dict[str, str]
LANDLOCK = Path("/proc/sys/kernel").exists() and confine.supported()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project: a folder with `.git`, and beside it a folder that no script may read."""
    outside = tmp_path / "outside"
    (outside / "node_modules" / "evil").mkdir(parents=True)
    (outside / "secret.json").write_text('{"secret": true}')
    (outside / "secret.txt").write_text("secret")
    (outside / "secret.mjs").write_text("export default { secret: true }")
    (outside / "node_modules" / "evil" / "index.js").write_text("module.exports = { secret: true }")
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    return root


def lay(root: Path, files: Files) -> Path:
    """Write files; the first is the script."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root / next(iter(files))


def outcome(script: Path, start: Path, printed: list[tuple[str, str]] | None = None, seconds: float = 10.0) -> object:
    """The data that a script gives, or the problem that it comes to."""
    lines: list[tuple[str, str]] = [] if printed is None else printed
    given = scripts.evaluate(script, start, lambda stream, line: lines.append((stream, line)), seconds=seconds)
    return fold(given, json.loads, lambda problems: problems[0])


def failed(fault: str, detail: str = "", *, at: str = "tool.config.ts", path: str = "") -> EvaluationFailed:
    """A fault, at `file:line:column`."""
    name, *place = at.split(":")
    return EvaluationFailed(Source(name, *map(int, place)), fault, detail, path)  # type: ignore[arg-type]


def here(name: str, text: str) -> Files:
    """One script."""
    return {name: textwrap.dedent(text).lstrip("\n")}


def ts(text: str) -> Files:
    """One `tool.config.ts`."""
    return here("tool.config.ts", text)


PACKAGES = {
    "node_modules/esm/package.json": '{"name":"esm","version":"1.0.0","type":"module","exports":"./main.js"}',
    "node_modules/esm/main.js": 'import cjs from "cjs"; export const theme = "esm+" + cjs.theme',
    "node_modules/cjs/package.json": '{"name":"cjs","version":"1.0.0","main":"main.js"}',
    "node_modules/cjs/main.js": 'const { sep } = require("path"); module.exports = { theme: "cjs" + sep }',
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
        ts('import { defineConfig } from "tool"; export default defineConfig({ a: 1 })')
        | {"node_modules/tool/package.json": '{"name":"tool","main":"m.js"}', "node_modules/tool/m.js": "throw 1"},
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
    "replaced built-ins": (
        ts(
            """
            JSON.stringify = () => '{"forged":1}'; JSON.parse = () => ({ forged: 1 });
            (globalThis as any).JSON = {}; Object.keys = () => ["forged"]; Array.isArray = () => true as any;
            String.prototype.isWellFormed = () => false; TextEncoder.prototype.encode = () => new Uint8Array([1]);
            Deno.stdout.writeSync = () => 0; Uint8Array.prototype.subarray = () => new Uint8Array();
            Atomics.wait = () => "ok"; Function.prototype.call = () => {}; Number.isFinite = () => false;
            Object.getPrototypeOf = () => null;
            export default { theme: "a", list: [1, 2], on: true };
            """
        ),
        {"theme": "a", "list": [1, 2], "on": True},
    ),
    "a stream used in Node's way": (
        ts(
            'await new Promise<void>((done) => process.stdout.write("", () => done()));'
            'export default { a: "x".repeat(9e5) }'
        ),
        {"a": "x" * 900_000},
    ),
    "changed prototypes": (
        ts(
            """
            Object.prototype.toJSON = () => "forged"; Object.prototype.forged = 1;
            Array.prototype[Symbol.iterator] = function* () { yield "forged" };
            Object.defineProperty(Object.prototype, "above", { set() { throw new Error("set") }, get() { return 1 } });
            Object.defineProperty(Object.prototype, "then", { value: undefined });
            String.prototype.toString = () => "forged"; Promise.prototype.then = () => { throw new Error("then") };
            export default { list: ["a"], text: "b" };
            """
        ),
        {"list": ["a"], "text": "b"},
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

FAULTS: dict[str, tuple[Files, EvaluationFailed]] = {
    # Not a configuration.
    "no default export": (ts("export const theme = 1"), failed("no default export")),
    "an empty file": (ts(""), failed("no default export")),
    "undefined": (ts("export default undefined"), failed("not an object", "undefined")),
    "null": (ts("export default null"), failed("not an object", "null")),
    "array": (ts("export default []"), failed("not an object", "an array")),
    "string": (ts('export default "a"'), failed("not an object", "a string")),
    "a function that gives nothing": (ts("export default () => {}"), failed("not an object", "undefined")),
    "a function that gives a function": (ts("export default () => () => ({})"), failed("not an object", "a function")),
    # Not plain data.
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
    # Thrown.
    "thrown": (
        ts('\ninterface A { a: number }\nexport default { a: ((): A => { throw new Error("boo") })() }'),
        failed("threw", "Error: boo", at="tool.config.ts:2:39"),
    ),
    "thrown elsewhere": (
        ts('import "./lib/a"') | {"lib/a.ts": "type A = 1\nthrow new TypeError('a\\nb')"},
        failed("threw", "TypeError: a\nb", at="lib/a.ts:2:7"),
    ),
    "thrown in a package": (
        ts('import { f } from "thrower";\nexport default { a: f() }')
        | {
            "node_modules/thrower/package.json": '{"name":"thrower","type":"module","main":"m.js"}',
            "node_modules/thrower/m.js": 'export function f() { throw new Error("deep") }',
        },
        failed("threw", "Error: deep", at="tool.config.ts:2:21"),
    ),
    "thrown in a function": (
        ts('export default async () => {\n  await 1;\n  throw new RangeError("late")\n}'),
        failed("threw", "RangeError: late", at="tool.config.ts:3:9"),
    ),
    "thrown in wrapped CommonJS": (
        here("tool.config.js", 'const a = require("path");\nthrow new Error("boo")')
        | {"package.json": '{"type":"module"}'},
        failed("threw", "Error: boo", at="tool.config.js:2:7"),
    ),
    "thrown string": (ts('throw "boo"'), failed("threw", "boo")),
    "thrown null": (ts("throw null"), failed("threw", "null")),
    "thrown object": (ts("throw { a: 1 }"), failed("threw", '{"a":1}')),
    "thrown symbol": (ts("throw Symbol()"), failed("threw", "a symbol")),
    "thrown Proxy that throws": (
        ts("throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getOwnPropertyDescriptor() { throw 3 } })"),
        failed("threw"),
    ),
    "rejected": (
        ts('export default Promise.reject(new Error("no"))'),
        failed("threw", "Error: no", at="tool.config.ts:1:31"),
    ),
    "rejected, and nobody waits": (
        ts('Promise.reject(new Error("no"));\nawait new Promise((r) => setTimeout(r, 50)); export default {}'),
        failed("threw", "Error: no", at="tool.config.ts:1:16"),
    ),
    "thrown from a timer": (
        ts(
            'setTimeout(() => { throw new Error("no") }, 1);'
            "await new Promise((r) => setTimeout(r, 50)); export default {}"
        ),
        failed("threw", "Error: no", at="tool.config.ts:1:26"),
    ),
    "getter that throws": (
        ts('export default {\n  get a() { throw new Error("no") } }'),
        failed("threw", "Error: no", at="tool.config.ts:2:19"),
    ),
    "stack that is no text": (
        ts('const e: any = new Error("no"); e.stack = { forged: 1 }; throw e'),
        failed("threw", "Error: no"),
    ),
    "an error that claims to be of Deno": (
        ts('throw new Error("Requires read access to \\"/x\\", run again with the --allow-read flag")'),
        failed("threw", 'Error: Requires read access to "/x"', at="tool.config.ts:1:7"),
    ),
    "a missing name": (
        ts("export default { a: nothing }"),
        failed("threw", "ReferenceError: nothing is not defined", at="tool.config.ts:1:21"),
    ),
    "CommonJS in .mjs": (
        here("tool.config.mjs", "module.exports = { a: nothing }"),
        failed("threw", "ReferenceError: nothing is not defined", at="tool.config.mjs:1:23"),
    ),
    # Syntax.
    "syntax of TypeScript": (
        ts("export default {\n  a: [ }"),
        failed(
            "syntax",
            "Expression expected",
            at="tool.config.ts:2:8",
        ),
    ),
    "syntax that only V8 refuses": (
        here("tool.config.js", "let a = 1;\nlet a = 2;\nexport default {}"),
        failed("syntax", "Identifier 'a' has already been declared", at="tool.config.js:2:5"),
    ),
    "syntax of CommonJS": (
        here("tool.config.cjs", "module.exports = {\n  a: 1,, }"),
        failed(
            "syntax",
            "Unexpected token `,`. Expected identifier, string literal, numeric literal or [ for the computed key",
            at="tool.config.cjs:2:8",
        ),
    ),
    "syntax of JSON": (
        ts('import a from "./a.json"; export default a') | {"a.json": '{\n "a": }'},
        failed("threw", 'SyntaxError: Unexpected token \'}\', "{\n "a": }" is not valid JSON', at="a.json"),
    ),
    "syntax of an import": (ts('import "./b"') | {"b.js": "}"}, failed("syntax", "Expression expected", at="b.js:1:1")),
    # Imports.
    "missing file": (
        ts('\nimport a from "./lib/missing";\nexport default a'),
        failed("missing import", "lib/missing", at="tool.config.ts:1:15"),
    ),
    "missing file, required": (
        here("tool.config.cjs", '\nmodule.exports = require("./missing")'),
        failed("missing import", "missing", at="tool.config.cjs"),
    ),
    "missing package": (
        ts('import a from "missing"; export default a'),
        failed("missing import", "missing", at="tool.config.ts:1:15"),
    ),
    "package that is not installed": (
        ts('import a from "left-pad"; export default a') | {"package.json": '{"dependencies":{"left-pad":"1"}}'},
        failed("missing import", "left-pad", at="tool.config.ts:1:15"),
    ),
    "missing node: module": (
        ts('import "node:missing"'),
        failed("missing import", "node:missing", at="tool.config.ts:1:8"),
    ),
    "another runtime's module": (
        ts('import "bun:test"'),
        failed("missing import", "bun:test", at="tool.config.ts:1:8"),
    ),
    "missing export": (
        ts('import { b } from "./a";\nexport default b') | {"a.ts": "export const a = 1"},
        failed("missing import", "b from ./a", at="tool.config.ts:1:10"),
    ),
    "npm:": (
        ts('import a from "npm:chalk@5"; export default a'),
        failed("missing import", "npm:chalk@5", at="tool.config.ts:1:15"),
    ),
    "jsr:": (
        ts('import a from "jsr:@std/path"; export default a'),
        failed("denied", "downloading jsr:@std/path", at="tool.config.ts:1:15"),
    ),
    "https:": (
        ts('import a from "https://example.com/a.ts"; export default a'),
        failed("denied", "downloading https://example.com/a.ts", at="tool.config.ts:1:15"),
    ),
    "https:, computed": (
        ts('export default await import("https://example.com/" + "a.ts")'),
        failed("denied", "downloading https://example.com/a.ts", at="tool.config.ts:1:16"),
    ),
    # Denied.
    "write": (ts('Deno.writeTextFileSync("made", "")'), failed("denied", "writing made", at="tool.config.ts:1:6")),
    "write by node:fs": (
        ts('import fs from "node:fs";\nfs.writeFileSync("made", "")'),
        failed("denied", "writing made", at="tool.config.ts:2:4"),
    ),
    "remove": (
        ts("Deno.removeSync(import.meta.filename!)"),
        failed("denied", "writing {project}/tool.config.ts", at="tool.config.ts:1:6"),
    ),
    "spawn": (ts('new Deno.Command("ls").outputSync()'), failed("denied", "running ls", at="tool.config.ts:1:24")),
    "spawn by node:child_process": (
        ts('import { execSync } from "node:child_process";\nexecSync("ls -l")'),
        failed("denied", "running ls -l", at="tool.config.ts:2:1"),
    ),
    "connect by node:net": (
        ts('import net from "node:net"; net.connect(80, "example.com"); await new Promise((r) => setTimeout(r, 2000))'),
        failed("denied", "network access to example.com"),
    ),
    "signal the tool": (
        ts("process.kill(process.ppid, 9)"),
        failed("denied", "running a program", at="tool.config.ts:1:9"),
    ),
    "fetch": (
        ts('await fetch("http://example.com/")'),
        failed("denied", "network access to example.com:80", at="tool.config.ts:1:7"),
    ),
    "listen": (
        ts("Deno.listen({ port: 0 })"),
        failed("denied", "network access to 0.0.0.0:0", at="tool.config.ts:1:6"),
    ),
    "dlopen": (
        ts('Deno.dlopen("./a.so", {})'),
        failed("denied", "loading the native code ./a.so", at="tool.config.ts:1:6"),
    ),
    "host name": (ts("Deno.hostname()"), failed("denied", "asking the system for: hostname", at="tool.config.ts:1:6")),
    "inspector": (
        ts('import { Session } from "node:inspector";\nnew Session().connect()'),
        failed("denied", "asking the system for: inspector", at="tool.config.ts:2:15"),
    ),
    "read outside": (
        ts('Deno.readTextFileSync("/etc/passwd")'),
        failed("denied", "reading /etc/passwd", at="tool.config.ts:1:6"),
    ),
    "read the process": (
        ts('Deno.readTextFileSync("/proc/self/environ")'),
        failed("denied", "reading /proc/self/environ", at="tool.config.ts:1:6"),
    ),
    "read the tool's own evaluator": (
        ts("Deno.readTextFileSync(new URL(Deno.mainModule))"),
        failed("denied", "reading {evaluator}", at="tool.config.ts:1:6"),
    ),
    "import from outside": (
        ts('import a from "../outside/secret.mjs"; export default a'),
        failed("denied", "reading {outside}/secret.mjs", at="tool.config.ts:1:15"),
    ),
    "JSON from outside": (
        ts('import a from "../outside/secret.json" with { type: "json" }; export default a'),
        failed("denied", "reading {outside}/secret.json", at="tool.config.ts:1:15"),
    ),
    "JSON from outside, without an attribute": (
        ts('import a from "../outside/secret.json"; export default a'),
        failed("denied", "reading {outside}/secret.json", at="tool.config.ts:1:15"),
    ),
    "import from outside in a data: module": (
        ts(
            'const url = new URL("../outside/secret.json", import.meta.url);\n'
            'export default await import(`data:text/javascript,export{default}from"${url}"with{type:"json"}`)'
        ),
        failed("denied", "reading {outside}/secret.json", at="tool.config.ts:2:16"),
    ),
    # Ends, hangs and floods.
    "Deno.exit": (ts("Deno.exit(0)"), failed("ended early", "exit code 0")),
    "process.exit": (ts("process.exit(3); export default {}"), failed("ended early", "exit code 3")),
    "a promise that never settles": (
        ts("export default new Promise(() => {})"),
        failed("ended early", "it waits for a promise that never settles"),
    ),
    "top-level await that never settles": (
        ts("const a = 1;\nawait new Promise(() => {}); export default {}"),
        failed("ended early", "it waits for a promise that never settles", at="tool.config.ts:2:1"),
    ),
    "endless output": (ts('for (;;) console.log("x".repeat(1000))'), failed("too much output", "1048576 bytes")),
    "endless output on standard error": (
        ts('for (;;) console.error("x".repeat(1000))'),
        failed("too much output", "1048576 bytes"),
    ),
    "allocated objects": (
        ts("const all = []; for (;;) all.push(new Array(1000).fill(0.5).map(String))"),
        failed("out of memory"),
    ),
    "standard output closed": (
        ts('import fs from "node:fs"; fs.closeSync(1); export default { a: 1 }'),
        failed("ended early", "exit code 1"),
    ),
    "a stack that is made up": (
        ts('Error.prepareStackTrace = () => "    at file:///etc/passwd:1:1"; throw new Error("no")'),
        failed("threw", "Error: no"),
    ),
    "allocated buffers": (
        ts("const all = []; for (;;) all.push(new Uint8Array(1 << 26).fill(1))"),
        failed("out of memory", at="tool.config.ts:1:35"),
    ),
    "allocated in spite of a raised limit": (
        ts(
            'import v8 from "node:v8"; v8.setFlagsFromString("--max-old-space-size=60000");\n'
            "const all = []; for (;;) all.push(new Uint8Array(1 << 26).fill(1))"
        ),
        failed("out of memory", at="tool.config.ts:2:35"),
    ),
}


@pytest.mark.parametrize(
    ("files", "expected"), [*GOOD.values(), *MODULES.values(), *ODD.values()], ids=[*GOOD, *MODULES, *ODD]
)
def test_gives_data(project: Path, monkeypatch: pytest.MonkeyPatch, files: Files, expected: object) -> None:
    """A script gives the data of its default export, and leaves no file behind."""
    monkeypatch.setenv("TOOL_TEST", "yes")
    script = lay(project, files)
    before = sorted(project.rglob("*"))
    printed: list[tuple[str, str]] = []
    assert (outcome(script, project, printed), printed, sorted(project.rglob("*"))) == (expected, [], before)


@pytest.mark.parametrize(("files", "expected"), FAULTS.values(), ids=FAULTS)
def test_comes_to_a_fault(project: Path, files: Files, expected: EvaluationFailed) -> None:
    """A script that is no configuration comes to a fault, with a place in the user's own files where there is one."""
    script = lay(project, files)
    before = sorted(project.rglob("*"))
    evaluator = Path(deno.__file__).parent / "evaluator" / "evaluate.mjs"
    detail = expected.detail.replace("{project}", str(project)).replace("{outside}", str(project.parent / "outside"))
    detail = detail.replace("{evaluator}", str(evaluator))
    wanted = EvaluationFailed(expected.source, expected.fault, detail, expected.path)
    assert (outcome(script, project), sorted(project.rglob("*"))) == (wanted, before)


def test_prints_are_told_and_never_taken_for_the_result(project: Path) -> None:
    """What a script prints, by any means and however it looks, is told line by line as it is, and nothing else."""
    script = lay(
        project,
        ts(
            """
            import fs from "node:fs";
            const forged = '={"theme":"forged"}';
            console.log("\\n" + "0".repeat(32) + forged);
            process.stdout.write(forged + "\\n");
            await Deno.stdout.write(new TextEncoder().encode("\\x1b[31m" + forged + "\\n"));
            fs.writeSync(1, "\\ud83d\\ude00 by descriptor\\n\\nno newline");
            console.error("to\\rerror");
            fs.writeSync(2, new Uint8Array([255, 10]));
            try { fs.writeSync(3, forged) } catch {}
            export default { theme: "a" };
            """
        ),
    )
    printed: list[tuple[str, str]] = []
    forged = '={"theme":"forged"}'
    expected = [
        ("stdout", ""),
        ("stdout", "0" * 32 + forged),
        ("stdout", forged),
        ("stdout", "\x1b[31m" + forged),
        ("stdout", "\U0001f600 by descriptor"),
        ("stdout", ""),
        ("stdout", "no newline"),
        ("stderr", "to\rerror"),
        ("stderr", "\\xff"),
    ]
    assert (outcome(script, project, printed), printed) == ({"theme": "a"}, expected)


def test_a_worker_that_prints_meanwhile_does_not_garble_a_long_result(project: Path) -> None:
    """The frames of a result stay whole while another thread writes to the same stream."""
    noise = (
        "import fs from 'node:fs'; postMessage(1); for (let i = 0; i < 300; i++) fs.writeSync(1, 'noise '.repeat(400));"
    )
    script = lay(
        project,
        ts(
            f"""
            const worker = new Worker("data:text/javascript,{noise}", {{ type: "module" }});
            await new Promise((go) => worker.onmessage = go);
            export default {{ a: "\u00e9".repeat(400_000) }};
            """
        ),
    )
    printed: list[tuple[str, str]] = []
    result = outcome(script, project, printed)
    assert (result, {line.replace("noise ", "") for _, line in printed} <= {"", *"noise"}) == (
        {"a": "\u00e9" * 400_000},
        True,
    )


def test_prints_are_told_when_the_script_fails(project: Path) -> None:
    """A script that throws has its prints told, without the words that the runtime adds."""
    script = lay(
        project, ts('console.log("before"); try { Deno.openSync("/x") } catch (e) { console.log(e.message) } throw 1')
    )
    printed: list[tuple[str, str]] = []
    told = [("stdout", "before"), ("stdout", 'Requires read access to "/x"')]
    assert (outcome(script, project, printed), printed) == (failed("threw", "1"), told)


def test_a_second_attempt_tells_the_prints_once(project: Path) -> None:
    """A script that is evaluated again, less strictly, is heard once."""
    files = here("tool.config.js", 'console.log("once"); module.exports = {}') | {"package.json": '{"type":"module"}'}
    printed: list[tuple[str, str]] = []
    assert (outcome(lay(project, files), project, printed), printed) == ({}, [("stdout", "once")])


@pytest.mark.parametrize(
    "text", ["for (;;);", "await new Promise(() => setInterval(() => {}, 1))", "while (true) await 0"]
)
def test_a_hang_is_ended_in_time(project: Path, text: str) -> None:
    """A script that does not end is ended, with its whole group, when its time is up."""
    began = time.monotonic()
    result = outcome(lay(project, ts(text + "; export default {}")), project, seconds=0.5)
    assert (result, time.monotonic() - began < 2.0, processes()) == (failed("timed out", "0.5 s"), True, [])


def processes() -> list[str]:
    """The command lines of this process's children that are still there."""
    found = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True, check=False
    )
    return [line for line in found.stdout.splitlines() if "evaluate.mjs" in line]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_ends_the_child(project: Path, interrupt: type[BaseException]) -> None:
    """An interrupt passes on once the child is gone."""
    script = lay(project, ts("for (;;);"))

    def handle(*_: object) -> None:
        raise interrupt

    previous = signal.signal(signal.SIGUSR1, handle)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1))
    timer.start()
    try:
        with pytest.raises(interrupt):
            outcome(script, project)
    finally:
        timer.join()
        signal.signal(signal.SIGUSR1, previous)
    assert processes() == []


def test_endless_recursion(project: Path) -> None:
    """A stack that overflows is thrown in the user's file; V8 does not always say at which column."""
    result = outcome(lay(project, ts("const f = (): unknown => [f()];\nexport default f()")), project)
    assert isinstance(result, EvaluationFailed)
    place = (result.source.name, result.source.line)
    assert (place, result.detail) == (("tool.config.ts", 1), "RangeError: Maximum call stack size exceeded")


LINKS = {
    "read through a link": 'Deno.readTextFileSync(new URL("./link.txt", import.meta.url))',
    "read through a linked folder": 'Deno.readTextFileSync(new URL("./linked/secret.txt", import.meta.url))',
    "list a linked folder": '[...Deno.readDirSync(new URL("./linked", import.meta.url))]',
    "import through a link": 'await import("./link.mjs")',
    "import through a linked folder": 'await import("./linked/secret.mjs")',
    "import JSON through a link": 'await import("./link.json", { with: { type: "json" } })',
    "require a package outside": 'createRequire(new URL("../outside/x.js", import.meta.url))("evil")',
}


@pytest.mark.skipif(not LANDLOCK, reason="the kernel does not confine")
@pytest.mark.parametrize("act", LINKS.values(), ids=LINKS)
def test_no_link_leads_out(project: Path, act: str) -> None:
    """Where the kernel confines, a symlink out of the project, or a foreign package, gives nothing away."""
    outside = project.parent / "outside"
    for name, target in {
        "link.txt": "secret.txt",
        "link.mjs": "secret.mjs",
        "link.json": "secret.json",
        "linked": "",
    }.items():
        (project / name).symlink_to(outside / target)
    script = lay(
        project, ts(f'import {{ createRequire }} from "node:module"; void createRequire; export default {{ a: {act} }}')
    )
    result = outcome(script, project)
    assert isinstance(result, EvaluationFailed)
    assert (result.fault, "true" in result.detail) == ("denied", False)


def test_what_lies_above_the_project(project: Path) -> None:
    """A `package.json` above the project counts for the type of module, and for nothing that a script can read."""
    above = {"package.json": '{"type":"module"}', "node_modules/foreign/index.js": "module.exports = 1"}
    lay(project.parent, above)
    scripts_and_outcomes = {
        "a.js": ("module.exports = { a: 1 }", {"a": 1}),
        "b.cjs": ("module.exports = { a: 1 }", {"a": 1}),
        "c.js": ("export default { a: 1 }", {"a": 1}),
        "d.cjs": ('module.exports = require("foreign")', failed("missing import", "foreign", at="d.cjs")),
        "e.ts": (
            'export default Deno.readTextFileSync("../package.json")',
            failed("denied", "reading ../package.json", at="e.ts:1:21"),
        ),
    }
    if LANDLOCK:
        reading = failed("denied", f"reading {project.parent}/node_modules/foreign/index.js", at="f.ts:1:15")
        scripts_and_outcomes["f.ts"] = ('import a from "foreign"; export default { a }', reading)
    found = {name: outcome(lay(project, {name: text}), project) for name, (text, _) in scripts_and_outcomes.items()}
    assert found == {name: expected for name, (_, expected) in scripts_and_outcomes.items()}


def test_links_inside_the_project_are_followed(project: Path) -> None:
    """Packages that are linked within the project, as pnpm does, are found."""
    files = ts('import { theme } from "esm"; export default { theme }') | PACKAGES
    script = lay(project, files)
    (project / "node_modules" / "esm").rename(project / "store")
    (project / "node_modules" / "esm").symlink_to("../store")
    (project / "store" / "node_modules").mkdir()
    (project / "store" / "node_modules" / "cjs").symlink_to("../../node_modules/cjs")
    assert outcome(script, project) == {"theme": "esm+cjs/"}


def test_a_script_that_is_a_link_out_is_refused(project: Path) -> None:
    """A script that is itself a symlink out of its project is not evaluated."""
    (project / "tool.config.mjs").symlink_to("../outside/secret.mjs")
    detail = f"reading {project.parent}/outside/secret.mjs"
    assert outcome(project / "tool.config.mjs", project) == failed("denied", detail, at="tool.config.mjs")


@pytest.mark.parametrize(
    ("files", "above"),
    [
        ({"a/b/tool.config.ts": "", "a/.git/x": "", "package.json": "{}"}, "a"),
        ({"a/b/tool.config.ts": "", "a/.git": "gitdir: x", "a/b/package.json": "{}"}, "a"),
        ({"a/b/tool.config.ts": "", "a/package.json": "{}", "a/b/package.json": "{}"}, "a"),
        ({"a/b/tool.config.ts": "", "a/b/package.json": "{}"}, "a/b"),
        ({"a/b/tool.config.ts": ""}, "a/b"),
    ],
    ids=["nearest .git", ".git file of a worktree", "topmost package.json", "its package.json", "own folder"],
)
def test_the_folder_that_a_script_may_read(tmp_path: Path, files: Files, above: str) -> None:
    """A script may read the nearest folder with `.git`, else the topmost with a `package.json`, else its own."""
    assert scripts.project_of(lay(tmp_path, files)) == tmp_path / above


@pytest.mark.parametrize(
    "folder",
    ["with space", "\u00fcn\u00ef \u4f60\u597d", "a#b", "a?b", "100%25", "a,b", "a'b\"c", "x&y;z", "-q", "a\\b"],
)
def test_any_name_of_a_folder(project: Path, folder: str) -> None:
    """Spaces, commas, and what has a meaning in addresses and flags may stand in a path."""
    files = ts(
        'import b from "./lib/b"; import { theme } from "esm";'
        'import { defineConfig } from "tool"; export default defineConfig({ b, theme })'
    )
    script = lay(project / folder, files | {"lib/b.ts": "export default 1 as number"} | PACKAGES)
    (project / folder / ".git").mkdir()
    broken = lay(project / folder, here("broken.ts", "\nthrow new Error('no')"))
    expected = ({"b": 1, "theme": "esm+cjs/"}, failed("threw", "Error: no", at="broken.ts:1:7"))
    assert (outcome(script, project / folder), outcome(broken, project / folder)) == expected


def test_places_are_relative_to_the_current_folder(project: Path) -> None:
    """A file is named as from where the user stands, also above and when the script is given by a relative path."""
    lay(project, ts('import "./lib/a"') | {"lib/a.ts": "throw 1", "lib/b.ts": "throw new Error('b')", "sub/x": ""})
    given = (Path("../tool.config.ts"), Path("../lib/b.ts"))
    results = tuple(outcome(path, project / "sub") for path in given)
    assert results == (failed("threw", "1", at="../tool.config.ts"), failed("threw", "Error: b", at="../lib/b.ts:1:7"))


def test_a_current_folder_outside_the_project_stays_out(project: Path) -> None:
    """From outside, a script runs at the root of its project."""
    script = lay(project, ts('export default { at: Deno.cwd().split("/").at(-1) }'))
    assert outcome(script, project.parent) == {"at": "project"}


STEERING = {
    "DENO_V8_FLAGS": "--bogus",
    "DENO_AUDIT_PERMISSIONS": "audit.jsonl",
    "DENO_TRACE_PERMISSIONS": "1",
    "DENO_COVERAGE_DIR": "coverage",
    "DENO_DIR": "cache",
    "DENO_CONDITIONS": "evil",
    "DENO_AUTO_SERVE": "1",
    "NODE_OPTIONS": "--require ./evil.js",
    "NODE_V8_COVERAGE": "coverage",
    "NODE_PATH": "evil",
    "OTEL_DENO": "true",
    "SSLKEYLOGFILE": "keys",
    "FORCE_COLOR": "1",
}


def test_no_variable_steers_the_runtime(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that would make Deno write, load or trace have no effect."""
    for name, value in STEERING.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(project)
    script = lay(
        project,
        ts('try { Deno.readTextFileSync("/x") } catch {} export default { a: process.env.DENO_DIR ?? "unset" }'),
    )
    assert (outcome(script, project), sorted(found.name for found in project.iterdir())) == (
        {"a": "unset"},
        [".git", "tool.config.ts"],
    )


def test_the_cache_does_not_last(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Deno keeps of a run, and what a script puts in the web's storages, goes with the process."""
    memory = project.parent / "memory"
    memory.mkdir()
    monkeypatch.setattr(deno, "_IN_MEMORY", str(memory))
    monkeypatch.setattr(confine, "_landlock", unconfined)
    script = lay(
        project,
        ts('const a = localStorage.getItem("a"); localStorage.setItem("a", "b"); export default { a }'),
    )
    assert ([outcome(script, project), outcome(script, project)], [*memory.iterdir()]) == ([{"a": None}] * 2, [])


def unconfined(_: object) -> None:
    """Stand in for a kernel that cannot confine."""
    raise OSError


@pytest.mark.skipif(not LANDLOCK, reason="the kernel does not confine")
@pytest.mark.parametrize("act", ['localStorage.setItem("a", "b")', 'await caches.open("c")'])
def test_nothing_is_stored(project: Path, act: str) -> None:
    """Where the kernel confines, the web's storages cannot be used to fill the memory of the machine."""
    result = outcome(lay(project, ts(f"export default {{ a: {act} }}")), project)
    assert isinstance(result, EvaluationFailed)
    assert result.fault in {"denied", "threw"}


RUN = """
import sys, json
from pathlib import Path
from io_edges.scripts import evaluate as scripts
from pipeline.report.outcome import fold
script = Path(sys.argv[1])
result = fold(scripts.evaluate(script, script.parent, lambda *_: None), lambda data: data.decode(), repr)
print(result)
"""


def in_a_process(script: Path, env: dict[str, str | None]) -> tuple[str, str]:
    """Evaluate in a process of its own, of a root without its powers if we are root; what it says and its errors."""
    powerless = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] if os.geteuid() == 0 else []
    variables = {name: value for name, value in {**os.environ, **env}.items() if value is not None}
    command = [*powerless, sys.executable, "-c", RUN, str(script)]
    variables["PYTHONPATH"] = str(Path(scripts.__file__).parent.parent.parent)
    ended = subprocess.run(command, capture_output=True, text=True, cwd="/", env=variables, check=False)
    return ended.stdout.strip(), ended.stderr


@pytest.fixture
def read_only(project: Path) -> Iterator[Path]:
    """A script in a project that nobody may write to, nor to any folder above."""
    script = lay(project, ts("export default { theme: 'a' as string }"))
    folders = [project, *project.parents]
    modes = {folder: folder.stat().st_mode for folder in folders if folder.stat().st_uid == os.geteuid()}
    for folder in modes:
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o555)
    yield script
    for folder, mode in modes.items():
        folder.chmod(stat.S_IMODE(mode))


@pytest.mark.parametrize("home", [None, "/proc/nowhere", "{read only}"], ids=["unset", "not there", "read-only"])
def test_read_only_project_and_no_home(read_only: Path, home: str | None) -> None:
    """A script in a read-only project is evaluated, with `HOME` unset, missing or read-only."""
    env = {"HOME": str(read_only.parent) if home == "{read only}" else home, "XDG_CACHE_HOME": None}
    assert in_a_process(read_only, env) == ('{"theme":"a"}', "")


def test_nowhere_to_write(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no temporary folder can be made, a script is evaluated all the same."""
    monkeypatch.setattr(deno, "_temporary", lambda: iter(("/nonexistent", "/proc", "a\0b")))
    assert outcome(lay(project, ts("export default { a: 1 as number }")), project) == {"a": 1}


def test_without_confinement(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel cannot confine, Deno's own limits hold, and a link out is followed."""
    monkeypatch.setattr(confine, "_landlock", unconfined)
    (project / "link.json").symlink_to("../outside/secret.json")
    followed = lay(project, ts('import a from "./link.json" with { type: "json" }; export default a'))
    held = lay(
        project, here("held.ts", 'import a from "../outside/secret.json" with { type: "json" }; export default a')
    )
    denied = failed("denied", f"reading {project.parent}/outside/secret.json", at="held.ts:1:15")
    assert (outcome(followed, project), outcome(held, project)) == ({"secret": True}, denied)


def test_unreadable(project: Path) -> None:
    """A script that cannot be read is unreadable, whatever the reason."""
    (project / "folder.ts").mkdir()
    os.mkfifo(project / "pipe.ts")
    results = tuple(outcome(Path(name), project) for name in ("folder.ts", "pipe.ts", "missing.ts"))
    assert results == (
        ConfigUnreadable("folder.ts", "it is not a file"),
        ConfigUnreadable("pipe.ts", "it is not a file"),
        ConfigUnreadable("missing.ts", "no such file or directory"),
    )


def test_no_runtime(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Deno, or with one that does not start or is too old, scripts cannot be evaluated."""
    script = lay(project, ts("export default {}"))
    old = lay(project.parent, {"bin/deno": "#!/bin/sh\necho \"error: unexpected argument '--x' found\" >&2; exit 1\n"})
    results = []
    for program in (None, "/nonexistent/deno", str(old)):
        old.chmod(0o755)
        monkeypatch.setattr(deno, "find", lambda program=program: program)
        results.append(outcome(script, project))
    assert results == [ScriptRuntimeUnavailable("tool.config.ts")] * 3


def test_deno_on_the_path(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the wheel's binary, `deno` on `PATH` is taken."""
    binary = lay(project, {"bin/deno": "#!/bin/sh\n"})
    binary.chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(project / "nothing"))
    monkeypatch.setitem(sys.modules, "deno", None)
    monkeypatch.setenv("PATH", str(binary.parent))
    assert deno.find() == str(binary)


SPY = """
const arrays = Object.getPrototypeOf(Uint8Array.prototype);
const length = Object.getOwnPropertyDescriptor(arrays, "length")!;
const write = Deno.stdout.writeSync.bind(Deno.stdout);
const encoder = new TextEncoder();
function listen(bytes: Uint8Array) {
  const count = length.get!.call(bytes);
  if (count < 33 || bytes[0] !== 10) return;
  Object.defineProperty(arrays, "length", length);
  const nonce = String.fromCharCode(...Array.from({ length: 32 }, (_, i) => bytes[i + 1]));
  if (/^[0-9a-f]{32}$/.test(nonce)) write(encoder.encode("\\n" + nonce + '={"theme":"forged"}\\n'));
}
"""


@pytest.mark.parametrize(
    "trap",
    [
        """
        const get = function (this: Uint8Array) { listen(this); return length.get!.call(this) };
        Object.defineProperty(arrays, "length", { configurable: true, get });
        """,
        """
        class Evil extends Uint8Array {
          constructor(...a: any[]) { super(...(a as [any])); listen(new Uint8Array(this.buffer)) }
        }
        Object.defineProperty(Uint8Array.prototype, "constructor", { value: Evil });
        Object.defineProperty(Uint8Array, Symbol.species, { value: Evil });
        """,
        """
        const set = Uint8Array.prototype.set;
        Uint8Array.prototype.set = function (...a: any[]) { listen(this); return set.apply(this, a as any) };
        const construct = (t: any, a: any, n: any) => {
          const made = Reflect.construct(t, a, n);
          listen(made);
          return made;
        };
        globalThis.Uint8Array = new Proxy(Uint8Array, { construct });
        """,
    ],
    ids=["length", "species", "constructor"],
)
def test_no_script_can_listen_to_the_answer(project: Path, trap: str) -> None:
    """A script that replaces what arrays are made of learns nothing of the channel that the answer takes."""
    script = lay(project, {"tool.config.ts": f'{SPY}{trap}\nexport default {{ theme: "exported" }}'})
    printed: list[tuple[str, str]] = []
    assert (outcome(script, project, printed), printed) == ({"theme": "exported"}, [])


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


def test_what_another_way_does_not_mend_is_told_as_it_was(project: Path) -> None:
    """Where an imported module uses a name that it does not have, that is what is told, at that module."""
    files = {"tool.config.ts": 'import a from "./lib.ts";\nexport default { a }', "lib.ts": "export default module.x"}
    expected = failed("threw", "ReferenceError: module is not defined", at="lib.ts:1:16")
    assert outcome(lay(project, files), project) == expected


@pytest.mark.parametrize("name", ["a#b.ts", "a?b.ts", "a%41.ts", "a%20b.ts", "a b.ts", "é.ts", "a(b).js"])
def test_places_in_files_with_odd_names(project: Path, name: str) -> None:
    """The place of an error is in the file that it happened in, whatever its name, not in one that looks like it."""
    for other in ("a", "aA.ts"):
        (project / other).write_text("1\n2\n3\n")
    script = lay(project, {f"x y/{name}": "const a = 1;\n\nthrow new Error('boo')"})
    assert outcome(script, project) == failed("threw", "Error: boo", at=f"x y/{name}:3:7")


@pytest.mark.parametrize("name", ["a:1:2.ts", "a(b).ts"])
def test_names_in_which_lines_cannot_be_told(project: Path, name: str) -> None:
    """Where the runtime gives the line of what it made of a file, the file alone is named."""
    script = lay(project, {name: "const a: number = 1;\n\nthrow new Error('boo')"})
    found = EvaluationFailed(Source(name), "threw", "Error: boo")
    assert outcome(script, project) == found


def test_file_access_may_be_asked_for(project: Path) -> None:
    """Asking whether a file of the project may be read is reading it."""
    script = lay(project, ts('import fs from "node:fs"; fs.accessSync("./tool.config.ts"); export default { a: 1 }'))
    assert outcome(script, project) == {"a": 1}


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
    assert (found.fault, found.detail) == ("not data", "more than 1 MiB")


def test_a_script_cannot_pretend_that_there_is_no_runtime(project: Path) -> None:
    """What a script prints is not taken for what the runtime says of its own flags."""
    script = lay(project, ts('console.error("error: unexpected argument"); Deno.exit(1)'))
    assert outcome(script, project) == failed("ended early", "exit code 1")


def test_a_link_to_a_script_is_the_script(project: Path) -> None:
    """A configuration that is a link inside the project imports what is beside the file it leads to."""
    script = lay(project, {"real/c.ts": 'import a from "./h";\nexport default { a }', "real/h.ts": "export default 1"})
    (project / "tool.config.ts").symlink_to(script)
    assert outcome(project / "tool.config.ts", project) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "fault", "detail"),
    [
        ('import "./x.css"; export default {}', "unsupported import", None),
        ("export default { a: 1 };\nexport default { b: 1 };", "syntax", "a default export has already been declared"),
    ],
)
def test_more_ways_to_be_wrong(project: Path, text: str, fault: str, detail: str | None) -> None:
    """What cannot be loaded, and two default exports, are told in words of their own."""
    found = outcome(lay(project, {"tool.config.ts": text, "x.css": "a {}"}), project)
    assert isinstance(found, EvaluationFailed)
    assert (found.fault, detail or found.detail) == (fault, found.detail)
    assert "ERR_" not in found.detail
