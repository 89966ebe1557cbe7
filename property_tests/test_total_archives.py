"""Laws of totality for archives: no entry, name or marker makes recognition raise."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.archives.archive import ArchiveFile, Entry
from pipeline.archives.entry_names import all_plain, name_fault
from pipeline.archives.headers import read_header
from pipeline.archives.info import read_info, read_loosely
from pipeline.archives.ini import IniFault, read_ini
from pipeline.archives.markers import make_root
from pipeline.archives.versions import rank
from pipeline.archives.yaml_files import read_yaml
from pipeline.archives.zip.records import with_slashes
from pipeline.recognition.bundles import inner_archives, recognise_folders
from pipeline.recognition.recognise import find_roots, recognise
from pipeline.recognition.recognisers import RECOGNISERS
from pipeline.recognition.unmarked import passed_over, without_marker
from pipeline.report.diagnostic import WarningDiagnostic
from pipeline.report.diagnostics.archives import ArchiveRejected
from property_tests.strategies import any_texts, nested, soups
from tests.support.disks import START
from tests.support.recognition import refusals_of
from tests.support.sweep import law
from tests.support.tables import in_bytes, rows

NAMES = rows("fuzz", "names")
markers = st.one_of(
    st.sampled_from(in_bytes(rows("fuzz", "whole"))),
    nested,
    *(
        soups(*in_bytes(rows("fuzz", kind)))
        for kind in ("yaml", "markup", "toml", "json", "info", "head")
    ),
)
walks = st.lists(st.sampled_from(["..", "a", ".", "", "shop"]), max_size=3).map("/".join)
parts = st.lists(st.sampled_from(rows("fuzz", "parts of names")), max_size=40).map("/".join)
entries = st.lists(
    st.builds(
        Entry,
        name=st.sampled_from(NAMES)
        | walks
        | any_texts
        | any_texts.map(lambda text: f"shop/{text}"),
        kind=st.sampled_from(["file", "file", "folder", "link", "other"]),
        size=st.integers(0, 9) | st.integers(0, 2**32),
        packed=st.integers(0, 99),
        target=st.none() | any_texts,
        encrypted=st.booleans(),
        method=st.sampled_from([0, 8, 99]),
    ),
    max_size=6,
).map(tuple)


@settings(max_examples=law(600))
@given(
    entries,
    st.lists(markers, min_size=1, max_size=3),
    any_texts,
    st.sampled_from(["", "themes", "modules"]),
)
def test_no_archive_makes_recognise_raise(
    found: tuple[Entry, ...], texts: list[bytes], name: str, shelf: Any
) -> None:
    """Any entries, with any bytes in their markers, give components with safe names, or
    refusals.
    """
    file = ArchiveFile(path=START / f"{name}.zip", display_path=name, shelf=shelf)
    for read in (lambda name, limit: texts[len(name) % len(texts)][:limit], lambda *_: b""):
        roots = find_roots(found, read)
        inner = inner_archives(roots)
        assert all(each in {entry.name for entry in found} for each in inner)
        for sight in (
            *recognise(file, roots),
            *recognise_folders(file, roots),
            without_marker(file, roots),
            passed_over(file, roots, nested=bool(inner)),
        ):
            if sight.component:
                assert set(sight.component.name).isdisjoint(
                    "/\\\0"
                ) and not sight.component.name.startswith(".")
                assert all(isinstance(warning, WarningDiagnostic) for warning in sight.warnings)
            else:
                assert sight.refusals and all(
                    isinstance(each, ArchiveRejected) for each in sight.refusals
                )


@settings(max_examples=law(900))
@given(markers, st.sampled_from(["", "shop/", "shop-1.2.0/"]))
def test_no_marker_makes_a_recogniser_raise(content: bytes, prefix: str) -> None:
    """Any bytes in the files that a recogniser reads give a result that names a file of the
    archive, or none.
    """
    root = make_root(
        prefix, (name.removeprefix("shop/") for name in NAMES), lambda _, limit: content[:limit]
    )
    for recogniser in RECOGNISERS:
        for found in recogniser(root):
            assert found.name is None or isinstance(found.name, str)
            assert found.evidence in root.names
            assert all(isinstance(each, str) for each in found.requires)
            assert found.parent is None or isinstance(found.parent, str)


@settings(max_examples=law(600))
@given(markers, any_texts)
def test_no_bytes_make_plain_text_raise(content: bytes, version: str) -> None:
    """Any bytes give the values of an info file and of an ini file, or none, and a header; any text
    has a rank, or none.
    """
    assert all(isinstance(value, str | dict) for value in read_info(content).values())
    assert all(isinstance(value, str) for value in read_loosely(content).values())
    ini = read_ini(content)
    assert isinstance(ini, IniFault) or all(isinstance(value, str | dict) for value in ini.values())
    assert all(read_header(content).values())
    rank(version)


@given(
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]),
    st.text(" \n", max_size=3),
)
def test_xml_that_defines_entities_says_nothing(encoding: str, gap: str) -> None:
    """A `config.xml` that defines entities gives no values, whatever its encoding."""

    def names(text: str, encoding: str) -> set[str]:
        content = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>{text}'.encode(
            encoding
        )
        files = {"elsewhere/config.xml": content}
        root = make_root(
            "elsewhere/",
            ("config.xml", "harbour.php"),
            lambda name, limit: files.get(name, b"")[:limit],
        )
        return {str(found.name) for recogniser in RECOGNISERS for found in recogniser(root)}

    assert names(f"{gap}<module><name>harbour</name></module>", "utf-8") == {"harbour"}
    assert (
        names(
            f'{gap}<!DOCTYPE a [<!ENTITY n "harbour">]><module><name>&n;</name></module>', encoding
        )
        == set()
    )


@settings(max_examples=law(300))
@given(entries, st.sampled_from(["", "shop/"]))
def test_no_entries_make_vet_raise(found: tuple[Entry, ...], root: str) -> None:
    """Any entries are vetted, and one whose name would leave the component is refused."""
    refused = {refusal.flaw.entry for refusal in refusals_of(found, root)}
    for entry in found:
        if entry.name.startswith("/") or ".." in entry.name.split("/"):
            assert entry.name in refused
    assert len(with_slashes(tuple(entry.name for entry in found))) == len(found)


@settings(max_examples=law(600))
@given(st.lists(st.sampled_from(NAMES) | walks | any_texts | parts, max_size=4))
def test_names_that_are_plain_at_once_are_plain_one_by_one(names: list[str]) -> None:
    """The quick look at all names together accepts no name that the check of each name would
    refuse.
    """
    assert [name for name in names if name_fault(name)] == [] or not all_plain(names)
    assert all_plain(["shop/shop.php", "shop/.gitignore"])


@settings(max_examples=law(600))
@given(markers)
def test_no_bytes_make_yaml_raise(content: bytes) -> None:
    """Any bytes give plain data: mappings with text as keys, lists and texts, and nothing else."""

    def plain(data: Any) -> bool:
        if isinstance(data, dict):
            return all(isinstance(key, str) and plain(value) for key, value in data.items())
        return (
            all(map(plain, data))
            if isinstance(data, list)
            else data is None or isinstance(data, str)
        )

    assert plain(read_yaml(content).data)
