#!/usr/bin/env bash
# Deno 2.9.8 and TypeScript 5.9.3 for ESNext: a field that is made of a parameter property has different values.
#
# Expected: Deno, which runs TypeScript for the newest ECMAScript, gives what `tsc --target ESNext` gives.
# Happens: TypeScript initialises fields before parameter properties, so the field is "undefined!", and warns that the
# property is used too early. Deno assigns the parameter first, as TypeScript does for targets before ES2022.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check deno==2.9.8
npm install --silent --no-audit --no-fund --prefix "$folder" typescript@5.9.3
deno="$folder/venv/bin/deno"
export HOME="$folder" NO_COLOR=1
cd "$folder"
"$deno" --version | head -n 1
cat > script.ts <<'EOF'
class Greeting {
  text = String(this.word) + "!";
  constructor(private word: string) {}
}
console.log(new Greeting("hello").text);
EOF
deno_says=$("$deno" run script.ts 2>&1) || true
node_modules/.bin/tsc --target ESNext script.ts > warning.txt || true
typescript_says=$(node script.js)
echo "Deno: $deno_says"
echo "tsc --target ESNext: $typescript_says ($(cat warning.txt))"
[ "$deno_says $typescript_says" = "hello! undefined!" ] \
  || { echo "changed: the values do not differ in this way" >&2; exit 1; }
