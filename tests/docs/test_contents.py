"""The index page is the only list of the pages; the site's navigation and `llms.txt` are made from
it.
"""

import re
from collections import Counter

from docs import contents

README, INDEX = contents.read("README.md"), contents.read(contents.INDEX)
LISTED = contents.paths(INDEX)
PAGES = [
    path.relative_to(contents.ROOT).as_posix()
    for path in (*contents.ROOT.glob("*.md"), *(contents.ROOT / "docs").rglob("*.md"))
]
SMALL = """# Documentation

Text with a [link](tutorial.md).

## Tutorial

Learn.

- [Start](start/README.md): the `first` steps

## The project

- [Changes](../CHANGELOG.md): what is new
"""


def test_every_page_is_on_the_index_once() -> None:
    """Each Markdown page has one line of the index, except the index itself and the README."""
    assert Counter(LISTED) == Counter(set(PAGES) - {"README.md", contents.INDEX})


def test_every_line_of_the_index_is_read() -> None:
    """Each line of a list on the index is a page, so that the site and `llms.txt` miss none."""
    assert len([line for line in INDEX.splitlines() if line.startswith("-")]) == len(LISTED)


def test_the_readme_leads_to_the_index() -> None:
    """From the README, each page is two clicks away."""
    assert f"]({contents.INDEX})" in README


def test_the_index_as_data() -> None:
    """The pages come by heading, in order, with their paths in the repository."""
    assert contents.sections(SMALL) == {
        "Tutorial": [contents.Page("Start", "docs/start/README.md", "the `first` steps")],
        "The project": [contents.Page("Changes", "CHANGELOG.md", "what is new")],
    }


def test_the_list_for_language_models() -> None:
    """`llms.txt` has the title, the summary as a quotation, and a line for each page below
    its heading.
    """
    assert contents.llms("# tool\n\n`tool` builds\na shop.\n\n- A list.\n", SMALL) == (
        "# tool\n\n> `tool` builds a shop.\n\n"
        "## Tutorial\n\n- [Start](docs/start/README.md): the `first` steps\n\n"
        "## The project\n\n- [Changes](CHANGELOG.md): what is new\n"
    )


def test_the_whole_text_for_language_models() -> None:
    """`llms-full.txt` has the README and each page, whole and in the order of the index."""
    texts = {"docs/start/README.md": "# Start\n", "CHANGELOG.md": "# Changes\n"}
    assert contents.llms_full("# tool\n", SMALL, texts) == (
        "# tool\n\n<!-- docs/start/README.md -->\n\n# Start\n\n<!-- CHANGELOG.md -->\n\n# Changes\n"
    )


def test_each_page_has_a_title_of_its_own() -> None:
    """A page has one heading of the first level, different from that of every other page."""
    fences = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    texts = {page: fences.sub("", contents.read(page)) for page in PAGES}
    titles = {page: re.findall(r"^# (.+)", text, re.MULTILINE) for page, text in texts.items()}
    assert [page for page, found in titles.items() if len(found) != 1] == []
    assert [
        title for title, times in Counter(title for [title] in titles.values()).items() if times > 1
    ] == []


def test_a_person_can_take_the_index_in() -> None:
    """The index has at most eight groups, of at most eight pages each."""
    groups = [len(pages) for pages in contents.sections(INDEX).values()]
    assert max(len(groups), *groups) <= 8
