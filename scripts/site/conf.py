"""How `make site` builds a site from the pages in docs/. Sphinx reads this file; each warning fails the build."""

import html
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
_DRAWING = ROOT / ".site" / "package" / "dist"
"""Where `make site` puts Mermaid, if npm is there; without it, diagrams stay text."""

project = "kb"
html_title = "kb"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_static_path = [str(_DRAWING / "mermaid.min.js")] if _DRAWING.is_dir() else []
html_js_files = ["mermaid.min.js"] if _DRAWING.is_dir() else []
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # examples leave things out with …

_ELSEWHERE = re.compile(r"\[([^\]\n]+)\]\((?:\.\./)?((?:CONTRIBUTING|examples/README)\.md|[a-z]+/[\w/.-]+)\)")
"""A link to a file or folder of the checkout that is no page of the site."""

_DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Diagram(Directive):
    """A diagram that Mermaid draws in the reader's browser, from a script beside the pages."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The diagram's text, for the script to find."""
        text = html.escape("\n".join(self.content))
        return [nodes.raw("", f'<pre class="mermaid">{text}</pre>', format="html")]


def _prepare(_: Sphinx, name: str, content: list[str]) -> None:
    text = content[0]
    if name == "index":
        text = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](") + text
    if "/" not in name:
        text = _ELSEWHERE.sub(
            lambda link: link[0] if link[2].startswith("decisions/") else f"{link[1]} (`{link[2]}`)", text
        )
    content[0] = _DIAGRAM.sub(r"```{diagram}\n\n\1```", text)


def setup(app: Sphinx) -> None:
    """Sphinx calls this."""
    app.add_directive("diagram", Diagram)
    app.connect("source-read", _prepare)
