#!/usr/bin/env bash
# Deno 2.9.8: a line of `~/.npmrc` about packages that nobody asks for ends every script.
#
# Expected: a script that imports nothing does not care which registry the packages of a scope come from.
# Happens: Deno reads `~/.npmrc` before any script. A registry by a variable that is set in CI alone, which npm leaves
# alone as long as it fetches nothing, is an error even for `console.log(1)`; the command `npm run` works beside it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
printf '%s\n' '@example:registry=${EXAMPLE_REGISTRY}' > .npmrc
unset EXAMPLE_REGISTRY
echo 'console.log("runs");' > script.mjs
echo '{"scripts": {"hello": "echo runs"}}' > package.json
status=0
seen=$("$deno" run script.mjs 2>&1) || status=$?
echo "deno run: exit $status, ${seen%%.npmrc options*}.npmrc options ..." | sed "s,$folder,~,"
echo "npm run: $(npm run --silent hello)"
case "$status $seen" in
  "1 error: Failed to resolve .npmrc options"*) ;;
  *) echo "changed: the script runs, or ends otherwise" >&2; exit 1 ;;
esac
