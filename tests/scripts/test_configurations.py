"""Configurations as people write them."""

from pathlib import Path

import pytest

from tests.support.scripts import Files, failed, lay, outcome
from tests.support.sweep import sample

HARBOUR = {"theme": "harbour"}
PACKAGES: Files = {
    "package.json": '{"name": "shop", "version": "2.1.0", "private": true, "dependencies": {"names": "1"}}',
    "node_modules/names/package.json": '{"name": "names", "main": "./index.js"}',
    "node_modules/names/index.js": 'exports.theme = "harbour"; exports.upper = (s) => s.toUpperCase();',
    "node_modules/@shop/esm/package.json": '{"name": "@shop/esm", "type": "module", "exports": {".": "./m.js"}}',
    "node_modules/@shop/esm/m.js": 'export default "harbour"; export * as inner from "./inner.js";',
    "node_modules/@shop/esm/inner.js": "export const count = 2;",
    "node_modules/typed/package.json": '{"name": "typed", "type": "module", "main": "index.js", "types": "index.d.ts"}',
    "node_modules/typed/index.js": 'export function pick(list) { return list.at(0) ?? "none"; }',
    "node_modules/typed/index.d.ts": "export declare function pick(list: readonly string[]): string;",
    "node_modules/@team/presets/package.json": '{"name": "@team/presets", "type": "module"}',
    "node_modules/@team/presets/plain.js": 'import { definePreset } from "tool";\n'
    'export default definePreset({ theme: ["harbour"][0] });',
    "node_modules/@team/presets/typed.ts": 'import { definePreset, type ToolPreset } from "tool";\n'
    'import { Theme } from "./theme.ts";\n'
    "const preset: ToolPreset = { theme: Theme.Harbour };\n"
    "export default definePreset(preset);",
    "node_modules/@team/presets/theme.ts": 'export enum Theme { Harbour = "harbour" }',
    "node_modules/@team/presets/common.cts": 'const theme: string = ["harbour"][0]; module.exports = { theme };',
}

