"""Where the values of an exported configuration stand in a script: one script a line of the table."""

from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.config.json_reader import DEPTH_LIMIT, locations_in
from pipeline.config.tree import KeyPath, Offsets, Written, spell
from pipeline.scripts.places import nearest, places_in
from pipeline.scripts.statements import TEXT_LIMIT, read_script
from pipeline.scripts.values import SIZE_LIMIT

TABLE = {
    "A default export is an object literal.": (
        'export default {\n  theme: "ci",\n};\n',
        {"": "1:16", "theme": "2:10"},
    ),
    "The argument of a helper of the package is the configuration.": (
        'import { defineConfig } from "tool";\nexport default defineConfig({\n  theme: "ci",\n});',
        {"": "2:29", "theme": "3:10"},
    ),
    "A helper may be imported under another name.": (
        'import { definePreset as p } from "tool";\nexport default p({ theme: "ci" });',
        {"": "2:18", "theme": "2:27"},
    ),
    "A helper may be reached through its namespace, and take type arguments.": (
        'import * as t from "tool";\nexport default t.defineConfig<X>({ theme: "ci" });',
        {"": "2:34", "theme": "2:43"},
    ),
    "A helper may come by `require`, with braces.": (
        'const { defineConfig, definePreset: p } = require("tool");\n'
        'module.exports = defineConfig(p({ theme: "ci" }));',
        {"": "2:33", "theme": "2:42"},
    ),
    "A constant without a value is none.": (
        'const a;\nexport default { theme: "ci", a };',
        {"": "2:16", "theme": "2:25", "a": "2:31"},
    ),
    "A helper of another package computes.": (
        'import { defineConfig } from "vite";\nexport default defineConfig({ theme: "ci" });',
        {"": "2:16"},
    ),
    "A function of the script with the name of a helper computes.": (
        'function defineConfig(x) { x.theme = 1; return x }\nexport default defineConfig({ theme: "ci" });',
        {"": "2:16"},
    ),
    "A helper with two arguments computes.": (
        'import { defineConfig } from "tool";\nexport default defineConfig({ theme: "ci" }, 1);',
        {"": "2:16"},
    ),
    "A helper around a call has the place of that call.": (
        'import { defineConfig } from "tool";\nexport default defineConfig(load({ theme: "ci" }));',
        {"": "2:29"},
    ),
    "`satisfies` is transparent.": (
        'export default { theme: "ci" } satisfies ToolConfig;',
        {"": "1:16", "theme": "1:25"},
    ),
    "`as` is transparent, also twice.": (
        'export default { theme: "ci" } as const as ToolConfig;',
        {"": "1:16", "theme": "1:25"},
    ),
    "A type assertion in front computes.": (
        'export default <ToolConfig>{ theme: "ci" };',
        {"": "1:16"},
    ),
    "Parentheses and `!` are transparent, with comments inside.": (
        'export default (/* c */ ({ theme: ("ci") })!);',
        {"": "1:26", "theme": "1:36"},
    ),
    "A `const` that is exported is followed to its literal.": (
        'const config: ToolConfig = { theme: "ci" };\nexport default config;',
        {"": "1:28", "theme": "1:37"},
    ),
    "A `const` that is exported as `default` is followed.": (
        'const config = { theme: "ci" };\nexport { config as default };',
        {"": "1:16", "theme": "1:25"},
    ),
    "A `const` may be exported by its name too.": (
        'export const config = { theme: "ci" };\nexport { config as other };\nexport default config;',
        {"": "1:23", "theme": "1:32"},
    ),
    "A `const` that is another `const` is followed.": (
        'const a = { theme: "ci" }, b = a;\nexport default b;',
        {"": "1:11", "theme": "1:20"},
    ),
    "`module.exports` is an export.": (
        'module.exports = { theme: "ci" };',
        {"": "1:18", "theme": "1:27"},
    ),
    "`module.exports` that is assigned under a condition is not certain.": (
        'if (x) module.exports = { theme: "ci" };',
        {},
    ),
    "A default export from elsewhere has no place, whatever has its name here.": (
        'const config = { theme: "ci" };\nexport { config as default } from "./x";',
        {},
    ),
    "Two default exports are none.": (
        'export default { theme: "a" };\nexport default { theme: "b" };',
        {},
    ),
    "A script without a default export has no places.": (
        'export const theme = "ci";',
        {},
    ),
    "An arrow function gives its body.": (
        'export default () => ({ theme: "ci" });',
        {"": "1:23", "theme": "1:32"},
    ),
    "An async arrow function gives what its only `return` returns.": (
        'export default async () => {\n  const x = await y;\n  return { theme: "ci", only: x };\n};',
        {"": "3:10", "theme": "3:19", "only": "3:31"},
    ),
    "A function gives what its only `return` returns, whatever a function inside it returns.": (
        'export default function config(): ToolConfig {\n  const f = () => { return 1 };\n  return { theme: "ci" };\n}',
        {"": "3:10", "theme": "3:19"},
    ),
    "A function that is exported by its name is followed.": (
        'function config() { return { theme: "ci" } }\nexport default config;',
        {"": "1:28", "theme": "1:37"},
    ),
    "A function in a `const` is followed.": (
        'const make = async function () { return { theme: "ci" } };\nexport default make;',
        {"": "1:41", "theme": "1:50"},
    ),
    "A function with two `return` statements computes.": (
        'export default () => {\n  if (x) return { theme: "a" };\n  return { theme: "b" };\n};',
        {"": "1:16"},
    ),
    "A generator computes.": (
        'export default function* () { return { theme: "ci" } }',
        {"": "1:16"},
    ),
    "A `const` inside a function is computed.": (
        'export default () => {\n  const theme = "ci";\n  return { theme };\n};',
        {"": "3:10", "theme": "3:12"},
    ),
    "A call of a function computes.": (
        'const f = () => ({ theme: "ci" });\nexport default f();',
        {"": "2:16"},
    ),
    "A promise computes.": (
        'export default Promise.resolve({ theme: "ci" });',
        {"": "1:16"},
    ),
    "`await` computes.": (
        'export default await Promise.resolve({ theme: "ci" });',
        {"": "1:16"},
    ),
    "Nested values, items and scalars of every kind have their places.": (
        "export default {\n  a: { b: [1, -2, [true]] },\n  c: null, d: `x`, e: 'y',\n};",
        {
            "": "1:16",
            "a": "2:6",
            "a.b": "2:11",
            "a.b[0]": "2:12",
            "a.b[1]": "2:15",
            "a.b[2]": "2:19",
            "a.b[2][0]": "2:20",
            "c": "3:6",
            "d": "3:15",
            "e": "3:23",
        },
    ),
    "A `const` is followed as a member, a shorthand, an item and a nested object.": (
        'const theme = "ci", list = ["x"], log = { format: theme };\n'
        "export default { theme, exclude: [theme, ...list], only: list, log };",
        {
            "": "2:16",
            "theme": "1:15",
            "exclude": "2:34",
            "exclude[0]": "1:15",
            "exclude[1]": "1:29",
            "only": "1:28",
            "only[0]": "1:29",
            "log": "1:41",
            "log.format": "1:15",
        },
    ),
    "A `let` has the place of the property.": (
        'let theme = "ci";\nexport default { theme, a: theme };',
        {"": "2:16", "theme": "2:18", "a": "2:28"},
    ),
    "An import has the place of the property.": (
        'import theme from "./theme";\nexport default { a: theme, theme };',
        {"": "2:16", "a": "2:21", "theme": "2:28"},
    ),
    "A destructured name has the place of the property.": (
        'const { theme } = { theme: "ci" };\nexport default { a: theme };',
        {"": "2:16", "a": "2:21"},
    ),
    "A `const` with a computed value has the place of the property.": (
        'const theme = x ? "a" : "b";\nexport default { a: theme };',
        {"": "2:16", "a": "2:21"},
    ),
    "A computed value has the place of its expression, and nothing below it.": (
        "export default {\n"
        "  a: f({ b: 1 }), c: x ? { d: 1 } : {}, e: `${x}`,\n"
        '  f: x || { g: 1 }, h: !1, i: "a" + "b",\n'
        "};",
        {"": "1:16", "a": "2:6", "c": "2:22", "e": "2:44", "f": "3:6", "h": "3:24", "i": "3:31"},
    ),
    "A function as a value has the place of its expression.": (
        "export default { a: () => ({ b: 1 }) };",
        {"": "1:16", "a": "1:21"},
    ),
    "Names that stand for one another come to an end.": (
        "const a = b, b = a, c = { ...c, d: 1, e: () => c };\nexport default { a, c };",
        {"": "2:16", "a": "2:18", "c": "1:25", "c.d": "1:36", "c.e": "1:42"},
    ),
    "`module.exports` that is assigned twice is not certain.": (
        'module.exports = { theme: "ci" };\nmodule.exports = { theme: "x" };',
        {},
    ),
    "A name that is declared twice at the top level stands for nothing.": (
        "function a() { return { b: 1 } }\nfunction a() { return { b: 2 } }\nexport default a;",
        {"": "3:16"},
    ),
    "A setter may come in the place of what stands before it.": (
        "export default { a: 1, set a(x) {} };",
        {"": "1:16", "a": "1:21?"},
    ),
    "What stands after a spread is certain; what stands before it is a place if the data has all of it.": (
        "export default { a: 1, b: { c: 1 }, ...base, d: 2 };",
        {"": "1:16", "a": "1:21?", "b": "1:27?", "b.c": "1:32?", "d": "1:49"},
    ),
    "A spread of a `const` object is followed; later members override earlier ones.": (
        "const base = { a: 1, b: 2 };\nexport default { b: 0, ...base, a: 3 };",
        {"": "2:16", "b": "1:25", "a": "2:36"},
    ),
    "A spread of a literal is followed.": (
        "export default { a: 1, ...{ a: 2, b: 3 } };",
        {"": "1:16", "a": "1:32", "b": "1:38"},
    ),
    "A spread inside what is spread makes what stands before both uncertain.": (
        "const base = { a: 1, ...other, b: 2 };\nexport default { c: 1, ...base, d: 2 };",
        {"": "2:16", "c": "2:21?", "a": "1:19?", "b": "1:35", "d": "2:36"},
    ),
    "A conditional spread is computed.": (
        "export default { a: 1, ...(x && { a: 2 }) };",
        {"": "1:16", "a": "1:21?"},
    ),
    "Items after a spread are not certain.": (
        'export default { a: ["x", ...more, "y"] };',
        {"": "1:16", "a": "1:21", "a[0]": "1:22"},
    ),
    "A spread of a `const` array is followed, and an item that is left out counts.": (
        'const more = ["y", , "z"];\nexport default { a: ["x", ...more, ...["v"], "w"] };',
        {
            "": "2:16",
            "a": "2:21",
            "a[0]": "2:22",
            "a[1]": "1:15",
            "a[2]": "1:20",
            "a[3]": "1:22",
            "a[4]": "2:40",
            "a[5]": "2:46",
        },
    ),
    "Of a key that comes twice the last counts.": (
        "export default { a: 1, b: 2, a: 3 };",
        {"": "1:16", "a": "1:33", "b": "1:27"},
    ),
    "Keys mean the same in quotes and with escapes; a number may be any.": (
        'export default { "a b": 1, "\\u0074heme": 2, \\u0061: 3, "\\x62\\\n'
        '": 4, "\\u{1F600}": 5, "\\ud83d\\ude01": 6, 0x10: 7, 1_0n: 8 };',
        {"": "1:16", '["a b"]': "1:25?", "theme": "1:42?", "b": "2:4?", '["😀"]': "2:20?", '["😁"]': "2:39?"},
    ),
    "A number that needs rounding may be any key.": (
        "export default { a: 1, 1.5: 2, b: 3 };",
        {"": "1:16", "a": "1:21?", "b": "1:35"},
    ),
    "A computed key may be any that stands before it.": (
        "export default { a: 1, [k]: 2, b: 3 };",
        {"": "1:16", "a": "1:21?", "b": "1:35"},
    ),
    "A string in brackets is computed, too.": (
        'export default { a: 1, ["b"]: 2 };',
        {"": "1:16", "a": "1:21?"},
    ),
    "A method has the place of the property; a getter and a setter may be any.": (
        "export default { a() {}, get b() { return 1 }, async *c() {}, d: 1, set d(x) {}, get() {}, set: 2 };",
        {"": "1:16", "a": "1:18?", "d": "1:66?", "get": "1:82", "set": "1:97"},
    ),
    "An object with a prototype has nothing certain below it.": (
        'export default { __proto__: { a: 1 }, "__proto__": 1, b: 2 };',
        {"": "1:16"},
    ),
    "`__proto__` in brackets may be any key.": (
        'export default { ["__proto__"]: 1 };',
        {"": "1:16"},
    ),
    "An object that may stand for another value has nothing certain below it.": (
        "export default { a: { toJSON() { return 1 }, b: 1 }, c: 1 };",
        {"": "1:16", "a": "1:21", "c": "1:57"},
    ),
    "Columns count characters, whatever stands before them.": (
        'export default { "é😀": "é", /* 😀 */ b: ["😀", "x"] };',
        {"": "1:16", '["é😀"]': "1:24", "b": "1:40", "b[0]": "1:41", "b[1]": "1:46"},
    ),
    "Lines end the same with a carriage return.": (
        'const x = 1;\r\nexport default {\r\n  a: "é",\r\n  b: x,\r\n};\r\n',
        {"": "2:16", "a": "3:6", "b": "1:11"},
    ),
    "A first line for the shell is no part of the script.": (
        "#!/usr/bin/env deno\nexport default { a: 1 };",
        {"": "2:16", "a": "2:21"},
    ),
    "A value that is missing is computed: whether it is a script is not judged.": (
        "export default { a: 1, b: };",
        {"": "1:16", "a": "1:21", "b": "1:27"},
    ),
    "An empty script has no places.": (
        "",
        {},
    ),
    "A configuration that is no object has its place.": (
        'export default "theme";',
        {"": "1:16"},
    ),
    "A function that the package's helper is given is followed.": (
        'import { defineConfig } from "tool";\n'
        "export default defineConfig(async () => {\n"
        "  const x = await y();\n"
        '  return { theme: "ci", only: x };\n'
        "});",
        {"": "4:10", "theme": "4:19", "only": "4:31"},
    ),
    "A function of a type, in a `const`, is followed.": (
        'const make = async (): Promise<ToolConfig> => ({ theme: "ci" });\nexport default make;',
        {"": "1:48", "theme": "1:57"},
    ),
    "An arrow function may take a name.": (
        'export default _ => ({ theme: "ci" });',
        {"": "1:22", "theme": "1:31"},
    ),
    "A name in a function is not followed, as it may mean something else there.": (
        'const theme = "ci";\nexport default () => ({ theme, a: { b: theme } });',
        {"": "2:23", "theme": "2:25", "a": "2:35", "a.b": "2:40"},
    ),
    "A `return` on a line of its own returns nothing.": (
        'export default () => {\n  return\n  { theme: "ci" }\n};',
        {"": "1:16"},
    ),
    "A `return` under a condition is one of the function, that of a method is not.": (
        "export default () => {\n"
        '  if (x) { return { theme: "a" } }\n'
        "  const y = { f() { return 1 } };\n"
        '  return { theme: "b" };\n'
        "};",
        {"": "1:16"},
    ),
    "Arbitrary code before and after the export is passed.": (
        'import x from "x"\n'
        'let a = 4 / 2, b = `${a > 1 ? `}` : "{"}`\n'
        'if (a) { b = /[/}"]/.test(b) ? 1 : 2 }\n'
        "for (const c of []) x(c)\n"
        "class D { e = 1 }\n"
        "export default {\n"
        '  theme: "ci",\n'
        "}\n"
        "x(() => { a++ / 2 })\n",
        {"": "6:16", "theme": "7:10"},
    ),
    "An export after code without semicolons is found.": (
        'require("x").y()\nmodule.exports = { theme: "ci" }\nmodule.exports.only = []\n',
        {"": "2:18", "theme": "2:27"},
    ),
    "`module.exports` under a condition on a line of its own is not certain.": (
        'if (x)\n  module.exports = { theme: "ci" }\nelse\n  module.exports = { theme: "x" }\n',
        {},
    ),
    "A member after a comparison is certain.": (
        'export default { a: x < 1, b: "c", d: e > 2, f: [1] };',
        {"": "1:16", "a": "1:21", "b": "1:31", "d": "1:39", "f": "1:49", "f[0]": "1:50"},
    ),
    "What may be a comparison or the arguments of a type makes an object uncertain.": (
        'export default { theme: "ci", a: f<b, c>(d), e: { f: 1 } };',
        {"": "1:16"},
    ),
    "Items after what may be the arguments of a type are not certain either.": (
        'export default { a: ["b", f<c, d>(e), "g"], h: 1 };',
        {"": "1:16", "a": "1:21", "h": "1:48"},
    ),
    "A type that no literal has makes a value computed.": (
        'export default { a: "b" as A & B, c: "d" as const };',
        {"": "1:16", "a": "1:21", "c": "1:38"},
    ),
    "A `const` with a type that no literal has is not followed.": (
        'const a: { b: string } = { b: "c" };\nexport default { a, d: 1 };',
        {"": "2:16", "a": "2:18", "d": "2:24"},
    ),
    "A `const` of more than one name is followed up to what is computed.": (
        'const a = "b", c = a + a, d = [a];\nexport default { a, c, d };',
        {"": "2:16", "a": "1:11", "c": "2:21", "d": "1:31", "d[0]": "1:11"},
    ),
    "A regular expression that may be a division makes everything uncertain.": (
        'x = {}\n/a/.test(b);\nexport default { theme: "ci" };',
        {},
    ),
    "A bracket that is not open makes everything uncertain.": (
        'export default { theme: "ci" };\n)',
        {},
    ),
    "A comment that is one in some files only makes everything uncertain.": (
        'export default { theme: "ci" };\n<!-- x\n',
        {},
    ),
    "A string that does not end makes everything uncertain.": (
        'export default { theme: "ci" };\nx = "a\n',
        {},
    ),
    "A template that does not end makes everything uncertain.": (
        'export default { theme: "ci" };\nx = `a\n',
        {},
    ),
    "A regular expression that does not end makes everything uncertain.": (
        'export default { theme: "ci" };\nx = /a\n',
        {},
    ),
    "White space of every kind stands between words.": (
        'export\xa0default\u2028{\ufeff theme: "ci" };',
        {"": "1:16", "theme": "1:26"},
    ),
    "A name in other letters is a value that is computed, and a key that may be any.": (
        'const né = 1;\nexport default { a: né, é: 1, b: "c" };',
        {"": "2:16", "a": "2:21?", "b": "2:34"},
    ),
    "An empty spread of what is no list or object leaves items uncertain.": (
        'export default { a: ["b", ..."cd", "e"], f: [...[1], ...{}] };',
        {"": "1:16", "a": "1:21", "a[0]": "1:22", "f": "1:45", "f[0]": "1:50"},
    ),
    "`export =` is not followed.": (
        'export = { theme: "ci" };',
        {},
    ),
    "A default export of a function that is declared after it computes.": (
        'export default make;\nfunction make() { return { theme: "ci" } }',
        {"": "1:16"},
    ),
    "A `require` of another package is none of the helpers.": (
        'const { defineConfig } = require("vite");\nmodule.exports = defineConfig({ theme: "ci" });',
        {"": "2:18"},
    ),
    "An object that is exported from a computed name has no place.": (
        "const a = x();\nexport { a as default };",
        {},
    ),
    "An export of two names is not followed.": (
        "const a = {}, b = 1;\nexport { a as default, b };",
        {},
    ),
    "An async function that is exported by its name beside others is found.": (
        'export async function make() { return { theme: "ci" } }\nexport default make;',
        {"": "1:39", "theme": "1:48"},
    ),
}


