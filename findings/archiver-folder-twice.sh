#!/usr/bin/env bash
# archiver 8.0.0: two folders that are packed under one name give an archive with the same entry twice.
#
# Expected: two calls of `directory` with one prefix lay both trees over each other, with one entry a folder.
# Happens: a subfolder that both have is written twice, without a word, and readers that want each name once refuse
# the archive.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" archiver@8.0.0
mkdir -p one/inside two/inside
echo 1 > one/inside/one.txt
echo 2 > two/inside/two.txt
cat > pack.mjs <<'EOF'
import { ZipArchive } from "archiver";
import { createWriteStream } from "node:fs";
const archive = new ZipArchive();
archive.pipe(createWriteStream("both.zip"));
archive.directory("one", "kit");
archive.directory("two", "kit");
await archive.finalize();
EOF
node pack.mjs
seen=$(python3 -W ignore -c 'import zipfile; print(*sorted(zipfile.ZipFile("both.zip").namelist()))')
echo "archiver 8.0.0: $seen"
[ "$seen" = "kit/inside/ kit/inside/ kit/inside/one.txt kit/inside/two.txt" ] \
  || { echo "changed: the archive has other entries" >&2; exit 1; }
