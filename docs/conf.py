"""The site of the documentation: `make docs` builds it with Sphinx from the Markdown pages,
as they are.

The source folder is the repository, so that a link means the same on the site as in the repository.
"""

import re
import shutil
import sys
from functools import reduce
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent.parent))

from docs import contents
from pipeline import __version__

project = "tool"
version = release = __version__
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "README"
include_patterns = ["README.md", contents.INDEX, *contents.paths(contents.read(contents.INDEX))]
exclude_patterns = [".*", "tests", "property_tests", "pipeline", "io_edges"]
nitpicky = True
myst_heading_anchors = 4
smartquotes = False  # quotation marks and dashes are those of the source
pygments_style, pygments_dark_style = "a11y-light", "a11y-dark"
copybutton_prompt_text = "$ "  # of a console block, the commands without what they print

html_theme = "furo"
html_title = f"tool {version}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = html_show_copyright = False
html_show_search_summary = (
    False  # summaries are fetched from the pages, which a browser forbids on a site on disk
)
html_use_index = False

MENDS = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="Pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ("<pre>", '<pre tabindex="0">'),
    ('<div id="search-results">', '<h1>Search</h1><div id="search-results">'),
)
"""What readers with a keyboard or a screen reader miss in the pages of Sphinx and Furo, and what
they get instead.
"""

SENTENCE = 40
"""From how many characters on a cell of a table is taken for a sentence."""

_FENCE = re.compile(r"^```(\w+) (\S+)$(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^)#:\s]+)\)")


def navigation(index: str) -> str:
    """Give a table of contents for each section of the index page, after the index page itself."""
    parts = [f"\n```{{toctree}}\n:hidden:\n\nAll pages <{contents.INDEX}>\n```\n"]
    for heading, pages in contents.sections(index).items():
        rows = "".join(f"{page.title} </{page.path}>\n" for page in pages)
        parts.append(f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{rows}```\n")
    return "".join(parts)


def adapt(app: Sphinx, name: str, source: list[str]) -> None:
    """Say above a block which file it is, link no folder, which the site does not have, and add
    the navigation.
    """
    folder = (contents.ROOT / name).parent
    text = _FENCE.sub(r"```{code-block} \1\n:caption: \2\n\3```", source[0])
    text = _LINK.sub(lambda link: link[1] if (folder / link[2]).is_dir() else link[0], text)
    source[0] = text + navigation(contents.read(contents.INDEX)) if name == root_doc else text


def mark_long_cells(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Mark the cells of tables that hold sentences, which need more room than a name or a value."""
    for cell in doctree.findall(nodes.entry):
        if len(cell.astext()) > SENTENCE:
            cell["classes"].append("sentence")


def finish(app: Sphinx, error: Exception | None) -> None:
    """Add `index.html`, the Markdown pages beside those of the site, and the texts for
    language models.
    """
    if error is not None:
        return
    texts = {f"{name}.md": contents.read(f"{name}.md") for name in app.env.found_docs}
    readme, index = texts["README.md"], texts[contents.INDEX]
    files = {
        "llms.txt": contents.llms(readme, index),
        "llms-full.txt": contents.llms_full(readme, index, texts),
    }
    for path, text in (texts | files).items():
        (app.outdir / path).write_text(text, encoding="utf-8")
    for page in app.outdir.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(
            reduce(lambda html, mend: html.replace(*mend), MENDS, text), encoding="utf-8"
        )
    shutil.copyfile(app.outdir / "README.html", app.outdir / "index.html")


def setup(app: Sphinx) -> None:
    """Register what this site adds to the build."""
    app.connect("source-read", adapt)
    app.connect("doctree-resolved", mark_long_cells)
    app.connect("build-finished", finish)