def written_in(script: str) -> Written:
    """What a script exports."""
    written = read_script(script, ".ts").written
    assert written is not None
    return written


def starts(written: Written, path: KeyPath = (), doubt: str = "") -> Iterator[tuple[str, int, str]]:
    """Where a value and those in it stand; with a question mark where something may have replaced it."""
    yield spell(path), written.start, doubt
    for step, member in written.members.items():
        yield from starts(member.value, (*path, step), doubt if member.is_last else "?")


@pytest.mark.parametrize(("script", "expected"), TABLE.values(), ids=TABLE)
def test_places(script: str, expected: dict[str, str]) -> None:
    """Each script of the table has exactly these places, as line and column."""
    at, written = locations_in("", script), read_script(script, ".ts").written
    found = starts(written) if written is not None else ()
    assert {path: f"{at(start).line}:{at(start).column}{doubt}" for path, start, doubt in found} == expected


def test_keys() -> None:
    """A member's key has its own place; an item and the whole have the place of their value."""
    written = written_in('const theme = "ci";\nexport default { theme, "a": ["x"], b() {}, ...{ c: 1 } };')
    assert dict(places_in(written, {"theme": "ci", "a": ["x"], "b": 1, "c": 1})) == {
        (): Offsets(35, 35),
        ("theme",): Offsets(14, 37),
        ("a",): Offsets(49, 44),
        ("a", 0): Offsets(50, 50),
        ("b",): Offsets(56, 56),
        ("c",): Offsets(72, 69),
    }


