"""Compile the style sheets of the theme: put its sources together, with the colours of this site."""

import json
import os
from pathlib import Path
from string import Template

theme = Path("themes", os.environ["TOOL_HOOK_THEME"])
colours = json.loads((Path(__file__).resolve().parents[2] / "colours.json").read_text(encoding="utf-8"))
sources = [path.read_text(encoding="utf-8") for path in sorted((theme / "src").glob("*.css"))]
sheet = theme / "css" / "reef.css"
sheet.parent.mkdir(exist_ok=True)
sheet.write_text(Template("\n".join(sources)).safe_substitute(colours), encoding="utf-8")
print(f"compiled {sheet} from {len(sources)} files")
