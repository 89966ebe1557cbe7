#!/usr/bin/env bash
# adm-zip 0.6.1: a link beside its folder takes the folder's files: `addLocalFolder` packs them once, under the link.
#
# Expected: a tree with `real/file.txt` and a link `link` to `real` gives an archive with `real/file.txt`, and perhaps
# with `link/file.txt`; `addLocalFolderPromise` packs the same without blocking.
# Happens: `addLocalFolder` enters each real folder once, by the name that comes first. That is the link here, so
# `real/` is packed empty, without a word. `addLocalFolderPromise` packs `link/` empty instead.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" adm-zip@0.6.1
mkdir -p tree/real
echo text > tree/real/file.txt
ln -s real tree/link
cat > pack.cjs <<'EOF'
const AdmZip = require("adm-zip");
const names = (archive) => archive.getEntries().map((entry) => entry.entryName).sort().join(" ");
(async () => {
  const one = new AdmZip();
  one.addLocalFolder("tree");
  console.log("addLocalFolder:", names(one));
  const other = new AdmZip();
  await other.addLocalFolderPromise("tree", {});
  console.log("addLocalFolderPromise:", names(other));
})();
EOF
seen=$(node pack.cjs)
echo "adm-zip 0.6.1"
echo "$seen"
[ "$seen" = $'addLocalFolder: link/ link/file.txt real/\naddLocalFolderPromise: link/ real/ real/file.txt' ] \
  || { echo "changed: the archives have other entries" >&2; exit 1; }