@pytest.mark.parametrize("depth", [DEPTH_LIMIT + 1, 10_000])
def test_depth(depth: int) -> None:
    """Values deeper than the limit have no place, and however deep they are they are not entered."""
    found = list(starts(written_in("export default " + "[" * depth + "]" * depth)))
    assert [start for _, start, _ in found] == [15 + level for level in range(DEPTH_LIMIT + 1)]


@pytest.mark.parametrize(
    "script",
    ["export default {} //" + "x" * TEXT_LIMIT, "export default " + "{" * 10_000, "f<a," * 30_000],
    ids=["long", "open", "ambiguous"],
)
def test_limits(script: str) -> None:
    """A script beyond a limit, or broken however deep, has no places."""
    assert read_script(script, ".ts").written is None


def test_a_large_literal_has_places() -> None:
    """What is too large to be taken as it is written is evaluated, and has its places."""
    script = f"export default {{ a: 1, b: '{'x' * SIZE_LIMIT}' }}"
    assert (read_script(script, ".ts").hole, [start for _, start, _ in starts(written_in(script))]) == (
        15,
        [15, 20, 26],
    )


@pytest.mark.parametrize("whole", ["{{ x: a{0}, y: a{0}, ...a{0} }}", "[a{0}, ...a{0}, ...a{0}]"])
def test_sharing_is_bounded(whole: str) -> None:
    """Names that each stand twice for the next come to an end."""
    names = "".join(f"const a{n} = {whole.format(n + 1)};" for n in reversed(range(60)))
    script = f"const a60 = {whole[0]}{whole[-1]};".replace("{}", "{ z: 1 }") + names + "export default a0"
    assert read_script(script, ".ts").written is not None


