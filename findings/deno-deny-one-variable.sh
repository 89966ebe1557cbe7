#!/usr/bin/env bash
# Deno 2.9.8: to deny one variable of the environment denies `process.loadEnvFile`, which has nothing to do with it.
#
# Expected: with `--allow-env --deny-env=UNUSED`, whatever does not touch UNUSED works; all else is allowed.
# Happens: reading and setting by `process.env` works, and `loadEnvFile` throws NotCapable although the file sets
# another variable: it asks for all variables at once. The advice, `--allow-env`, is the flag that is there already.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
echo 'COLOUR=blue' > .env
cat > script.mjs <<'EOF'
process.env.SHAPE = "round";
try {
  process.loadEnvFile(".env");
} catch (error) {
  console.log(error.name + ": " + error.message.split(",")[0]);
}
console.log(process.env.SHAPE, process.env.COLOUR);
EOF
allowed=$("$deno" run --no-prompt --allow-read=. --allow-env script.mjs 2>&1)
denied=$("$deno" run --no-prompt --allow-read=. --allow-env --deny-env=UNUSED script.mjs 2>&1)
echo "--allow-env: $allowed"
echo "--allow-env --deny-env=UNUSED: $denied"
[ "$allowed" = "round blue" ] && [ "$denied" = $'NotCapable: Requires env access\nround undefined' ] \
  || { echo "changed: the file is loaded, or refused otherwise" >&2; exit 1; }