CONFIGURATIONS: dict[str, tuple[str, str, object]] = {
    "a plain object": ("ts", 'export default { theme: "harbour" };', HARBOUR),
    "defineConfig": (
        "ts",
        'import { defineConfig } from "tool";\nexport default defineConfig({ schema: 1, theme: "harbour" });',
        {"schema": 1, "theme": "harbour"},
    ),
    "a type": (
        "ts",
        'import type { ToolConfig } from "tool";\n'
        'const config: ToolConfig = { theme: "harbour" };\n'
        "export default config;",
        HARBOUR,
    ),
    "satisfies and as const": (
        "ts",
        'import { type ToolConfig } from "tool";\nexport default { theme: "harbour" } as const satisfies ToolConfig;',
        HARBOUR,
    ),
    "an async function": (
        "ts",
        "export default async function () {\n"
        "  await new Promise((done) => setTimeout(done, 1));\n"
        '  return { theme: "harbour" };\n'
        "}",
        HARBOUR,
    ),
    "an arrow function": ("ts", 'export default () => ({ theme: "harbour" });', HARBOUR),
    "top-level await": ("ts", 'const theme = await Promise.resolve("harbour");\nexport default { theme };', HARBOUR),
    "try and catch that throws on": (
        "ts",
        'let theme = "auto";\n'
        "try {\n"
        "  theme = JSON.parse('\"harbour\"');\n"
        "} catch (e) {\n"
        "  if (e) throw e;\n"
        "}\n"
        "export default { theme };",
        HARBOUR,
    ),
    "try, catch and finally around a file": (
        "ts",
        """
        import { readFileSync } from "node:fs";
        let theme: string | undefined;
        try {
          theme = JSON.parse(readFileSync("missing.json", "utf8")).theme;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        } finally {
          theme ??= "harbour";
        }
        export default { theme };
        """,
        HARBOUR,
    ),
    "a class with private fields": (
        "ts",
        """
        class Shop {
          #theme: string;
          static readonly fallback = "harbour";
          constructor(private readonly name?: string) { this.#theme = name ?? Shop.fallback; }
          get config() { return { theme: this.#theme }; }
        }
        export default new Shop().config;
        """,
        HARBOUR,
    ),
    "inheritance and an abstract class": (
        "ts",
        """
        abstract class Base { abstract theme(): string; build() { return { theme: this.theme() }; } }
        class Harbour extends Base { override theme() { return "harbour"; } }
        export default new Harbour().build();
        """,
        HARBOUR,
    ),
    "an enum": (
        "ts",
        'enum Theme { Harbour = "harbour", Plain = "plain" }\nexport default { theme: Theme.Harbour };',
        HARBOUR,
    ),
    "a const enum and a namespace": (
        "ts",
        "const enum Level { Low = 1, High }\n"
        "namespace Shop { export const level = Level.High }\n"
        "export default { level: Shop.level };",
        {"level": 2},
    ),
    "a decorator": (
        "ts",
        """
        function completed(method: (this: Shop) => string, _: ClassMethodDecoratorContext) {
          return function (this: Shop) { return `${method.call(this)}bour`; };
        }
        class Shop { @completed theme() { return "har"; } }
        export default { theme: new Shop().theme() };
        """,
        HARBOUR,
    ),
    "generics and overloads": (
        "ts",
        """
        function first<T extends readonly unknown[]>(list: T): T[0];
        function first(list: readonly unknown[]) { return list[0]; }
        const keyed = <K extends string, V>(key: K, value: V) => ({ [key]: value }) as Record<K, V>;
        export default keyed("theme", first(["harbour", "plain"] as const));
        """,
        HARBOUR,
    ),
    "interfaces, unions and type guards": (
        "ts",
        """
        interface Named { kind: "named"; name: string }
        type Theme = Named | { kind: "none" };
        const isNamed = (theme: Theme): theme is Named => theme.kind === "named";
        const theme: Theme = { kind: "named", name: "harbour" };
        export default { theme: isNamed(theme) ? theme.name : "none" };
        """,
        HARBOUR,
    ),
    "the environment": (
        "ts",
        'export default { theme: process.env.SHOP_THEME ?? "harbour", ci: Boolean(process.env.CI) };',
        {"theme": "harbour", "ci": False},
    ),
    "the environment, destructured": (
        "ts",
        'import { env } from "node:process";\n'
        'const { SHOP_THEME: theme = "harbour" } = env;\n'
        "export default { theme };",
        HARBOUR,
    ),
    "a switch on the environment": (
        "ts",
        """
        function hooks(): "continue" | "fail" {
          switch (process.env.STAGE) { case "production": return "fail"; default: return "continue"; }
        }
        export default { hooks: { onFailure: hooks() } };
        """,
        {"hooks": {"onFailure": "continue"}},
    ),
    "paths": (
        "ts",
        """
        import { basename, dirname, join, relative, resolve } from "node:path";
        import { fileURLToPath } from "node:url";
        const here = dirname(fileURLToPath(import.meta.url));
        const parts = [basename(here), relative(here, resolve(here, "presets")), join("a", "..", "b")];
        export default { parts, same: here === import.meta.dirname };
        """,
        {"parts": ["project", "presets", "b"], "same": True},
    ),
    "a folder listed": (
        "ts",
        """
        import { readdirSync, statSync, existsSync } from "node:fs";
        const names = readdirSync("./lib").filter((name) => statSync(`./lib/${name}`).isFile()).sort();
        export default { names, there: existsSync("./lib/theme.ts"), gone: existsSync("./nowhere") };
        """,
        {"names": ["data.json", "theme.ts"], "there": True, "gone": False},
    ),
    "a file by a promise": (
        "ts",
        'import { readFile } from "node:fs/promises";\n'
        'export default JSON.parse(await readFile("lib/data.json", "utf8"));',
        HARBOUR,
    ),
    "a file by Deno": ("ts", 'export default JSON.parse(Deno.readTextFileSync("lib/data.json"));', HARBOUR),
    "a file by fetch": (
        "ts",
        'export default await (await fetch(new URL("lib/data.json", import.meta.url))).json();',
        HARBOUR,
    ),
    "a local import": ("ts", 'import { theme } from "./lib/theme";\nexport default { theme };', HARBOUR),
    "a local import with its suffix": (
        "ts",
        'import { theme } from "./lib/theme.ts";\nexport default { theme };',
        HARBOUR,
    ),
    "a dynamic import": ("ts", 'const { theme } = await import("./lib/theme.ts");\nexport default { theme };', HARBOUR),
    "a dynamic import that is computed": (
        "ts",
        'const name = "theme";\n'
        "const module = await import(`./lib/${name}.ts`);\n"
        "export default { theme: module.theme };",
        HARBOUR,
    ),
    "JSON with an attribute": (
        "ts",
        'import data from "./lib/data.json" with { type: "json" };\nexport default data;',
        HARBOUR,
    ),
    "JSON without one": ("ts", 'import data from "./lib/data.json";\nexport default { ...data };', HARBOUR),
    "the version of the package": (
        "ts",
        'import manifest from "./package.json";\nexport default { version: manifest.version };',
        {"version": "2.1.0"},
    ),
    "a package in CommonJS": ("ts", 'import { theme } from "names";\nexport default { theme };', HARBOUR),
    "a scoped package in ES modules": (
        "ts",
        'import theme, { inner } from "@shop/esm";\nexport default { theme, n: inner.count };',
        {"theme": "harbour", "n": 2},
    ),
    "a package with types": (
        "ts",
        'import { pick } from "typed";\nexport default { theme: pick(["harbour"]) };',
        HARBOUR,
    ),
    "CommonJS": ("js", 'const { theme } = require("names");\nmodule.exports = { theme };', HARBOUR),
    "CommonJS, by exports": ("cjs", 'exports.theme = require("./lib/data.json").theme;', HARBOUR),
    "CommonJS that is compiled": (
        "js",
        '"use strict";\n'
        'Object.defineProperty(exports, "__esModule", { value: true });\n'
        'exports.default = { theme: "harbour" };',
        HARBOUR,
    ),
    "an ES module in .mjs": (
        "mjs",
        'import path from "path";\nexport default { theme: path.parse("harbour.zip").name };',
        HARBOUR,
    ),
    "an ES module in .mts": ("mts", 'const theme: string = "harbour";\nexport default { theme };', HARBOUR),
    "CommonJS in .cts": (
        "cts",
        'import path = require("path");\nexport = { theme: path.basename("a/harbour") };',
        HARBOUR,
    ),
    "module.exports in TypeScript": ("ts", 'const theme: string = "harbour";\nmodule.exports = { theme };', HARBOUR),
    "createRequire": (
        "ts",
        'import { createRequire } from "node:module";\n'
        "const require = createRequire(import.meta.url);\n"
        'export default { theme: require("names").theme };',
        HARBOUR,
    ),
    "regular expressions": (
        "ts",
        r"""
        const name = /^(?<theme>\p{L}+)-v(\d+)(?:\.\d+)?$/u.exec("harbour-v12.3")?.groups?.theme;
        export default { theme: name?.replaceAll(/[^a-z]/g, "") };
        """,
        HARBOUR,
    ),
    "a generator, a Map and a Set": (
        "ts",
        """
        function* names() { yield "a"; yield* ["b", "a"]; }
        const seen = new Map([...new Set(names())].map((name, index) => [name, index] as const));
        export default { modules: { only: [...seen.keys()] } };
        """,
        {"modules": {"only": ["a", "b"]}},
    ),
    "destructuring, spreading and defaults": (
        "ts",
        """
        const base = { theme: "plain", modules: { exclude: ["a"] } };
        const { modules: { exclude, ...others }, ...rest } = base;
        export default { ...rest, theme: "harbour", modules: { ...others, exclude: [...exclude, "b"] } };
        """,
        {"theme": "harbour", "modules": {"exclude": ["a", "b"]}},
    ),
    "a template and a tag": (
        "ts",
        "const list = (strings: TemplateStringsArray, ...parts: string[]) => String.raw(strings, ...parts);\n"
        'export default { theme: list`har${"bour"}` };',
        HARBOUR,
    ),
    "dates and numbers": (
        "ts",
        "const day = new Date(Date.UTC(2026, 0, 2));\n"
        'export default { theme: day.getUTCDay() === 5 ? "harbour" : "plain", n: 1_000 };',
        {"theme": "harbour", "n": 1000},
    ),
    "Intl, URL and hashes": (
        "ts",
        """
        import { createHash } from "node:crypto";
        const digest = createHash("sha256").update("a").digest("hex").slice(0, 8);
        const host = new URL("https://shop.example/a?b=1").hostname;
        export default { digest, host, n: new Intl.NumberFormat("en").format(1234) };
        """,
        {"digest": "ca978112", "host": "shop.example", "n": "1,234"},
    ),
    "several promises": (
        "ts",
        """
        const wait = <T,>(value: T) => new Promise<T>((done) => setTimeout(done, 1, value));
        const [theme, ...rest] = await Promise.all([wait("harbour"), wait("b")]);
        const settled = await Promise.allSettled([wait(1), Promise.reject(new Error("no"))]);
        export default { theme, rest, states: settled.map((each) => each.status) };
        """,
        {"theme": "harbour", "rest": ["b"], "states": ["fulfilled", "rejected"]},
    ),
    "async iteration and using": (
        "ts",
        """
        async function* pages() { for (const page of ["har", "bour"]) yield await page; }
        let theme = "";
        for await (const page of pages()) theme += page;
        export default { theme };
        """,
        HARBOUR,
    ),
    "labels, loops and nested functions": (
        "ts",
        """
        const out: string[] = [];
        outer: for (let i = 0; i < 5; i++) {
          for (const name of ["a", "b"]) {
            if (i === 1) continue outer;
            if (i === 3) break outer;
            out.push(`${name}${i}`);
          }
        }
        export default { modules: { only: out } };
        """,
        {"modules": {"only": ["a0", "b0", "a2", "b2"]}},
    ),
    "functions nested deeply": ("ts", "export default { n: " + "(() => " * 60 + "1" + ")()" * 60 + " };", {"n": 1}),
    "a long chain of conditions": (
        "ts",
        "const n: number = 99;\nexport default { n: " + "".join(f"n === {i} ? {i} : " for i in range(120)) + "-1 };",
        {"n": 99},
    ),
    "a long list": (
        "ts",
        "export default { modules: { exclude: [" + ",".join(f'"m{i}"' for i in range(3000)) + "] } };",
        {"modules": {"exclude": [f"m{i}" for i in range(3000)]}},
    ),
    "comments, a byte order mark and Windows line ends": (
        "ts",
        '\ufeff/* shop */\r\n// @ts-check\r\nexport default {\r\n  theme: "harbour", // why not\r\n};\r\n',
        HARBOUR,
    ),
    "an unused import of types": (
        "ts",
        'import type { Missing } from "./nowhere";\nexport type { Missing };\nexport default { theme: "harbour" };',
        HARBOUR,
    ),
    "exports beside the default": (
        "ts",
        'export const name = "harbour";\n'
        "export function theme() { return name; }\n"
        "export { name as default2 };\n"
        "export default { theme: theme() };",
        HARBOUR,
    ),
    "a default export by name": ("ts", 'const config = { theme: "harbour" };\nexport { config as default };', HARBOUR),
    "a re-exported default": ("ts", 'export { default } from "./lib/data.json" with { type: "json" };', HARBOUR),
    "a preset of a package": ("ts", 'import team from "@team/presets/plain.js";\nexport default { ...team };', HARBOUR),
    "a preset in TypeScript of a package": (
        "ts",
        'import team from "@team/presets/typed.ts";\nimport "@team/presets/common.cts";\nexport default { ...team };',
        HARBOUR,
    ),
    "console": ("ts", 'console.debug; const { theme } = { theme: "harbour" };\nexport default { theme };', HARBOUR),
}


