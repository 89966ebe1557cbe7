#!/usr/bin/env bash
# Deno 2.9.8: an error that a `resolve` hook throws arrives as another one, with a code of Deno's.
#
# Expected: the importer catches the very error that the hook has thrown, with its class, its code and what else it has.
# Happens: a TypeError arrives that says ERR_MODULE_NOT_FOUND, and has the class and the message of the hook's error in
# its own message. A hook that refuses a module cannot be told from a module that is missing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
cat > script.mjs <<'EOF'
import { registerHooks } from "node:module";
const refusal = Object.assign(new RangeError("not on Sundays"), { code: "REFUSED", day: 7 });
registerHooks({
  resolve(name, context, next) {
    if (name === "./refused.mjs") throw refusal;
    return next(name, context);
  },
});
try {
  await import("./refused.mjs");
} catch (error) {
  console.log(error === refusal, error.constructor.name, error.code, error.day, "/", error.message);
}
EOF
seen=$("$deno" run --allow-read=. script.mjs 2>&1) || true
echo "thrown: RangeError REFUSED 7 / not on Sundays"
echo "caught: $seen"
[ "$seen" = "false TypeError ERR_MODULE_NOT_FOUND undefined / RangeError: not on Sundays" ] \
  || { echo "changed: another error arrives" >&2; exit 1; }
