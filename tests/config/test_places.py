"""Where the values of an evaluated script are written: at one certain place, or nowhere."""

import json

import pytest

from pipeline.config.places import KEY_LIMIT, TEXT_LIMIT, places_in
from pipeline.config.tree import format_path
from tests.support.costs import at_most

IMPORT = 'import { defineConfig } from "tool";\n'
AT_ONE = {"theme": "1:25"}
"""Where `theme` is in `export default { theme: … }`."""
PLACED: dict[str, tuple[str, object, dict[str, str]]] = {
    "an object": ('export default { theme: "a" };', {"theme": "a"}, AT_ONE),
    "without a semicolon": ('export default { theme: "a" }\nconsole.log(1)', {"theme": "a"}, AT_ONE),
    "a value that is computed": ("export default { theme: pick(1) };", {"theme": "a"}, AT_ONE),
    "a condition": ('export default { theme: x ? "a" : "b" };', {"theme": "b"}, AT_ONE),
    "a short form": ("const theme = f();\nexport default { theme };", {"theme": "a"}, {"theme": "2:18"}),
    "a key in quotes": ('export default { \'theme\': "a", "log": {} };', {"theme": "a"}, {"theme": "1:27"}),
    "a list, and its elements with it": (
        'export default { modules: { exclude: ["a", ...b] } };',
        {"modules": {"exclude": ["a", "c"]}},
        {"modules": "1:27", "modules.exclude": "1:38"},
    ),
    "keys of one name in two objects": (
        'export default {\n  exclude: ["a"],\n  modules: { exclude: ["b"] },\n};',
        {"exclude": ["a"], "modules": {"exclude": ["b"]}},
        {"exclude": "2:12", "modules": "3:12", "modules.exclude": "3:23"},
    ),
    "a type behind it": (
        'export default { theme: "a" as const, log: { format: "json" } as Log | undefined } as const satisfies T<A>;',
        {"theme": "a", "log": {"format": "json"}},
        {"theme": "1:25", "log": "1:44", "log.format": "1:54"},
    ),
    "another type behind it": ("export default { theme: f() } satisfies T;", {"theme": "a"}, AT_ONE),
    "a statement behind it": ("export default { theme: f() }\n$x();", {"theme": "a"}, AT_ONE),
    "a part that is computed": ('export default { theme: "a" + f() };', {"theme": "ab"}, AT_ONE),
    "an object that has a name": ("export default { log: logging };", {"log": {"format": "json"}}, {"log": "1:23"}),
    "brackets": ("export default ({ theme: 'a' });", {"theme": "a"}, {"theme": "1:26"}),
    "the helper": (IMPORT + "export default defineConfig({ theme: f() });", {"theme": "a"}, {"theme": "2:38"}),
    "module.exports": ("module.exports = { theme: f() };", {"theme": "a"}, {"theme": "1:27"}),
    "the helper, required": (
        "const { definePreset } = require('tool');\nmodule.exports = definePreset({ theme: f() });",
        {"theme": "a"},
        {"theme": "2:40"},
    ),
    "export =": ("export = { theme: f() };", {"theme": "a"}, {"theme": "1:19"}),
    "an arrow function": (
        IMPORT + "export default defineConfig(async (): Promise<T> => ({ theme: f() }));",
        {"theme": "a"},
        {"theme": "2:63"},
    ),
    "an arrow function with a body": (
        "export default async () => { await f(); return { theme: f() }; };",
        {"theme": "a"},
        {"theme": "1:57"},
    ),
    "an arrow function of an argument": ("export default x => ({ theme: f() });", {"theme": "a"}, {"theme": "1:31"}),
    "a function without a name": (
        "export default function () { return { theme: f() } }",
        {"theme": "a"},
        {"theme": "1:46"},
    ),
    "a function": (
        "export default async function config() {\n  if (x) throw y;\n  return { theme: f() };\n}",
        {"theme": "a"},
        {"theme": "3:19"},
    ),
    "a constant": (
        "const config: ToolConfig = { theme: f() };\nexport default config;",
        {"theme": "a"},
        {"theme": "1:37"},
    ),
    "one of several constants": (
        "const config = { theme: f() }, other = 1;\nexport default config;",
        {"theme": "a"},
        {"theme": "1:25"},
    ),
    "a constant in the helper": (
        IMPORT + "const made = { theme: f() };\nexport default defineConfig(made);",
        {"theme": "a"},
        {"theme": "2:23"},
    ),
    "behind a spread": (
        "export default { ...base, theme: f(), [key]: 1, log: {} };",
        {"theme": "a", "log": {}},
        {"log": "1:54"},
    ),
    "the last of two that differ": ('export default { theme: "a", theme: "b" };', {"theme": "b"}, {"theme": "1:37"}),
    "comments, texts, templates, expressions and divisions": (
        '// theme: "x"\n/* theme: "x" */ const a = "{", b = `{${f(1, "}")}`, c = /[`"{/]+/u, d = 4 / 2;\n'
        'export default { /* , theme: "y" */ theme: "a" };',
        {"theme": "a"},
        {"theme": "3:44"},
    ),
    "regular expressions with quotes": (
        "/\"/.test(x);\nconst f = (x) => /'/.test(x) && /\"/.test(x) || /`/.test(x) ?? /'/;\n"
        "export default { theme: f() };",
        {"theme": "a"},
        {"theme": "3:25"},
    ),
    "numbers and switches": (
        "export default { schema: 1, cache: { enabled: false } };",
        {"schema": 1, "cache": {"enabled": False}},
        {"schema": "1:26", "cache": "1:36", "cache.enabled": "1:47"},
    ),
    "beside functions that nobody calls": (
        "const f = () => { return { theme: 1 } };\nexport default { theme: g() };",
        {"theme": "a"},
        {"theme": "2:25"},
    ),
}
NOWHERE: dict[str, tuple[str, object]] = {
    "no export": ('const a = { theme: "a" };', {"theme": "a"}),
    "what is around an export": ("class A { static x = { theme: f() } }\nexport default new A().x;", {"theme": "a"}),
    "another value": ('export default { theme: "a" };', {"theme": "b"}),
    "a switch that is a text": ('export default { theme: "true" };', {"theme": True}),
    "a number that is a text": ("export default { theme: 1 };", {"theme": "1"}),
    "a number that is a switch": ("export default { theme: 1 };", {"theme": True}),
    "two equal values": ('export default { theme: "a", theme: "a" };', {"theme": "a"}),
    "two that are computed": ("export default { theme: f(), theme: g() };", {"theme": "a"}),
    "before a spread": ('export default { theme: "a", log: f(), ...base };', {"theme": "a", "log": {}}),
    "before a computed key": ('export default { theme: "a", [key]: "a" };', {"theme": "a"}),
    "before a getter": ("export default { theme: f(), get theme() { return 1 } };", {"theme": "a"}),
    "before a key with an escape": (r'export default { theme: f(), "them\u0065": g() };', {"theme": "a"}),
    "an object that is only a part": ("export default f() && { theme: g() };", {"theme": "a"}),
    "an object of which a part is taken": ("export default { theme: { theme: f() } }.theme;", {"theme": "a"}),
    "an object and more": ("export default { theme: f() } as A && other;", {"theme": "a"}),
    "an object of which a part is taken on the next line": (
        "export default { theme: f() }\n[x];",
        {"theme": "a"},
    ),
    "a helper of which a part is taken": (
        IMPORT + "export default defineConfig({ log: { theme: f() } }).log;",
        {"theme": "a"},
    ),
    "an object that is something else": ("export default { log: { format: f() } };", {"log": "x"}),
    "a key with quotes in it": ("export default { ...base, \"'theme'\": f() };", {"theme": "a"}),
    "an argument of a function": ("export default merge({ theme: f() });", {"theme": "a"}),
    "a helper of one's own": (
        "const defineConfig = (a) => ({ ...a, theme: g() });\nexport default defineConfig({ theme: f() });",
        {"theme": "a"},
    ),
    "a helper from elsewhere": (
        'import { defineConfig } from "./own";\nexport default defineConfig({ theme: f() });',
        {"theme": "a"},
    ),
    "a helper that is hidden": (
        IMPORT + "export default (defineConfig) => defineConfig({ theme: f() });",
        {"theme": "a"},
    ),
    "a helper that is not exported": (
        IMPORT + "const base = defineConfig({ theme: f() });\nexport default { ...base };",
        {"theme": "a"},
    ),
    "a function that is not called": ("const f = () => ({ theme: g() });\nexport default { ...h() };", {"theme": "a"}),
    "the return of another function": (
        "function f() { return { theme: g() } }\nexport default { ...h() };",
        {"theme": "a"},
    ),
    "a function that gets another value": (
        "export default function f() { return { theme: g() } }\nf = h;",
        {"theme": "a"},
    ),
    "a function that is called": ("export default (() => ({ theme: f() }))();", {"theme": "a"}),
    "a function that returns in two ways": (
        "export default () => { if (x) return { theme: f() }; return { theme: g() }; };",
        {"theme": "a"},
    ),
    "a function that returns in a block": (
        "export default () => { try { return { theme: f() } } finally { g() } };",
        {"theme": "a"},
    ),
    "a function that is called in brackets": (
        "export default (function () { return { theme: f() } }());",
        {"theme": "a"},
    ),
    "an object behind a function": (
        "export default () => { if (x) { return f() } }\n{ theme: g() }",
        {"theme": "a"},
    ),
    "what is in a regular expression": (
        "if (x) /export default { theme: f() };a/.test(y);",
        {"theme": "a"},
    ),
    "two exports": ("export default { theme: f() };\nexport = { theme: g() };", {"theme": "a"}),
    "two kinds of exports": ("export default { theme: f() };\nmodule.exports = { theme: g() };", {"theme": "a"}),
    "one of two functions": ("export default (x) ? y => ({ theme: f() }) : z;", {"theme": "a"}),
    "the other of two functions": ("export default (x) ? z : y => ({ theme: f() });", {"theme": "a"}),
    "a variable": ("let config = { theme: f() };\nexport default config;", {"theme": "a"}),
    "a constant that is used before": (
        "const config = { theme: f() };\nconfig.theme = g();\nexport default config;",
        {"theme": "a"},
    ),
    "a constant that hides another": (
        "const config = { theme: f() };\n{ const config = { theme: g() } }\nexport default config;",
        {"theme": "a"},
    ),
    "a constant in a block": ("{ const config = { theme: f() } }\nexport default config;", {"theme": "a"}),
    "exports that are changed": (
        "module.exports = { theme: f() };\nmodule.exports.theme = g();",
        {"theme": "a"},
    ),
    "exports that are made twice": ("module.exports = { theme: f() };\nexports.x = 1;", {"theme": "a"}),
    "exports in quotes": ('module.exports = { theme: f() };\nmodule["exports"].theme = 1;', {"theme": "a"}),
    "a call of an asynchronous function": ("export default async ({ theme: f() });", {"theme": "a"}),
    "a template in a template": ("const a = `${`x`}`;\nexport default { theme: f() };", {"theme": "a"}),
    "a division or not": ('if (x) /"/.test(y);\nexport default { theme: f() /* " */ };', {"theme": "a"}),
    "a sign that is none": ("export default { theme:\u200b f() };", {"theme": "a"}),
    "an open text": ('const a = "\nexport default { theme: f() };', {"theme": "a"}),
    "an open bracket": ("export default { theme: f() };\n(", {"theme": "a"}),
    "a bracket that does not fit": ("export default { theme: f() };\n]", {"theme": "a"}),
    "a bracket of another kind": ("export default { theme: f() };\n(]", {"theme": "a"}),
    "a hidden end of a comment": ("export default { theme: f(), // x\r...base\n};", {"theme": "a"}),
    "more functions than anybody writes": (
        f"export default {'() => ' * 9}({{ theme: f() }});",
        {"theme": "a"},
    ),
    "more brackets than anybody writes": (f"export default {'(' * 9}{{ theme: f() }}{')' * 9};", {"theme": "a"}),
    "a long text": (f"export default {{ theme: f() }};{' ' * TEXT_LIMIT}", {"theme": "a"}),
}


