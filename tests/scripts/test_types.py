"""The grammar of types, imports and exports against TypeScript's own parser."""

import json
from random import Random

import pytest

from pipeline.config.tree import Json
from pipeline.scripts.literal import read_literal
from pipeline.scripts.types import RESERVED
from tests.support.scripts import evaluated
from tests.support.sweep import Counted, examples
from tests.support.typescript import keywords, look

FRAMES = (
    "const on: @ = true;\nexport default { on };",
    "const on = true as @\nexport default { on };",
    'const on = true as @\n"use strict";\nexport default { on };',
    "export default { on: 1 as @ };",
    "export default [1 as @, 2];",
    "export default {} satisfies @",
    'import { defineConfig as d } from "tool";\nexport default d<@>({ on: 1 });',
)
WORDS = (
    *("any", "string", "null", "undefined", "object", "unknown", "never", "void", "this", "const", "readonly", "keyof"),
    *("typeof", "unique", "symbol", "infer", "is", "asserts", "A", "B", "n", "as", "satisfies", "extends", "in"),
    *("<", "<", ">", ">", "[", "]", "[", "]", "|", "|", "&", ".", ",", "(", ")", "{", "}", "=>", "!", "?", ":", ";"),
    *('"s"', "`t`", "1", "-", "\n", "\n", " ", "/**/", "=", "+"),
)
IMPORTS = ('import @ "tool";\nexport default {};', 'import @ "./a";\nexport default {};')
CLAUSES = ("type", "type", "as", "as", "from", "{", "}", ",", "*", "a", "b", "defineConfig", "default", '"s"', "\n")
EXPORTS = ("const a = 1;\nexport @;", "const a = {};\nexport @\n", "const a = {};\nmodule@")
PARTS = ("{", "}", "default", "as", "a", "a", ",", "from", '"tool"', "=", ".", "exports", "type", "const", "*", "({})")
TABLE = {
    "any": True,
    "any<n>": False,
    "string.a": False,
    "A<n>": True,
    "A.any<n>": True,
    "A<B<C>>": True,
    "A<>": False,
    "A<B,>": False,
    "A[]": True,
    "A[0]": False,
    "A\n[]": False,
    'A["b"][]': True,
    "readonly A[]": True,
    "readonly A": False,
    "readonly readonly A[]": False,
    "| A": False,
    "A |\nB": True,
    "A & B": False,
    "{ a: string }": False,
    "typeof on": False,
    "void": True,
    "bigint": True,
    "bigint<K>": False,
    "intrinsic": False,
    "intrinsic<K>": False,
    "const": False,
}


AROUND_A_WORD = (
    *("on: true as @", "on: true as @<K>", "on: true as @.K", "on: true as A.@<K>", "on: true as @[]"),
    *("on: 1 satisfies @ | B", "on: 1 satisfies readonly @[]", 'on: true as @["k"]', "on: true as @ K", "@: 1", "@"),
)


def data_in(text: str) -> object:
    """What is read of a script; the location of what is computed, if it is no literal."""
    read = read_literal(text, ".ts", "a.ts")
    return read.data if isinstance(read, Json) else read


def is_literal(text: str) -> bool:
    """Whether a script is read without being run."""
    return isinstance(read_literal(text, ".ts", "a.ts"), Json)


@pytest.mark.parametrize(("written", "expected"), TABLE.items())
def test_types(written: str, expected: bool) -> None:
    """These types may stand around a literal, and no others."""
    assert is_literal(FRAMES[0].replace("@", written)) is expected


@pytest.mark.parametrize(
    "clause", ['from "tool"', '{ type as as dc } from "tool"', '{ type as as as } from "tool"', '{ type } from "tool"']
)
def test_imports_that_mean_two_things(clause: str) -> None:
    """What one parser takes for a type and another for a value, or for no script, is left to be evaluated."""
    assert not is_literal(f"import {clause};\nexport default {{}};")


@pytest.mark.sweep
def test_what_is_taken_is_what_typescript_says(counted: Counted) -> None:
    """Random types, imports and exports that are taken for part of a literal are that for TypeScript, too."""
    chance = Random(1)
    tables = ((FRAMES, WORDS, 6), (IMPORTS, CLAUSES, 8), (EXPORTS, PARTS, 8))
    texts = []
    for frames, words, most in tables:
        for _ in range(examples(20_000)):
            passage = chance.choice(("", " ")).join(chance.choices(words, k=chance.randint(1, most)))
            texts.append(chance.choice(frames).replace("@", passage))
    taken = sorted({text for text in texts if is_literal(text)})
    for text, seen in zip(taken, look(("a.ts", text, []) for text in taken), strict=True):
        assert (seen["mistakes"], seen["value"]) == (0, json.dumps(data_in(text))), text
    counted("types, imports and exports generated", len(texts))
    counted("of which are taken, and compared with TypeScript", len(taken))


def test_a_keyword_means_what_it_means_for_deno(counted: Counted) -> None:
    """Whatever is read with a keyword of TypeScript in it, as a type, a name or a key, is what evaluation gives."""
    words = {*keywords(), *RESERVED}
    assert sorted(words - RESERVED) == []
    members = [f"export default {{ {each} }};" for each in AROUND_A_WORD]
    names = ["const @ = 1;\nexport default { on: @ };", 'import type @ from "a";\nexport default {};']
    texts = [each.replace("@", word) for word in sorted(words) for each in (*members, *names)]
    taken = [text for text in texts if is_literal(text)]
    assert len(taken) > len(words)
    for text, answer in zip(taken, evaluated([(".ts", text) for text in taken]), strict=True):
        assert answer == data_in(text), text
    counted("uses of keywords, and of which are taken and compared with Deno", len(taken))
