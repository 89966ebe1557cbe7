#!/bin/sh
# Close the site while its code changes. `scripts/after/90-open.sh` opens it, unless a script before that fails.
set -eu
if grep -q '"action": *"\(add\|update\|remove\)"' "$TOOL_HOOK_PLAN"; then
  mkdir -p sites/default
  touch sites/default/closed
  echo "closed the site"
fi
