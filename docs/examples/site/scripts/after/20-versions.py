"""Write what is built, for the page that says which versions the site runs."""

import json
import os
from pathlib import Path

plan = json.loads(Path(os.environ["TOOL_HOOK_PLAN"]).read_text(encoding="utf-8"))
lines = [f"{each['name']} {each['version']}\n" for each in plan["components"]]
Path("sites/default").mkdir(parents=True, exist_ok=True)
Path("sites/default/versions.txt").write_text("".join(lines), encoding="utf-8")
