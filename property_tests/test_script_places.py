"""Laws of the places in a script: total, exact for what is literal, never a guess."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import PurePath
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config.tree import Candidate, KeyPath, Offsets
from pipeline.report.source import Source
from pipeline.scripts.places import script_marks, script_places
from tests.support.sweep import examples

PIECES = (
    *("{", "}", "[", "]", "(", ")", "<", ">", ",", ":", ";", "...", "=", "=>", "!", "?", "`", "${", '"', "'", "\\"),
    *("export ", "default ", "const ", "a", "b", " as ", " satisfies ", "X", "module.exports", "exports.default"),
    *(
        "async ",
        "await ",
        "function ",
        "return ",
        "get ",
        "set ",
        "__proto__",
        "then",
        "1",
        "0x1n",
        "é",
        "😀",
        "\ud800",
    ),
    *("\r\n", "\n", "// c\n", "/* c */", "import ", " from ", '"tool"', "defineConfig", "{a: 1}", "\\u0061", "\x00"),
)
VALID = (
    'import { defineConfig } from "tool";\nconst a = ["x", ...["y"]];\n'
    'export default defineConfig({ a, "b": { c: `d` } });',
    'const { definePreset } = require("tool");\nmodule.exports = definePreset({ a: [1, , 2], get b() { return 1 } });',
    "const base = { a: { b: 1 } } as const;\nfunction f(): X { return { ...base, [k]: 1 } }\nexport { f as default };",
    "export default async () => (<X>{ '\\u0061': -1, é: '😀', 0x10: null, __proto__: {} })!;",
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
@settings(max_examples=examples(400), deadline=None)
def test_any_text_has_places_within_it(text: str) -> None:
    """Total: for any text there is an answer, and each place in it is in the text."""
    assert all(0 <= place.key < len(text) and 0 <= place.value < len(text) for place in script_places(text).values())


@given(st.sampled_from(VALID), st.lists(st.tuples(st.integers(0, 200), st.integers(0, 9), st.sampled_from(PIECES))))
@settings(max_examples=examples(400), deadline=None)
def test_any_mutation_of_a_script_has_places_within_it(text: str, edits: list[tuple[int, int, str]]) -> None:
    """Total: a valid script in which passages are replaced is answered too."""
    for at, length, piece in edits:
        text = text[:at] + piece + text[at + length :]
    assert all(0 <= place.key < len(text) and 0 <= place.value < len(text) for place in script_places(text).values())


# Agreement: a configuration printed as a script, with what was printed where.

Spell = Callable[[str], str]
GAPS = ("", " ", "\n", "\r\n", "\t", " /* { [ é 😀 */ ", " // , ] }\n", " // x\r\n")
WRAPPERS = (
    "export default @",
    "export default (@)",
    "export default @ satisfies ToolConfig",
    "export default @ as const satisfies ToolConfig;",
    "export default <ToolConfig>@",
    "export default (@)!",
    "import { defineConfig } from 'tool'\nexport default defineConfig(@)",
    'import { type ToolConfig, defineConfig as d } from "tool"; export default d<ToolConfig>(@ as ToolConfig,)',
    'import * as tool from "tool"; export default tool.definePreset(@)',
    "const config: ToolConfig = @; export default config;",
    "const config = @; export { config as default }",
    "export const config = @; export default config as ToolConfig; type T = typeof config;",
    "const one = @; const two = one; export default two;",
    "/* é */ module.exports = @;",
    "exports.default = @; exports.other = 1",
    "module.exports.default = @",
    'const { defineConfig } = require("tool"); module.exports = defineConfig(@)',
    "export default () => (@)",
    "export default async () => await Promise.resolve(@)",
    "export default function () { return (@) }",
    "export default async function config() { const x = 1; return (@) }",
    "const make = function () { return (@) }; export default make",
    "export default Promise.resolve(@)",
    "export default await @",
    "#!/usr/bin/env deno\n'é'; export default @",
)

CANDIDATE = Candidate(path=PurePath("/p/tool.config.ts"), display_path="tool.config.ts", form="script")

gaps = st.sampled_from(GAPS)
keys = st.one_of(
    st.sampled_from(["theme", "a", "$x", "é", "0", "17", "a b", 'q"', "\n", "😀", "get"]), st.text(max_size=3)
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=4))
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3))
configs = st.dictionaries(keys.filter(lambda key: key not in {"then", "toJSON"}), values, max_size=4)


class Printer:
    """Prints a value as a literal and keeps where each value in it began."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw, self.text, self.begun = draw, "", dict[KeyPath, Offsets]()

    def write(self, value: object, path: KeyPath = (), key: int | None = None) -> str:
        """Print a value after what is printed already."""
        self.text += self.draw(gaps)
        at = len(self.text)
        self.begun[path] = Offsets(at, at if key is None else key)
        if isinstance(value, dict | list):
            self._whole(value, path)
        elif isinstance(value, str) and value.isalpha() and self.draw(st.booleans()):
            self.text += self.draw(st.sampled_from(["'{}'", "`{}`"])).format(value)
        else:
            self.text += json.dumps(value, ensure_ascii=self.draw(st.booleans()))
        return self.text

    def _whole(self, value: Any, path: KeyPath) -> None:
        members = value.items() if isinstance(value, dict) else enumerate(value)
        self.text += "{" if isinstance(value, dict) else "["
        for index, (step, inner) in enumerate(members):
            self.text += ("," if index else "") + self.draw(gaps)
            at = None if isinstance(value, list) else len(self.text)
            if at is not None:
                self.text += self.draw(st.sampled_from(tuple(spellings(step)))) + self.draw(gaps) + ":"
            self.write(inner, (*path, step), at)
        self.text += self.draw(gaps) + ("," if value and self.draw(st.booleans()) else "")
        self.text += "}" if isinstance(value, dict) else "]"


