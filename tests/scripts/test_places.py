"""Where the values of an exported configuration stand in a script: one script a line of the table."""

import subprocess
import sys
from pathlib import PurePath

import pytest

from pipeline.config.json_places import DEPTH_LIMIT, locator
from pipeline.config.tree import Candidate, Mark, Offsets, Tree, spell
from pipeline.report.source import Source
from pipeline.scripts.places import script_marks, script_places
from pipeline.scripts.syntax import ANGLE_LIMIT, TEXT_LIMIT

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
    "A helper may come by `require`, whole.": (
        'const tool = require("tool");\nmodule.exports = tool.defineConfig({ theme: "ci" });',
        {"": "2:36", "theme": "2:45"},
    ),
    "A helper may come by `import … = require`.": (
        'import tool = require("tool");\nexport = tool.defineConfig({ theme: "ci" });',
        {"": "2:28", "theme": "2:37"},
    ),
    "A constant without a value is none.": (
        'const a;\nexport default { theme: "ci", a };',
        {"": "2:16", "theme": "2:25", "a": "2:31"},
    ),
    "A name behind more brackets than are followed is still a name that is held.": (
        f"const b = {{ c: 1 }};\nconst a = {{ b: {'(' * 70}b{')' * 70} }};\nexport default {{ a }};",
        {"": "3:16", "a": "2:11", "a.b": "2:80"},
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
    "A type assertion is transparent.": (
        'export default <ToolConfig>{ theme: "ci" };',
        {"": "1:28", "theme": "1:37"},
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
    "`exports.default` is an export, whatever is exported beside it.": (
        'exports.__esModule = true;\nexports.default = { theme: "ci" };',
        {"": "2:19", "theme": "2:28"},
    ),
    "`module.exports.default` is an export.": (
        'module.exports.default = { theme: "ci" };',
        {"": "1:26", "theme": "1:35"},
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
    "A promise of a literal is transparent.": (
        'export default Promise.resolve({ theme: "ci" });',
        {"": "1:32", "theme": "1:41"},
    ),
    "`await` of a literal is transparent.": (
        'export default await Promise.resolve({ theme: "ci" });',
        {"": "1:38", "theme": "1:47"},
    ),
    "Nested values, items and scalars of every kind have their places.": (
        "export default {\n  a: { b: [1, -2, [true]] },\n  c: null, d: `x`, e: 'y',\n};",
        {
            "": "1:16",
            "a": "2:6",
            "c": "3:6",
            "d": "3:15",
            "e": "3:23",
            "a.b": "2:11",
            "a.b[0]": "2:12",
            "a.b[1]": "2:15",
            "a.b[2]": "2:19",
            "a.b[2][0]": "2:20",
        },
    ),
    "A `const` is followed as a member, a shorthand, an item and a nested object.": (
        'const theme = "ci", list = ["x"], log = { format: theme };\n'
        "export default { theme, exclude: [theme, ...list], only: list, log };",
        {
            "": "2:16",
            "theme": "1:15",
            "exclude": "2:34",
            "only": "1:28",
            "log": "1:41",
            "exclude[0]": "1:15",
            "exclude[1]": "1:29",
            "only[0]": "1:29",
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
    "What a setter overrides has no place.": (
        "export default { a: 1, set a(x) {} };",
        {"": "1:16"},
    ),
    "What stands after a spread is certain, what stands before it is not.": (
        "export default { a: 1, b: { c: 1 }, ...base, d: 2 };",
        {"": "1:16", "d": "1:49"},
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
        {"": "2:16", "b": "1:35", "d": "2:36"},
    ),
    "A conditional spread is computed.": (
        "export default { a: 1, ...(x && { a: 2 }) };",
        {"": "1:16"},
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
    "Keys mean the same in quotes, with escapes and as numbers.": (
        'export default { "a b": 1, "\\u0074heme": 2, \\u0061: 3, "\\x62\\\n'
        '": 4, "\\u{1F600}": 5, "\\ud83d\\ude01": 6, 0x10: 7, 1_0n: 8 };',
        {
            "": "1:16",
            '["a b"]': "1:25",
            "theme": "1:42",
            "a": "1:53",
            "b": "2:4",
            '["😀"]': "2:20",
            '["😁"]': "2:39",
            '["16"]': "2:48",
            '["10"]': "2:57",
        },
    ),
    "An octal escape is decoded.": (
        'module.exports = { "\\101": 1 };',
        {"": "1:18", "A": "1:28"},
    ),
    "A number that needs rounding may be any key.": (
        "export default { a: 1, 1.5: 2, b: 3 };",
        {"": "1:16", "b": "1:35"},
    ),
    "A computed key may be any that stands before it.": (
        "export default { a: 1, [k]: 2, b: 3 };",
        {"": "1:16", "b": "1:35"},
    ),
    "A string in brackets is a key.": (
        'export default { a: 1, ["b"]: 2 };',
        {"": "1:16", "a": "1:21", "b": "1:31"},
    ),
    "A method and a getter have the place of the property, a setter has no value.": (
        "export default { a() {}, get b() { return 1 }, async *c() {}, d: 1, set d(x) {}, get() {}, set: 2 };",
        {"": "1:16", "a": "1:18", "b": "1:26", "c": "1:48", "get": "1:82", "set": "1:97"},
    ),
    "A literal prototype is no key, a computed one is.": (
        'export default { __proto__: { a: 1 }, "__proto__": 1, b: 2 };',
        {"": "1:16", "b": "1:58"},
    ),
    "`__proto__` in brackets is a key.": (
        'export default { ["__proto__"]: 1 };',
        {"": "1:16", "__proto__": "1:33"},
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
    "A script with a syntax error has no places.": (
        "export default { a: 1, b: };",
        {},
    ),
    "An empty script has no places.": (
        "",
        {},
    ),
    "A configuration that is no object has its place.": (
        'export default "theme";',
        {"": "1:16"},
    ),
}


@pytest.mark.parametrize(("script", "expected"), TABLE.values(), ids=TABLE)
def test_places(script: str, expected: dict[str, str]) -> None:
    """Each script of the table has exactly these places, as line and column."""
    at = locator(script)
    found = {spell(path): "{}:{}".format(*at(place.value)) for path, place in script_places(script).items()}
    assert found == expected


def test_keys() -> None:
    """A member's key has its own place; an item and the whole have the place of their value."""
    script = 'const theme = "ci";\nexport default { theme, "a": ["x"], get b() { return 1 }, ...{ c: 1 } };'
    assert script_places(script) == {
        (): Offsets(35, 35),
        ("theme",): Offsets(14, 37),
        ("a",): Offsets(49, 44),
        ("a", 0): Offsets(50, 50),
        ("b",): Offsets(56, 60),
        ("c",): Offsets(86, 83),
    }


@pytest.mark.parametrize("depth", [DEPTH_LIMIT + 1, 10_000])
def test_depth(depth: int) -> None:
    """Values deeper than the limit have no place, and however deep they are they are not entered."""
    places = script_places("export default " + "[" * depth + "]" * depth)
    assert places == {(0,) * level: Offsets(15 + level, 15 + level) for level in range(DEPTH_LIMIT + 1)}


@pytest.mark.parametrize(
    "script",
    [
        "export default {} //" + "x" * TEXT_LIMIT,
        "export default {} //" + "<" * (ANGLE_LIMIT + 1),
        "export default " + "{" * 10_000,
        "f<a," * 100_000,
    ],
    ids=["long", "angles", "open", "ambiguous"],
)
def test_limits(script: str) -> None:
    """A script beyond a limit, or broken however deep, has no places."""
    assert script_places(script) == {}


@pytest.mark.usefixtures("unmeasured")
def test_sharing_is_bounded() -> None:
    """Names that each stand twice for the next come to an end, with places that are certain."""
    names = "".join(f"const a{n} = {{ x: a{n + 1}, y: a{n + 1}, ...a{n + 1}, ...a{n + 1} }};" for n in range(60))
    places = script_places(names + "const a60 = { z: 1 }; export default a0")
    assert places[()] == Offsets(11, 11)


@pytest.mark.parametrize("package", ["tree_sitter", "tree_sitter_typescript"])
def test_no_parser(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the parser or its grammar is not installed, a script has no places."""
    monkeypatch.setitem(sys.modules, package, None)
    assert script_places("export default {}") == {}


def test_marks() -> None:
    """Each value of the data whose place is known has a mark; the tree answers for the others and below them."""
    script = 'export default {\n  theme: "ci",\n  modules: { exclude: ["a", ...more], ...only() },\n  log: log(),\n};'
    data = {"theme": "ci", "modules": {"exclude": ["a", "b"]}, "log": {"format": "x"}}
    candidate = Candidate(path=PurePath("/p/tool.config.ts"), display_path="tool.config.ts", form="script")

    def at(line: int, column: int) -> Source:
        return Source("tool.config.ts", line, column)

    marks = script_marks(candidate, data, script)
    assert marks == {
        (): Mark((), at(1, 16), at(1, 16)),
        ("theme",): Mark(("theme",), at(2, 10), at(2, 3)),
        ("modules",): Mark(("modules",), at(3, 12), at(3, 3)),
        ("log",): Mark(("log",), at(4, 8), at(4, 3)),
    }
    tree = Tree(candidate, data, marks)
    assert tree.mark(("modules", "exclude", 1)) == Mark(("modules", "exclude", 1), at(3, 12), at(3, 3))
    assert tree.mark(("log", "format")) == Mark(("log", "format"), at(4, 8), at(4, 3))


def test_marks_of_what_the_data_lacks() -> None:
    """A member that the evaluation gave no value, or a value of another shape, has no mark."""
    candidate = Candidate(path=PurePath("/p/tool.config.ts"), display_path="tool.config.ts", form="script")
    script = "export default { a: undefined, b: [1, 2], c: { d: 1 } };"
    assert set(script_marks(candidate, {"b": [1], "c": "x"}, script)) == {(), ("b",), ("b", 0)}


def test_marks_of_what_was_changed() -> None:
    """A literal that is not what the data has is no place of it; what is computed may be anything."""
    candidate = Candidate(path=PurePath("/p/tool.config.ts"), display_path="tool.config.ts", form="script")
    script = 'export default { a: "x", b: 1, c: true, d: null, e: [], f: {}, g: h(), i: false };'
    same = {"a": "x", "b": 1, "c": True, "d": None, "e": [], "f": {}, "g": "y", "i": False}
    other = {"a": "y", "b": True, "c": 1, "d": 0, "e": {}, "f": [], "g": 1, "i": None}
    assert [set(script_marks(candidate, data, script)) for data in (same, other)] == [
        {(), *((key,) for key in same)},
        {(), ("g",)},
    ]


CHANGED = {
    "a member that is assigned": ('const a = { b: "x", c: "y" };\na.b = "z";', {"b": "z", "c": "y"}, {"", "c"}),
    "by another name": ("const a = { b: { c: 1 } };\nconst d = a.b;\nd.c = 2;", {"b": {"c": 2}}, {"", "b"}),
    "a list that grows": ('const a = { b: ["x"] };\na.b.push("y");', {"b": ["x", "y"]}, {"", "b", "b[0]"}),
    "a list that moves": ('const a = { b: ["x"] };\na.b.unshift("y");', {"b": ["y", "x"]}, {"", "b"}),
    "a number": ("const a = { b: 0x10, c: 1_0, d: 1.5 };\na.c++;", {"b": 16, "c": 11, "d": 1.5}, {"", "b", "d"}),
    "numbers of every spelling": (
        "const a = { b: 0b11, c: .5e1, d: 1n };",
        {"b": 3, "c": 5, "d": 1},
        {"", "b", "c"},
    ),
    "a member that goes": ("const a = { b: 1 };\ndelete a.b;", {}, {""}),
    "an object for a list": ("const a = { b: {} };\na.b = [];", {"b": []}, {""}),
}


@pytest.mark.parametrize(("script", "data", "marked"), CHANGED.values(), ids=CHANGED)
def test_marks_of_a_constant_that_is_changed(script: str, data: object, marked: set[str]) -> None:
    """What a script changes after it was written has no place there; what it leaves has."""
    candidate = Candidate(path=PurePath("/p/tool.config.ts"), display_path="tool.config.ts", form="script")
    marks = set(map(spell, script_marks(candidate, data, script + "\nexport default a;")))
    assert marks == marked


def test_a_start_without_scripts_loads_no_parser() -> None:
    """The parser is imported only when there is a script."""
    program = (
        "import sys, pipeline.scripts.places; print([name for name in sys.modules if name.startswith('tree_sitter')])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