SAME: dict[str, Any] = {"a": "x", "b": 1, "c": True, "d": None, "e": [], "f": {}, "g": "y", "i": False}
OTHER: dict[str, Any] = {"a": "y", "b": True, "c": 1, "d": 0, "e": {}, "f": [], "g": 1, "i": None}
CHANGED = {
    "all that is written": (
        'const a = { a: "x", b: 1, c: true, d: null, e: [], f: {}, g: h(), i: false };',
        SAME,
        {"", *SAME},
    ),
    "nothing but what is computed": (
        'const a = { a: "x", b: 1, c: true, d: null, e: [], f: {}, g: h(), i: false };',
        OTHER,
        {"", "g"},
    ),
    "what the data lacks": (
        "const a = { a: undefined, b: [1, 2], c: { d: 1 } };",
        {"b": [1], "c": "x"},
        {"", "b", "b[0]"},
    ),
    "a member that is assigned": ('const a = { b: "x", c: "y" };\na.b = "z";', {"b": "z", "c": "y"}, {"", "c"}),
    "by another name": ("const a = { b: { c: 1 } };\nconst d = a.b;\nd.c = 2;", {"b": {"c": 2}}, {"", "b"}),
    "a list that grows": ('const a = { b: ["x"] };\na.b.push("y");', {"b": ["x", "y"]}, {"", "b", "b[0]"}),
    "a list that moves": ('const a = { b: ["x"] };\na.b.unshift("y");', {"b": ["y", "x"]}, {"", "b"}),
    "a number in another spelling": ("const a = { b: 0x10, c: 1.5 };", {"b": 16, "c": 1.5}, {"", "b", "c"}),
    "a member that goes": ("const a = { b: 1 };\ndelete a.b;", {}, {""}),
    "an object for a list": ("const a = { b: {} };\na.b = [];", {"b": []}, {""}),
    "a spread after members that stay": (
        'const a = { b: "c", d: { e: [1] }, f: g(), ...h };',
        {"b": "c", "d": {"e": [1]}, "f": 2},
        {"", "b", "d", "d.e", "d.e[0]"},
    ),
    "a spread after members that it replaces": (
        'const a = { b: "c", d: { e: [1] }, i: { j: 1 }, ...h };',
        {"b": "k", "d": {"e": [1, 2]}, "i": {"j": 1, "l": 2}},
        {""},
    ),
}


@pytest.mark.parametrize(("script", "data", "marked"), CHANGED.values(), ids=CHANGED)
def test_what_is_changed_has_no_place(script: str, data: object, marked: set[str]) -> None:
    """What a script changes after it was written has no place there; what it leaves has."""
    written = written_in(script + "\nexport default a;")
    assert {spell(path) for path, _ in places_in(written, data)} == marked


def test_the_nearest_place() -> None:
    """A value that has no place of its own stands where the nearest one around it does."""
    written = written_in('export default { a: ["b", { "c d": 1 }], ab: 2 };')
    found = [nearest(written, path) for path in ("", "a", "a[1]", 'a[1]["c d"].e', "a[2]", "ab", "abc")]
    assert found == [15, 20, 26, 35, 20, 45, 15]