def spellings(key: str) -> Iterator[str]:
    """The ways to write a key; `__proto__` is one only where it is computed."""
    if key != "__proto__":
        yield json.dumps(key)
        yield from [key] if re.fullmatch(r"[a-z]+|0|[1-9][0-9]*", key) else []
    if key.isascii() and key.isdigit() and str(int(key)) == key:
        yield hex(int(key))
    yield f"[{json.dumps(key, ensure_ascii=False)}]"


@given(st.data(), configs, st.sampled_from(WRAPPERS))
@settings(max_examples=examples(400), deadline=None)
def test_every_literal_is_found_where_it_was_printed(data: st.DataObject, config: object, wrapper: str) -> None:
    """Agreement: whatever wraps a literal, and however it is laid out, each of its values has exactly its place."""
    printer = Printer(data.draw)
    printer.text, _, after = wrapper.partition("@")
    text = printer.write(config) + after
    assert script_places(text) == printer.begun
    lines = text.split("\n")
    for path, mark in script_marks(CANDIDATE, config, text).items():
        assert mark.written == path
        assert len("\n".join(lines[: mark.value.line - 1])) + (mark.value.line > 1) + mark.value.column - 1 == (
            printer.begun[path].value
        )
        assert isinstance(mark.key, Source)


# Never a guess: scripts that spread, compute and change, each beside the value that it really has.

KEYS = ("a", "b", "c", "0")


class Box(dict[str, Any]):
    """An object, which knows the literal that made it."""

    mark: int


class Row(list[Any]):
    """An array, which knows the literal that made it."""

    mark: int


