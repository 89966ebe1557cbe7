"""Stop a run that would put an older version in the place of a newer one: the database has been
migrated already.
"""

import json
import os
import sys
from pathlib import Path

plan = json.loads(Path(os.environ["TOOL_HOOK_PLAN"]).read_text(encoding="utf-8"))
older = [each for each in plan["components"] if each["downgrade"]]
for each in older:
    print(f"{each['path']} is at {each['previous']}, and the drop has {each['version']}")
sys.exit(1 if older else 0)
