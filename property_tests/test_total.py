"""Laws of totality: no input makes a stage raise, and every error has a position that exists."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from returns.result import Result

from pipeline.config.flags import read_flags
from pipeline.config.layers import Layer
from pipeline.config.tree import ConfigFile
from pipeline.config.variables import read_variables
from pipeline.locate import Located, locate
from pipeline.report.diagnostics import ConfigError
from pipeline.report.location import Location
from pipeline.report.outcome import fold
from pipeline.resolve import Request, Resolution, load, resolve
from pipeline.schema import SETTINGS
from property_tests.printing import printings
from property_tests.strategies import (
    KEYS,
    any_texts,
    configs,
    file,
    json_values,
    legacy_objects,
    near_configs,
    nested,
    soups,
    spoilt,
    values_of,
)
from tests.support.disks import START, disk_of
from tests.support.sweep import law

BYTES = tuple(bytes([byte]) for byte in b'{}[]:,"\\ \n\0\xff\xc3-0')
WORDS = (
    *(b"tru", b"null", b"NaN", b"1.5e", b"1e999", b"9" * 5000),
    *(b"\\ud800", b'"\\ud800"', b"\xef\xbb\xbf", b"\xed\xa0\x80"),
)
SHARDS = (*BYTES, *WORDS, *(f'"{key}":'.encode() for key in ("tool", *KEYS)))


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """Valid configurations with a few pieces cut out, put in or written over."""
    content = draw(printings(configs() | st.fixed_dictionaries({"tool": configs()})))[
        1
    ].text.encode()
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 4)))
        content = content[:start] + draw(st.sampled_from((b"", *BYTES, *WORDS))) + content[end:]
    return content


def _in_environment(content: bytes) -> str:
    """Read bytes as Python reads those of an environment."""
    return content.decode(errors="surrogateescape")


objects = spoilt() | near_configs | legacy_objects | json_values
contents = (
    mutants() | soups(*SHARDS) | objects.map(lambda value: json.dumps(value).encode()) | nested
)
forms = st.sampled_from(["json", "package", "legacy", "script"])
files = st.builds(
    lambda kind, layer: replace(file(kind), layer=layer),
    forms,
    st.sampled_from(["config", "preset"]),
)
flag_values = st.fixed_dictionaries(
    {},
    optional={
        setting.name: values_of(setting).map(
            lambda value: tuple(value) if isinstance(value, list) else value
        )
        for setting in SETTINGS
    },
)
halves = st.text("a,\ud800\udbff\udc80\udfff", min_size=1, max_size=3)
variable_texts = st.one_of(
    any_texts,
    (halves | any_texts).map(lambda text: f'["{text}"]'),
    (soups(*SHARDS) | nested).map(_in_environment),
)
environs: st.SearchStrategy[dict[str, str]] = st.builds(
    dict,
    st.dictionaries(any_texts.map(lambda text: f"TOOL_{text}"), any_texts, max_size=2),
    **{setting.variable: st.just("") | variable_texts for setting in SETTINGS},
)


def errors_of(result: Result[Any, tuple[Any, ...]], value: type) -> tuple[Any, ...]:
    """The errors of an outcome; a value must be of its type, errors must be some and known."""
    errors: tuple[Any, ...] | None = fold(
        result, lambda done: None if isinstance(done, value) else (), lambda errors: errors
    )
    assert errors is None or (errors and all(isinstance(each, ConfigError) for each in errors))
    return errors or ()


def locations(errors: tuple[Any, ...]) -> list[Location]:
    """Every place that errors name."""
    return [
        field
        for each in errors
        for field in map(each.__getattribute__, each.__struct_fields__)
        if isinstance(field, Location)
    ]


@settings(max_examples=law(300))
@given(contents, files)
def test_no_bytes_make_the_chain_raise(content: bytes, file: ConfigFile) -> None:
    """Any bytes in any kind of configuration or preset give a layer, or errors with positions in
    the file.
    """
    disk = disk_of({str(file.path): content}, {str(file.path): content})
    lines = content.removeprefix(b"\xef\xbb\xbf").decode(errors="replace").split("\n")
    for location in locations(errors_of(load(file, disk), Layer)):
        assert location.name == file.display_path
        assert location.line == 0 or 1 <= location.column <= len(lines[location.line - 1]) + 1


@settings(max_examples=law(300))
@given(
    contents,
    st.sampled_from(["package.json", "tool.config.json", ".tool.json"]),
    st.just({}) | environs,
    flag_values,
    st.none() | any_texts,
)
def test_no_run_makes_resolve_raise(
    content: bytes, name: str, environ: dict[str, str], flags: dict[str, Any], config: str | None
) -> None:
    """Any file, environment, flags and `--config` give settings or errors."""
    request = Request(start=START, flags=read_flags(flags, START), environ=environ, config=config)
    errors_of(resolve(request, disk_of({str(START / name): content})), Resolution)


@settings(max_examples=law(300))
@given(environs)
def test_no_environment_makes_variables_raise(environ: dict[str, str]) -> None:
    """Any names and texts, lone surrogates included, give a layer or errors that name
    the variable.
    """
    for location in locations(errors_of(read_variables(environ, START), Layer)):
        assert location.name in environ


@settings(max_examples=law(300))
@given(
    contents, contents, any_texts | st.sampled_from(["package.json", "../package.json"]) | st.none()
)
def test_no_package_makes_locate_raise(inner: bytes, outer: bytes, config: str | None) -> None:
    """Any bytes in a `package.json`, and any text in `--config`, give a place or errors."""
    disk = disk_of({"/project/package.json": inner, "/package.json": outer})
    errors_of(locate(START, config, disk), Located)
