"""Scripts that are literals: what is read without being run, and where reading stops in every other script."""

from itertools import product
from pathlib import Path

import pytest

from pipeline.config.json_reader import DEPTH_LIMIT, locations_in
from pipeline.config.tree import Json, format_path
from pipeline.scripts.literal import read_literal
from pipeline.scripts.values import SIZE_LIMIT
from tests.support.costs import at_most
from tests.support.scripts import lay, outcome
from tests.support.sweep import sample

LITERALS: dict[str, tuple[str, object]] = {
    "an object": (
        'export default { theme: "x", modules: { only: ["a", \'b\',], }, };',
        {"theme": "x", "modules": {"only": ["a", "b"]}},
    ),
    "no semicolon, and comments everywhere": (
        "/* a */ export /* b */ default { // c\n  a /* d */ : /* e\n */ 1 // f\n}\n// g",
        {"a": 1},
    ),
    "scalars": (
        "export default { a: true, b: false, c: null, d: -5, e: +5, f: 0, g: `h\r\ni`, }",
        {"a": True, "b": False, "c": None, "d": -5, "e": 5, "f": 0, "g": "h\ni"},
    ),
    "escapes": (r'export default { a: "\n\"\x41\u00e9\u{1F600}\ud83d\ude00\0\/" };', {"a": '\n"Aé😀😀\0/'}),
    "a key that is given again": ("export default { a: 1, b: 2, 'a': 3 };", {"a": 3, "b": 2}),
    "a helper": ('import { defineConfig } from "tool";\nexport default defineConfig({ a: 1 });', {"a": 1}),
    "a helper with another name": ("import { definePreset as p } from 'tool'\nexport default p({ a: 1 },)", {"a": 1}),
    "a helper of the whole package": (
        'import * as t from "tool"; export default t.defineConfig<A>({ a: 1 })',
        {"a": 1},
    ),
    "types": (
        'import type { A } from "./a";\nimport type B from "b"\nimport type * as C from "c"\n'
        'import { type D, type E as F, G } from "tool";\n'
        'const a: readonly A[] = [], b: F["x"]["y"][] | "c" | C.D<E, string> = [];\n'
        "export default <never>{ a }".replace("<never>", "")
        + " as const satisfies Partial<A> as any;",
        {"a": []},
    ),
    "an assertion that it is something": ("const a = [1]!\nexport default ({ a: (a)! })", {"a": [1]}),
    "a const": (
        "const a = { b: [1] } as const, c = a;\nexport default { a, d: c };",
        {"a": {"b": [1]}, "d": {"b": [1]}},
    ),
    "a const that is exported": ("export const a = { b: 1 };;\nexport { a as default, };", {"b": 1}),
    "CommonJS": ('"use strict";\nconst a = [];\nmodule.exports = { a };', {"a": []}),
    "no object": ("export default [1]", [1]),
}
JAVASCRIPT = (
    'import { defineConfig as d } from "tool";\nconst a = ["x"];\nexport default d({ a });',
    "'use strict'\nmodule.exports = {}",
)
SUFFIXES = (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs")
SYSTEMS = (None, "module", "commonjs")
OTHERS = {
    "a spread": "const a = [];\nexport default { b: [@...a] };",
    "a name": "export default { b: @process.env.X };",
    "a name that is declared later": "export default @a;\nconst a = {};",
    "a condition": "export default { a: @1 ? 2 : 3 };",
    "a sum": 'export default { a: @"b" + "c" };',
    "a getter": "export default { @get a() { return 1 } };",
    "a method": "export default { @a() {} };",
    "a computed key": "export default { @['a']: 1 };",
    "a key like an index": "export default { @'1': 1 };",
    "a number as a key": "export default { @1: 1 };",
    "__proto__": "export default { @__proto__: {} };",
    "then": "export default { @'then': 1 };",
    "a substitution": "export default { a: @`${1}` };",
    "a number in hexadecimal": "export default { a: @0x1f };",
    "a number with a point": "export default { a: @1.5 };",
    "a number with a separator": "export default { a: @1_000 };",
    "a bigint": "export default { a: @1n };",
    "a sign before a name": "export default { a: @-b };",
    "an octal escape": r'export default { a: @"\01" };',
    "half a character": r'export default { a: @"\ud83d" };',
    "half a character in a key": r'export default { @"\ud83d": 1 };',
    "an omitted item": "export default { a: [@, 1] };",
    "a function": "export default @() => ({});",
    "an import": '@import a from "./a";\nexport default {};',
    "an import for its effect": '@import "tool";\nexport default {};',
    "a type from a file that is loaded": '@import { type A } from "./a";\nexport default {};',
    "a helper that is a type": 'import { type defineConfig } from "tool";\nexport default @defineConfig({});',
    "a helper with two arguments": 'import { defineConfig } from "tool";\nexport default @defineConfig({}, 1);',
    "a helper that is not called": 'import { defineConfig } from "tool";\nexport default { a: @defineConfig };',
    "another function of the package": 'import * as t from "tool";\nexport default @t.other({});',
    "a name that is imported twice": 'import { A } from "tool";\n@import type A from "a";\nexport default {};',
    "a type called type": '@import type from from "tool";\nexport default {};',
    "a value called type": '@import type from "./a";\nexport default {};',
    "a name that is declared twice": "const a = 1;\nconst @a = 2;\nexport default {};",
    "a name of CommonJS": "const @module = 1;\nexport default {};",
    "a type that is more than names": "const a: @typeof b = 1;\nexport default {};",
    "a list of what is none": "const a: @readonly string = 1;\nexport default {};",
    "a type with arguments on a new line": "const a: A\n@<B> = 1;\nexport default {};",
    "as on a new line": "export default {}\n@as const",
    "an assertion after a type": "export default @{} as A !",
    "a variable": "@let a = 1;\nexport default {};",
    "a pattern": "const @{ a } = {};\nexport default {};",
    "an enum": "@enum A { B }\nexport default {};",
    "a statement": "export default {};\n@console.log(1);",
    "another directive": "@'use asm';\nexport default {};",
    "two statements on a line": "const a = @1 export default {}",
    "two exports": "export default {};\n@export default {};",
    "two systems": "export const a = {};\n@module.exports = a;",
    "exports that are no default": "@export const a = 1;",
    "an export from elsewhere": "const a = {};\n@export { a as default } from './b';",
    "an export of another name": "const a = {};\n@export { a };",
    "a member of module.exports": "@module.exports.a = 1;",
    "a mark of another language": "@#!/usr/bin/env deno\nexport default {};",
    "an odd space": "export default@\u2028{};",
    "a comment that does not end": "export default @{} /* a",
    "nothing": "",
}


PLACES = {
    "what a helper is given": (
        'import { defineConfig, definePreset as p } from "tool";\nexport default defineConfig(p({ theme: "ci" }));',
        {"": "2:31", "theme": "2:40"},
    ),
    "what a helper of the whole package is given": (
        'import * as t from "tool";\nexport default t.defineConfig<X>({ theme: "ci" });',
        {"": "2:34", "theme": "2:43"},
    ),
    "types and brackets around a value": (
        'export default (/* c */ ({ theme: ("ci") as string })!) as const satisfies T;',
        {"": "1:26", "theme": "1:36"},
    ),
    "nested values of every kind": (
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
    "a const as the whole, a member, a shorthand, an item and in another": (
        'const theme = "ci", log = { format: theme },\nmade = { theme, exclude: [theme], log };\nexport default made;',
        {
            "": "2:8",
            "theme": "1:15",
            "exclude": "2:26",
            "exclude[0]": "1:15",
            "log": "1:27",
            "log.format": "1:15",
        },
    ),
    "a key that is given again": ("export default { a: 1, b: 2, a: 3 };", {"": "1:16", "a": "1:33", "b": "1:27"}),
    "keys with escapes": (
        'export default { "a b": 1, "\\u0074heme": 2, "\\u{1F600}": 5 };',
        {"": "1:16", '["a b"]': "1:25", "theme": "1:42", '["😀"]': "1:58"},
    ),
    "columns count characters": (
        'export default { "é😀": "é", /* 😀 */ b: ["😀", "x"] };',
        {"": "1:16", '["é😀"]': "1:24", "b": "1:40", "b[0]": "1:41", "b[1]": "1:46"},
    ),
    "lines that end with a carriage return": (
        'const x = 1;\r\nexport default {\r\n  a: "é",\r\n  b: x,\r\n};\r\n',
        {"": "2:16", "a": "3:6", "b": "1:11"},
    ),
}


FILLED = {
    "comments that do not end": "export default {} /*@/*",
    "comments between names": "export default @a/*",
    "comments": "export default {@/**//*/ */",
    "open brackets": "export default @[",
    "open functions": "export default @() => {",
    "a bracket that closes another": "export default () => {@]",
    "another such bracket": "function f() { return () => {@) }",
    "items": "export default { a: [@1,",
    "strings": 'export default { a: [@"",',
    "backslashes": 'export default "@\\',
    "escapes": 'export default "@\\\n',
    "keys": "export default {@a:1,",
    "computed keys": "export default {@a:1,[x]:2,",
    "spreads": "const a = {}; export default {@...a,",
    "the same const": "const a = [[[1]]]; export default [@a,",
    "names": "const a = 1@;const b",
    "a union of types": "const a: A@|A",
    "arguments of types": "const a: A@<A",
    "assertions": "export default 1@!",
    "types of one value": "export default 1 @as A ",
    "names of an import": "import {@a,",
    "line ends": "export default {}@\n",
}
"""Texts that are as long as a script may be, as what is after the `@` is in them again and again."""


def literal(text: str, suffix: str) -> tuple[object, ...]:
    """The data of a script that is a literal, and nothing of one that is none."""
    read = read_literal(text, suffix, "a.ts")
    return (read.data,) if isinstance(read, Json) else ()


@pytest.mark.parametrize(("text", "data"), LITERALS.values(), ids=LITERALS)
def test_a_literal_is_read(text: str, data: object) -> None:
    """A literal is its value."""
    assert literal(text, ".ts") == (data,)


@pytest.mark.parametrize(("text", "expected"), PLACES.values(), ids=PLACES)
def test_places(text: str, expected: dict[str, str]) -> None:
    """Each value has the line and column at which it is written, also if it is written in a `const`."""
    read = read_literal(text, ".ts", "a.ts")
    assert isinstance(read, Json)
    assert {format_path(path): str(each.value) for path, each in read.positions.items()} == {
        path: f"a.ts:{place}" for path, place in expected.items()
    }


def test_keys() -> None:
    """A member's key has its own place; an item and the whole have the place of their value."""
    read = read_literal('const theme = "ci";\nexport default { theme, "a": ["x"] };', ".ts", "a.ts")
    assert isinstance(read, Json)
    assert {format_path(path): str(each.key) for path, each in read.positions.items()} == {
        "": "a.ts:2:16",
        "theme": "a.ts:2:18",
        "a": "a.ts:2:25",
        "a[0]": "a.ts:2:31",
    }


@pytest.mark.sweep
@pytest.mark.parametrize(("suffix", "system", "text"), sample([*product(SUFFIXES, SYSTEMS, JAVASCRIPT)], 4))
def test_a_literal_is_what_evaluation_gives(project: Path, suffix: str, system: str | None, text: str) -> None:
    """Whatever a file is called, and whatever the package around it says, evaluation gives what is read."""
    files = {f"tool.config{suffix}": text}
    script = lay(project, files | ({"package.json": f'{{"type": "{system}"}}'} if system else {}))
    assert literal(text, suffix) == (outcome(script, project),)


@pytest.mark.parametrize("marked", OTHERS.values(), ids=OTHERS)
def test_no_other_script_is_read(marked: str) -> None:
    """Reading stops at the first thing that is not part of a literal."""
    before, _, after = marked.partition("@")
    assert read_literal(before + after, ".ts", "a.ts") == locations_in("a.ts", before + after)(len(before))


@pytest.mark.parametrize(
    "text",
    [
        "export default {} as const;",
        "const a: A = 1; export default {};",
        'import type { A } from "tool"; export default {};',
        'import { type A } from "tool"; export default {};',
        'import { A } from "tool"; export default {};',
        'import { defineConfig as d } from "tool"; export default d<A>({});',
    ],
)
def test_types_are_no_javascript(text: str) -> None:
    """What only TypeScript knows is read in TypeScript only."""
    assert [bool(literal(text, suffix)) for suffix in (".ts", ".mjs")] == [True, False]


def test_an_imported_type_that_is_not_marked() -> None:
    """Where modules are translated to CommonJS, the package is asked for every name that is not marked as a type."""
    text = 'import { A } from "tool"; export default {};'
    assert [bool(literal(text, suffix)) for suffix in (".mts", ".cts")] == [True, False]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("marked", FILLED.values(), ids=FILLED)
def test_reading_is_linear(marked: str) -> None:
    """Whatever is in a script, whether it is a literal is known in a moment; what is not linear takes minutes."""
    head, _, again = marked.partition("@")
    text = head + again * ((SIZE_LIMIT - len(head)) // len(again))
    with at_most(5):
        read_literal(text, ".ts", "a.ts")


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("export default {}", ".TS"),
        (f"export default {{}} //{' ' * SIZE_LIMIT}", ".ts"),
        (f"export default {{ a: {'(' * DEPTH_LIMIT}1{')' * DEPTH_LIMIT} }}", ".ts"),
        (f"const a: {'A<' * DEPTH_LIMIT}B{'>' * DEPTH_LIMIT} = 1; export default {{}}", ".ts"),
        (f"const a = '{'x' * (SIZE_LIMIT // 2)}'; export default {{ a, b: a }}", ".ts"),
        (
            "const a = [1, 2];"
            + "".join(f"const {'a' * n}a = [{'a' * n}, {'a' * n}];" for n in range(1, 20))
            + "export default { a }",
            ".ts",
        ),
        (
            "const a = [];"
            + "".join(f"const {'a' * n}a = [{'a' * n}];" for n in range(1, 64))
            + f"export default {{ b: {'a' * 64} }}",
            ".ts",
        ),
    ],
    ids=["suffix", "long", "deep", "deep type", "large", "shared", "deep by names"],
)
def test_limits(text: str, suffix: str) -> None:
    """A script that is too large in any way is left to be evaluated."""
    assert literal(text, suffix) == ()
