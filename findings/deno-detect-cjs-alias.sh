#!/usr/bin/env bash
# Deno 2.9.8: `--unstable-detect-cjs` takes an ES module with a TypeScript alias of a namespace for CommonJS.
#
# Expected: the flag looks whether a file has `import` and `export` of ES modules; this one has `export default`.
# Happens: `import Colour = Palette.Colour` counts as `import … = require(…)` does, and wins over the export, which is
# then a syntax error. Without the flag the file runs.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
cat > script.ts <<'EOF'
namespace Palette { export const Colour = "blue"; }
import Colour = Palette.Colour;
console.log(Colour);
export default Colour;
EOF
plain=$("$deno" run script.ts 2>&1) || true
detecting=$("$deno" run --unstable-detect-cjs script.ts 2>&1 | head -n 1) || true
echo "without the flag: $plain"
echo "with the flag: $detecting"
[ "$plain" = blue ] && [ "$detecting" = "error: SyntaxError: 'import', and 'export' cannot be used outside of module code" ] \
  || { echo "changed: the flag makes no such difference" >&2; exit 1; }