class Writer:
    """Writes a random script, and runs each statement of it on plain values while it is written."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.ids = count(100)
        self.lines = ["const pick = (x: any): any => x, yes = pick(true), poke = (x: any) => { x[0] = 99 };"]
        self.lines += [f"const key{key} = pick({key!r});" for key in KEYS]
        self.names: dict[str, Any] = {}

    def pick(self, *choices: Any) -> Any:
        """Choose one."""
        return self.chance.choice(choices)

    def number(self) -> tuple[str, Any]:
        """A number that is written nowhere else."""
        number = next(self.ids)
        return self.pick("{}", "({})", "{} as number", "{}!", "(<any>{})").format(number), number

    def value(self, depth: int, kinds: str = "nor") -> tuple[str, Any]:
        """An expression of a kind (number, object, row) and its value."""
        kind = self.pick(*kinds) if depth or kinds != "nor" else "n"
        fitting = [name for name, value in self.names.items() if _kind(value) == kind]
        form = self.pick(*["literal"] * 4, *["name"] * (5 if fitting else 0), "pick", "choice")
        if form == "name":
            name = self.pick(*fitting)
            return self.pick("{}", "({})", "{} as any", "{}!").format(name), self.names[name]
        if form != "literal" and depth:
            text, value = self.value(depth - 1, kind)
            other, _ = self.value(depth - 1, kind)
            return (f"pick({text})" if form == "pick" else f"(yes ? {text} : {other})"), value
        return {"n": lambda _: self.number(), "o": self.object, "r": self.row}[kind](depth)

    def object(self, depth: int) -> tuple[str, Any]:
        """An object literal."""
        box, texts = Box(), [f"/*{(mark := next(self.ids))}*/"]
        box.mark = mark
        for _ in range(self.pick(0, 1, 2, 3)):
            key = self.pick(*KEYS)
            fitting = [name for name in self.names if len(name) == 2]
            form = self.pick(*["pair", "spread", "name"] * 3, "getter", "setter", "proto")
            text, value = self.value(max(depth - 1, 0), "o" if form == "spread" else "nor")
            if form == "pair":
                spelled = self.pick(key, repr(key), f"[{key!r}]", f"[key{key}]", f'"\\u{ord(key):04x}"')
                texts.append(f"{spelled}: {text}")
                box[key] = value
            elif form == "spread":
                texts.append(f"...{text}")
                box.update(value)
            elif form == "getter":
                texts.append(f"get {self.pick(key, f'[key{key}]')}() {{ return {(number := next(self.ids))} }}")
                box[key] = number
            elif form == "setter" and key not in box:
                texts.append(f"set {key}(x) {{}}, {key}: {text}")
                box[key] = value
            elif form == "proto" and "__proto__" not in "".join(texts):
                texts.append(f"__proto__: {text}")
            elif form == "name" and fitting:
                texts.append(name := self.pick(*fitting))
                box[name] = self.names[name]
        return "{" + texts[0] + ", ".join(texts[1:]) + "}", box

    def row(self, depth: int) -> tuple[str, Any]:
        """An array literal."""
        row, texts = Row(), [f"/*{(mark := next(self.ids))}*/"]
        row.mark = mark
        for _ in range(self.pick(0, 1, 2, 3)):
            spread = self.pick(False, False, True)
            text, value = self.value(max(depth - 1, 0), "r" if spread else "nor")
            texts.append(f"...{text}" if spread else text)
            row += value if spread else [value]
        return "[" + texts[0] + ", ".join(texts[1:]) + "]", row

    def declare(self) -> None:
        """Declare a name; one in four may be assigned again, and is."""
        name, (text, value) = f"v{len(self.names)}", self.value(2, self.pick("n", "o", "o", "r"))
        again = self.pick(*[False] * 5, True)
        self.lines.append(f"{'let' if again else self.pick('const', 'export const')} {name}: any = {text};")
        self.names[name] = value
        if again:
            text, self.names[name] = self.value(1)
            self.lines.append(f"{name} = {text};")

    def change(self) -> None:
        """Change something that a name holds, or only read it."""
        name = self.pick(*self.names)
        at, whole = name, self.names[name]
        while (steps := _wholes(whole)) and self.pick(True, False):
            step = self.pick(*steps)
            at, whole = f"{at}[{step!r}]", whole[step]
        if not isinstance(whole, Box | Row):
            self.lines.append(f"const n{len(self.lines)} = `${{{at}}}`, m{len(self.lines)} = typeof {at};")
            return
        key, number = 0 if isinstance(whole, Row) else self.pick(*KEYS), next(self.ids)
        whole_key = json.dumps(key)
        form = self.pick(*CHANGES)
        self.lines.append(form.format(at=at, key=whole_key, n=number, name=name, i=len(self.lines)))
        if form.startswith("poke"):
            key, number = (0 if isinstance(whole, Row) else "0"), 99
        if "export {{" in form:
            return
        if isinstance(whole, Row):
            whole[0:1] = [number]
        else:
            whole[key] = number

    def finish(self) -> tuple[str, Any]:
        """Export something."""
        before, _, after = self.pick(*EXPORTS).partition("@")
        shadowed = dict(self.names)
        if "#" in before:
            name, number = self.pick(*self.names), next(self.ids)
            before = before.replace("#", f"{name}: any = {number}")
            self.names[name] = number
        text, value = self.value(3, "o")
        self.names = shadowed
        return "\n".join([*self.lines, before + text + after]), value


CHANGES = (
    "{at}[{key}] = {n};",
    "Object.assign({at}, {{ {key}: {n} }});",
    "const t{i} = {at}; t{i}[{key}] = {n};",
    "const h{i} = {{ x: [{at}] }}; h{i}.x[0][{key}] = {n};",
    "for ({at}[{key}] of [{n}]);",
    "[{at}[{key}]] = [{n}];",
    "poke({at});",
    "(() => ({at}))()[{key}] = {n};",
    "{{ const f{i} = (x: any = {at}) => {{ x[{key}] = {n} }}; f{i}() }}",
    "const {{ x: g{i} }} = {{ x: {at} }}; g{i}[{key}] = {n};",
    "function f{i}() {{ return {at} }}; f{i}()[{key}] = {n};",
    "(yes && {at})[{key}] = {n};",
    "Reflect.set({at}, {key}, {n});",
    "export {{ {name} as e{i} }};",
)
EXPORTS = (
    "export default @;",
    "export default @ as const;",
    "export default () => (@);",
    "export default async function () { return (@) }",
    "const last = @; export default last;",
    "const last = @; export { last as default };",
    "export default (#) => (@);",
    "export default Promise.resolve(@);",
)


def _kind(value: object) -> str:
    return "o" if isinstance(value, Box) else "r" if isinstance(value, Row) else "n"


def _wholes(value: object) -> list[Any]:
    steps = value.items() if isinstance(value, Box) else enumerate(value) if isinstance(value, Row) else ()
    return [step for step, inner in steps if isinstance(inner, Box | Row)]


def program(chance: Random) -> tuple[str, Any]:
    """A script and the value that it exports."""
    writer = Writer(chance)
    for _ in range(chance.randint(1, 5)):
        writer.declare()
    for _ in range(chance.randint(0, 3)):
        writer.change()
    return writer.finish()


def _at(value: Any, path: KeyPath) -> Any:
    for step in path:
        if not isinstance(value, Box | Row) or step not in (value if isinstance(value, Box) else range(len(value))):
            return None
        value = value[step]
    return value


@given(st.randoms(use_true_random=True))
@settings(max_examples=examples(1000), deadline=None)
def test_a_mark_at_a_literal_is_of_the_value_that_the_script_has(chance: Random) -> None:
    """Never a guess: each mark at a number is of that number, each at an object or a list is of one."""
    text, value = program(chance)
    lines = text.split("\n")
    for path, mark in script_marks(CANDIDATE, value, text).items():
        line = lines[mark.value.line - 1][mark.value.column - 1 :]
        actual = _at(value, path)
        if written := re.match(r"\d+", line):
            assert int(written[0]) == actual, (path, text)
        elif line.startswith(("{", "[")):
            assert isinstance(actual, Box if line.startswith("{") else Row), (path, text)
