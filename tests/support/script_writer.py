"""Random scripts: mostly literals, with a few things that no literal or no script may have."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

SUFFIXES = (".ts", ".ts", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs")
# fmt: off
GAPS = (
    "", "", "", "", "", " ", " ", " ", " ", "\n", "\r\n", "\t", "/* c */", "/* { 'é \n */", "// x ] `\n", "// é\r\n",
)
ODD_GAPS = (
    "\r", "\u2028", "\ufeff", "\u200b", "\x0c", "\xa0", "// x\r", "// x\u2028", "/*/", "<!-- x\n", "\n--> x\n", "#",
)
NUMBERS = (
    "0", "1", "7", "42", "999999999999999", "-1", "+1", "- 3", "-0", "-/**/2", "00", "07", "08", "0x1f", "0o17",
    "0b11", "1_000", "1e3", "1.5", "1.", ".5", "1n", "1e999", "9007199254740993", "--1",
)
STRINGS = (
    '"a"', "'b'", '""', '"é😀"', '"it\'s"', '\'"\'', '"\\n\\t\\\\\\\'"', '"\\x41\\u00e9\\u{1F600}\\u{0000041}"',
    '"\\0"', '"\\/\\d\\-"', '"\\01"', '"\\8"', '"\\x4"', '"\\u12"', '"\\u{110000}"', '"\\ud83d\\ude00"', '"\\ud83d"',
    '"a\nb"', '"a\\\nb"', '"$&"', "`a`", "`a\nb`", "`a\r\nb`", "`${1}`", "`\\n`", "`$x`", "``", '"\u2028"', '"\x00"',
    '"\t"', '"\\\u2028"', "'<!--'", '"a\\\r\nb"',
)
KEYS = (
    "a", "b", "theme", "$x", "_", "get", "set", "async", "static", "default", "if", "type", '"a"', "'c d'", '"é"',
    '""', "__proto__", '"__proto__"', "then", "toJSON", "__esModule", "0", "2", '"1"', "1e1", "é", "\\u0061",
    '"\\x61"', "['a']", "[a]",
)
WORDS = (
    "true", "false", "null", "undefined", "NaN", "Infinity", "nowhere", "this", "process.env.X", "E.A", "arguments",
)
TYPES = (
    "ToolConfig", "string[]", "readonly string[]", "Partial<ToolConfig>", 'A["b"][]', '"a" | "b"', "T.U<V<W>, X>",
    "any", "null", "readonly string", "{ a: string }", "typeof one", "keyof T", "[string]", "A & B", "(A)", "A\n[]",
    "T | 1", "Array<\nX\n>", "A\n<B>", "A |\nB", "void", "this", "unique symbol", "A[0]", "A<>", "A.if", "new () => A",
    "infer A", "any<n>", "string<X>", "null.a", "A & B<C, D>", "typeof import('x')", "A extends B ? C : D", "`a`", "1",
    "-1", "asserts x", "undefined[]", "readonly A", "A.B.C<D>[]", "object<", "const", "satisfies T", "A<B<C>>",
    "A<B>['x']", "bigint", "bigint<K>", "intrinsic<K>", "symbol", "void<K>", "unknown.a", "accessor", "A.bigint<K>",
)
STATEMENTS = (
    "", ";", '"use strict";', "'use strict'\n", "const three = [1];", "const three = 1, four = three\n",
    "type T = string;", "enum E { A = 'x' }\n", "const enum E { A = 1 }\n", "interface I {}\n", "var two = 2;",
    "export const five = {};", "export {};", "export { one };", "const { a } = one;", "'other';", "const await = 1;",
    "const type = 1;", "const of = 1;", "const let = 1;", "const undefined = 1;", "const one = 2;",
    'import type { A } from "./gone";', 'import type A from "gone"\n', 'import type * as A from "./gone";',
    'import "tool";', 'import { type A, B as C } from "tool";', 'import { type A } from "./gone";',
    "import { D } from 'tool'\n", "foo();\n", 'import type from "tool";', 'import type, { E } from "tool";',
    'import { type as } from "tool";', "export type T = 1;", 'import x from "tool";',
    'import { x } from "tool" with { type: "json" };', "#!/usr/bin/env deno\n", "@x",
    'import { type F as G } from "tool"\n', "declare const q: 1;", "const async = 1;", "const get = [], $a = 1;",
    "const eval = 1;", "const x: T;", "const three = [1, 2],;", "const Infinity = 1;", "const __dirname = 1;",
    'import from "tool";', 'import { type as as c } from "tool";', 'import { type as as as } from "tool";',
    'const on = true as any<n>\n"use strict";', "const f = <T,>(x: T) => x, g = f<number>(1);",
    "const h = new Map<string, number>();",
)
HEADS = (
    'import { defineConfig as d } from "tool"; import * as t from "tool";',
    'import { defineConfig, definePreset as d, type ToolConfig } from "tool"\nimport * as t from \'tool\'\n',
    "import {defineConfig as d,} from 'tool';import * as t from 'tool';",
)
EXPORTS = (
    "export default @;", "export default @\n", "const made: ToolConfig = @\nexport default made;", "export default @",
    "const made = @;export{made as default}", "export const made = @; export default made",
    "export { one as default };", "export default one;export default @", "export = @;",
    "export default @ as any\n;[0]", "export default @\n(1)", "const made = @\nexport default made\nsatisfies X",
    "export { one as default } from './x'", "const made = @; export { made }",
)
BY_COMMONJS = (
    "module.exports = @;", "module.exports = @\n", "module . exports=@", "exports.default = @;",
    "module.exports.a = @",
)
AROUND = (
    "@", "@", "@", "(@)", "d(@)", "t.definePreset(@,)", "@ as const", "@ satisfies T", "@!", "d<T>(@)", "d(@, 1)",
    "d(...@)", "e(@)", "<T>@", "@ + 1", "@.a", "@\nas const", "@ as\nconst", "d\n(@)", "t\n.defineConfig(@)", "@\n!",
    "@ as any<n>", "@ as A & B", "@ satisfies { a: 1 }",
)
MEMBERS = (
    "b() {}", "async c() {}", "a = 1", "set x(y) {}", "*g() {}", "one?", "if", "...d(two)", "async, set",
    "a: f<A, B>(1)", '"x"() {}', "a: function () {}, b: 1",
)
# fmt: on
class Writer:
    """Writes a random script: mostly a literal, sometimes with a few things that are none."""

    def __init__(self, chance: Random, suffix: str) -> None:
        self.chance, self.oddity = chance, chance.choice((0.0, 0.0, 0.02, 0.1))
        self.ids = count(1000)
        self.is_typed, self.is_common = "t" in suffix, "c" in suffix
        self.names: list[str] = []

    def pick(self, *choices: Any) -> Any:
        """Choose one."""
        return self.chance.choice(choices)

    def of(self, table: tuple[str, ...], common: int) -> str:
        """Choose from a table, mostly of its first entries."""
        return self.pick(*(table if self.chance.random() < self.oddity else table[:common]))

    def gap(self) -> str:
        """What may stand between two tokens."""
        return self.pick(*ODD_GAPS) if self.chance.random() < self.oddity / 4 else self.pick(*GAPS)

    def value(self, depth: int) -> str:
        """A value, with what may be around it."""
        forms = [self.of(NUMBERS, 10), self.of(STRINGS, 10), self.of(WORDS, 3), *self.names]
        text = self.pick(*forms, *([self.object(depth), self.row(depth)] if depth else ()))
        around = self.of(AROUND, 10)
        if self.is_common and around[0] in "dt" and self.chance.random() > self.oddity:
            around = "(@)"
        if not self.is_typed and self.chance.random() > self.oddity:
            around = self.pick("@", "(@)") if self.is_common else self.pick("@", "(@)", "d(@)", "t.definePreset(@,)")
        if around.startswith("@ "):
            around += self.pick("", f" as{self.gap()} {self.of(TYPES, 9)}")
        after = "" if around.startswith(("@ ", "@!")) and self.chance.random() > self.oddity else self.gap()
        return self.gap() + around.replace("@", text + after) + self.gap()

    def object(self, depth: int) -> str:
        """An object, with a number of its own that nothing in it replaces."""
        members = [*(self.member(depth) for _ in range(self.pick(0, 1, 2, 3))), f"id:{next(self.ids)}"]
        return "{" + self.joined(members) + self.gap() + "}"

    def member(self, depth: int) -> str:
        """A member of an object."""
        if self.chance.random() < self.oddity:
            return self.pick(*MEMBERS)
        if self.names and self.chance.random() < 0.1:
            return self.gap() + self.pick(*self.names)
        return self.gap() + self.of(KEYS, 16) + self.gap() + ":" + self.value(depth - 1)

    def row(self, depth: int) -> str:
        """A list."""
        items = [self.value(depth - 1) for _ in range(self.pick(0, 1, 2, 3))]
        return "[" + self.joined([*items, *(["...[1]"] if self.chance.random() < self.oddity else [])]) + "]"

    def joined(self, members: list[str]) -> str:
        """Members with their commas."""
        comma = self.pick(",,", " ", ";") if self.chance.random() < self.oddity / 2 else ","
        return comma.join(members) + (self.pick("", ",") if members else "")

    def script(self) -> str:
        """A whole script."""
        head = "" if self.is_common else self.pick(*HEADS)
        if not self.is_typed:
            head = head.replace(", type ToolConfig", "")
        for name in ("one", "two"):
            typed = f": {self.of(TYPES, 9)} " if self.is_typed and self.chance.random() < 0.3 else ""
            head += f"{self.gap()}const {name}{typed}={self.value(1)}{self.pick(';', chr(10))}"
            self.names.append(name)
        export = self.of(BY_COMMONJS, 3) if self.is_common else self.of(EXPORTS, 7)
        text = self.other() + head + self.other() + export.replace("@", self.object(3)) + self.other()
        text = text if self.is_typed else text.replace(": ToolConfig", "")
        return self.mutated(text) if self.chance.random() < 0.1 else text

    def other(self) -> str:
        """Another statement, or none."""
        return self.pick(*(STATEMENTS if self.chance.random() < self.oddity * 3 else ("",)))

    def mutated(self, text: str) -> str:
        """A script of which a piece is cut out, doubled or replaced."""
        start = self.chance.randrange(len(text))
        end = start + self.pick(1, 1, 1, 2, 5)
        return text[:start] + self.pick("", text[start:end] * 2, *"{}[](),;:!'\"`\\/*\n-+.=<> a0") + text[end:]


def scripts(seed: int, number: int) -> Iterator[tuple[str, str]]:
    """The suffixes and the texts of some scripts."""
    chance = Random(seed)
    for _ in range(number):
        suffix = chance.choice(SUFFIXES)
        yield suffix, Writer(chance, suffix).script()
