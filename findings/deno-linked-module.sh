#!/usr/bin/env bash
# Deno 2.9.8: an ES module that is reached by a symbolic link imports what is beside the link, in CommonJS beside its target.
#
# Expected: one rule for one file. Node, whose packages Deno runs, goes by the real path in both, so that files of a
# linked folder find each other.
# Happens: `./name` of the linked ES module is looked up where the link is. Where a file of that name is there as
# well, the program goes on with the other file's value.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
mkdir target links
for place in target links; do
  echo "export const place = '$place';" > "$place/name.mjs"
  echo "exports.place = '$place';" > "$place/name.cjs"
done
echo 'export { place } from "./name.mjs";' > target/library.mjs
echo 'exports.place = require("./name.cjs").place;' > target/library.cjs
ln -s ../target/library.mjs ../target/library.cjs links/
cat > links/script.mjs <<'EOF'
import { createRequire } from "node:module";
import { place } from "./library.mjs";
console.log("ES module:", place, "CommonJS:", createRequire(import.meta.url)("./library.cjs").place);
EOF
seen=$("$deno" run --allow-read=. links/script.mjs 2>&1) || true
echo "the file beside which each finds the other: $seen"
[ "$seen" = "ES module: links CommonJS: target" ] \
  || { echo "changed: links are followed in another way" >&2; exit 1; }
