#!/usr/bin/env bash
# JSZip 3.10.1: an empty chunk in a stream makes a compressed entry of 0 bytes, which cannot be inflated.
#
# Expected: a stream that yields one empty chunk is the empty file that a stream without chunks is: 2 bytes of deflate.
# Happens: the entry says that it is deflated and has no byte at all, so it lacks the end of its data. Python's
# `zipfile` reads it as empty; Node's `zlib` and other inflaters report truncated data.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" jszip@3.10.1
cat > pack.cjs <<'EOF'
const JSZip = require("jszip");
const { Readable } = require("node:stream");
(async () => {
  const archive = new JSZip();
  archive.file("no chunk", Readable.from([]));
  archive.file("empty chunk", Readable.from([Buffer.alloc(0)]));
  const data = await archive.generateAsync({ type: "nodebuffer", compression: "DEFLATE" });
  require("node:fs").writeFileSync("streams.zip", data);
})();
EOF
node pack.cjs
seen=$(python3 -c '
import zipfile
for entry in zipfile.ZipFile("streams.zip").infolist():
    print(f"{entry.filename}: method {entry.compress_type}, {entry.compress_size} bytes for {entry.file_size}")')
echo "JSZip 3.10.1"
echo "$seen"
echo "0 bytes in zlib: $(node -e 'try { require("zlib").inflateRawSync(Buffer.alloc(0)) } catch (error) { console.log(error.message) }')"
[ "$seen" = $'no chunk: method 8, 2 bytes for 0\nempty chunk: method 8, 0 bytes for 0' ] \
  || { echo "changed: the entries are written otherwise" >&2; exit 1; }
