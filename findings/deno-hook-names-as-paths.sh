#!/usr/bin/env bash
# Deno 2.9.8: with a `resolve` hook that changes nothing, names of packages are taken for paths.
#
# Expected: a hook of `registerHooks` that only calls the next one leaves everything as it is: neither `helper.mjs`
# nor `#inside`, which no package.json defines, can be imported.
# Happens: what cannot be resolved becomes an address relative to the importing file. `helper.mjs` gives the file
# beside it, and `#inside` the importing file itself, run once more, as if it were a fragment.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
echo '{"type": "module"}' > package.json
echo 'export const colour = "blue";' > helper.mjs
cat > script.mjs <<'EOF'
import { registerHooks } from "node:module";
if (Deno.args[0] === "hook") registerHooks({ resolve: (name, context, next) => next(name, context) });
export const colour = "red";
if (!import.meta.url.includes("#"))
  for (const name of ["helper.mjs", "#inside"])
    await import(name).then((module) => console.log(name, module.colour), () => console.log(name, "rejected"));
EOF
plain=$("$deno" run --allow-read=. script.mjs 2>&1) || true
hooked=$("$deno" run --allow-read=. script.mjs hook 2>&1) || true
printf 'without a hook:\n%s\nwith the hook:\n%s\n' "$plain" "$hooked"
[ "$plain" = $'helper.mjs rejected\n#inside rejected' ] && [ "$hooked" = $'helper.mjs blue\n#inside red' ] \
  || { echo "changed: the hook makes no such difference" >&2; exit 1; }