def placed(text: str, data: object) -> dict[str, str]:
    """The place of each value."""
    found = places_in(text, "tool.config.ts", data)
    return {format_path(path): f"{each.value.line}:{each.value.column}" for path, each in found.items()}


@pytest.mark.parametrize(("text", "data", "expected"), PLACED.values(), ids=PLACED)
def test_a_value_of_the_exported_object_has_its_place(text: str, data: object, expected: dict[str, str]) -> None:
    """A value that stands in the exported object itself has the line and column at which it begins."""
    assert placed(text, data) == expected


@pytest.mark.parametrize(("text", "data"), NOWHERE.values(), ids=NOWHERE)
def test_no_place_is_better_than_a_wrong_one(text: str, data: object) -> None:
    """Where another place may have given a value, it has none."""
    assert placed(text, data) == {}


def test_inside_an_object_that_stands_twice() -> None:
    """Where an object may be either of two, what is in it has no place, nor has what is in one that is computed."""
    twice = "export default { log: { format: f() }, log: { ...g } };"
    computed = "export default { log: { format: f() }[x] };"
    data = {"log": {"format": "json"}}
    assert (placed(twice, data), placed(computed, data)) == ({}, {"log": "1:23"})


def test_as_many_places_as_a_person_reads() -> None:
    """The first hundred values have a place."""
    text = "export default {" + ",".join(f"k{number}:0" for number in range(200)) + "}"
    assert [*placed(text, {f"k{number}": 0 for number in range(200)})] == [f"k{number}" for number in range(KEY_LIMIT)]


LONG = {
    "brackets": "(" * TEXT_LIMIT,
    "open comments": "/*" * (TEXT_LIMIT // 2),
    "quotes": '"\\' * (TEXT_LIMIT // 2),
    "templates": "`${" * (TEXT_LIMIT // 3),
    "divisions": "a/[" * (TEXT_LIMIT // 3),
    "expressions": "=/[" * (TEXT_LIMIT // 3),
    "exports": "module.exports = 1;" * (TEXT_LIMIT // 20),
    "default exports": "export default 1;" * (TEXT_LIMIT // 20),
    "spreads": "export default {" + "...a," * (TEXT_LIMIT // 6) + "}",
    "nesting": "export default " + "{a:" * (TEXT_LIMIT // 8) + "1" + "}" * (TEXT_LIMIT // 8),
    "calls": "export default defineConfig(" + "defineConfig()," * (TEXT_LIMIT // 20) + ")",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_the_time_grows_with_the_length(text: str) -> None:
    """Whatever a script has in it, it is looked through in a moment."""
    data: object = 1
    for _ in range(60):
        data = {"a": data}
    with at_most(5):  # what is not linear takes minutes
        places_in(text, "a.ts", json.loads(json.dumps(data)))