@pytest.fixture
def shop(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with packages and files to import."""
    lay(
        project,
        PACKAGES | {"lib/data.json": '{"theme": "harbour"}', "lib/theme.ts": 'export const theme: string = "harbour";'},
    )
    monkeypatch.delenv("CI", raising=False)
    return project


@pytest.mark.rule("Discovery, candidate `tool.config.ts`", "Discovery, candidate `tool.config.js`")
@pytest.mark.sweep
@pytest.mark.parametrize("name", sample([*CONFIGURATIONS], 25))
def test_a_configuration(shop: Path, name: str) -> None:
    """An ordinary configuration gives its data."""
    suffix, text, expected = CONFIGURATIONS[name]
    assert outcome(lay(shop, {f"tool.config.{suffix}": text}), shop) == expected


@pytest.mark.parametrize("name", ["plain.js", "typed.ts", "common.cts"])
def test_a_script_that_is_in_a_package(shop: Path, name: str) -> None:
    """A preset that a package brings along may import `tool` and its neighbours, in JavaScript and in TypeScript."""
    assert outcome(shop / "node_modules/@team/presets" / name, shop) == HARBOUR


def test_a_place_in_a_script_of_a_package(shop: Path) -> None:
    """What goes wrong in TypeScript of a package is reported where it is written."""
    script = lay(
        shop, {"node_modules/@team/presets/wrong.ts": "const theme: string = nope();\nexport default { theme };"}
    )
    fault = failed("threw", "ReferenceError: nope is not defined", at="node_modules/@team/presets/wrong.ts:1:23")
    assert outcome(script, shop) == fault


@pytest.mark.parametrize("script", ["broken.ts", "importing.ts"])
def test_a_mistake_in_typescript_of_a_package(shop: Path, script: str) -> None:
    """Where TypeScript of a package cannot be parsed, the fault is that, at its place, not where the package lies."""
    folder = "node_modules/@team/presets"
    lay(shop, {f"{folder}/broken.ts": "const theme: string =;", f"{folder}/importing.ts": 'import "./broken.ts";'})
    fault = failed("syntax", "Expression expected", at=f"{folder}/broken.ts:1:22")
    assert outcome(shop / folder / script, shop) == fault
